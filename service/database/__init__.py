"""The database: connection, tables, typed rows, compiled statements, the writing thread, migration."""
