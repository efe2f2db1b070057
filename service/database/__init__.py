"""The database package holds the connection, tables, typed rows, the writing thread and migration."""
