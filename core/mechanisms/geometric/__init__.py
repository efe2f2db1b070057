"""The simplex geometric mechanism adds geometric noise that keeps the sum of the counts."""
