"""A small typed client of the service, on httpx alone. The command line, the demonstration and the tests use it."""
