"""`python -m service` is `private-posterior`."""

from service.cli.main import main

main()
