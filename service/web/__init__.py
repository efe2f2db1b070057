"""HTTP layers around the routers."""
