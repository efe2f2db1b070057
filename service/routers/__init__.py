"""Routers are the HTTP side, one a resource: what is asked, who may ask it, and which problems can be the answer."""
