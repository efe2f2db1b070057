"""The core computes the mathematics of Private Posterior. It has numbers only: no I/O, clock, HTTP or SQL."""
