"""Limits of work, places in queues, requests and memory."""
