"""The database: connections, tables, typed rows, the writer thread and migrations."""
