"""Principals hold keys. Here are their keys, how they enrol and recover, and the hash chain of all that."""
