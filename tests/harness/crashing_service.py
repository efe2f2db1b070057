"""The service, which kills itself at one step of a release, as `kill -9` does: nothing is flushed or cleaned up.

CRASH_AT=debited python -m tests.harness.crashing_service serve

A child process that `multiprocessing` starts imports this module, too, so that workers crash at the same step.
"""

from __future__ import annotations

import os
import signal

from service import faults
from service.cli.main import main


def crash(step: str) -> None:
    if step == os.environ["CRASH_AT"]:
        os.kill(os.getpid(), signal.SIGKILL)


assert os.environ["CRASH_AT"] in faults.CRASH_POINTS
faults.hook = crash

if __name__ == "__main__":
    main()
