"""Mechanisms turn private counts into releases. No other code opens a `Private` value or creates a `Released` one."""
