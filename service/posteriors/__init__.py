"""Free computations from releases: posteriors, comparisons and pictures."""
