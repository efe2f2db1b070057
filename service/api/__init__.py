"""The HTTP side of the service, one module for each resource: operations, permissions and possible problems."""
