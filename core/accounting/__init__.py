"""Accounting: the cost of a release, the limit of a budget, and the composition of losses."""
