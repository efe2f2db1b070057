"""Linear queries: what the releases of a data set already answer."""
