"""The commands of owners and analysts, over HTTP."""
