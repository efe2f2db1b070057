"""Samplers draw all randomness of releases: entropy, and exact integer samplers that use it."""
