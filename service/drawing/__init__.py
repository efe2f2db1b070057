"""The program that draws what was paid, and how the service speaks to it."""
