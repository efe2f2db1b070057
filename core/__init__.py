"""The mathematics of Private Posterior: numbers only, no I/O, clock, HTTP or SQL."""
