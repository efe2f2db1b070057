"""Releases: the way through from request to stored answer, and what a release is."""
