"""The command line runs the service and administers it."""
