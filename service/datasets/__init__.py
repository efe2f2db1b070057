"""Data sets, their encrypted counts, grants and access requests."""
