"""Budgets, for their owners: create, change, report and export."""
