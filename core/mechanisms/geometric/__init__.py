"""The simplex geometric mechanism: geometric noise that preserves the sum of the counts."""
