"""Accountants say what a release costs, what a budget allows, and how losses add up."""
