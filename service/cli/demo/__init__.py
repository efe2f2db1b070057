"""Runs `private-posterior demo`: the service from the view of owner, analyst and operator over HTTP, on published
counts.
"""
