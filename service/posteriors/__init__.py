"""Posteriors, comparisons and pictures, computed from releases afterwards at no cost."""
