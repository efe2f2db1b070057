"""Principals: their API keys, enrolment, recovery, and the hash chain that records these."""
