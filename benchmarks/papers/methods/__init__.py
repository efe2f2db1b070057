"""Methods of the papers that the service does not use: for experiments at made-up counts."""
