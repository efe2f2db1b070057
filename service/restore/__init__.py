"""Backups, and what happens to a database that was restored from one."""
