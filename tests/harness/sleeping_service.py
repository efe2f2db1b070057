"""The service whose plans sleep forever, and become jobs at once if they have a target error: `python -m
tests.harness.sleeping_service serve`. Each computation process runs this file again, so only the main program imports
the service.
"""

if __name__ == "__main__":
    from service.cli.main import main
    from service.jobs.jobs import COMPUTATIONS

    COMPUTATIONS["plan"] = "tests.harness.computing:sleep_as_a_job_if_precise"
    main()
