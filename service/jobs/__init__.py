"""Computations that outlast their request, and the leases that assign each to one process."""
