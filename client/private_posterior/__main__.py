"""Runs `posterior` as `python -m private_posterior`."""

from private_posterior.commands.main import main

main()
