"""Runs `private-posterior demo`: the service from the view of admin, owner and analyst over HTTP, on published
counts.
"""
