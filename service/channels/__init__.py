"""Channels: from a request to an event of the core and back, and what is certified of it."""
