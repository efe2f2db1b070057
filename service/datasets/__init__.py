"""Data sets, their grants, and the only code that reads counts."""
