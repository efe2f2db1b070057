"""Principals: who may hold keys, their keys, how they enrol and recover, and the hash chain of all that."""
