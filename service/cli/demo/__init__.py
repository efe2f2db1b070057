"""Runs `private-posterior demo`: the whole service at work, as three parties see it over HTTP, on published counts."""
