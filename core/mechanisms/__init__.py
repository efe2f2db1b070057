"""The mechanisms: the only code that opens a `Private` value, and the only code that makes a `Released` one."""
