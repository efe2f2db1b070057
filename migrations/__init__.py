"""Migrations bring SQLite and PostgreSQL to the same schema, by Alembic."""
