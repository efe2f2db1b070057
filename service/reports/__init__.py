"""Reports to owners and analysts: statements, allowances, compositions."""
