"""Linear queries: answers from earlier releases of a data set, and new measurements."""
