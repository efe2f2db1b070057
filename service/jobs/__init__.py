"""Work that takes longer than somebody waits, and the leases under which one process at a time does it."""
