"""Schemas of requests and responses, one module for each resource. Request models refuse unknown fields. Response
models contain everything that the caller may know.
"""
