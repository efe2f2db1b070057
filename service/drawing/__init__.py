"""The draw program, and the processes and messages through which the service uses it."""
