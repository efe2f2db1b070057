"""`python -m service` is `private-posterior`."""

from service.cli import main

main()
