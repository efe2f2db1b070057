"""Random identifiers, the clock, the canonical text of stored JSON, and the entropy of the operating system."""
