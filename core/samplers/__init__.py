"""The only place that draws randomness for a release: entropy, and exact integer samplers on it."""
