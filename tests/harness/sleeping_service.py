"""The service, whose plans sleep for ever: `python -m tests.harness.sleeping_service serve`."""

from service.cli.main import main
from service.jobs.jobs import COMPUTATIONS

COMPUTATIONS["plan"] = "tests.harness.computing:sleep_for_ever"

if __name__ == "__main__":
    main()
