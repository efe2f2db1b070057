"""Schemas describe what goes over the wire, one module a resource. Request models refuse unknown fields; response
models say all that a caller may know.
"""
