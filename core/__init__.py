"""The mathematics of Private Posterior: pure computation without I/O, clock, HTTP or SQL."""
