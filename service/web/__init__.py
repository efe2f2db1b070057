"""What HTTP needs around the routers."""
