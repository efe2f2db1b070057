"""Plans, combines and describes noisy margins of a cross table: many small tables from one budget.

Each margin is measured as a table of its own (`core.mechanisms.margins`). All are combined in closed form, and the
budget is divided among them so that the wanted tables are as precise as possible. docs/explanation/margins.md has the
formulas and their sources.
"""
