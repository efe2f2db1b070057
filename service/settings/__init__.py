"""Settings of the installation, hardening of its processes, and faults that tests plant."""
