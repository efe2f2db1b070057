"""The simplex geometric mechanism: geometric noise that keeps the sum of the counts."""
