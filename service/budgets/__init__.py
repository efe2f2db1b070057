"""Budgets as their owners see and export them."""
