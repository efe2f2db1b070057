"""The database package holds the connection, tables, typed rows, compiled statements, the writing thread and
migration.
"""
