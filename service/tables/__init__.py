"""Posteriors of noisy tables that somebody else published. Nothing private is read, and nothing is charged."""
