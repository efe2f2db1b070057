"""Verifies receipts, ledgers, public releases and other texts that somebody kept. It was written from
docs/reference/formats.md only.
"""
