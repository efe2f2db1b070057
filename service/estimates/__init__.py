"""Free estimates: weighted sums and tables of counts from all releases that a caller may read."""
