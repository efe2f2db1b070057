"""The commands of owners and analysts, who speak to a service over HTTP."""
