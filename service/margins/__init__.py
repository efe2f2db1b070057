"""Margins of cross tables: plan, quote, pay for and combine them."""
