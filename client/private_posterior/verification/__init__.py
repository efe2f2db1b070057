"""Verifies receipts, ledgers and public releases without the service: written from docs/reference/formats.md alone."""
