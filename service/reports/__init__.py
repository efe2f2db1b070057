"""Reports to owners and analysts: statements of data sets, allowances, burn rates."""
