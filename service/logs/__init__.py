"""The log and the metrics. Neither contains private values."""
