"""Verifies receipts, ledgers and public releases without the service. It was written from docs/reference/formats.md
only.
"""
