"""Computations for the tests of the processes that do them."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from pathlib import Path

import numpy as np

from service.errors import InvalidRequest
from service.limits.limits import JOBS


def niceness(_: str) -> str:
    return str(os.nice(0))


def limits(_: str) -> str:
    """The process's limits of memory, processor time and core dumps, and its alarm."""
    kinds = {"memory": resource.RLIMIT_AS, "processor": resource.RLIMIT_CPU, "core": resource.RLIMIT_CORE}
    found = {name: resource.getrlimit(kind)[0] for name, kind in kinds.items()}
    return json.dumps(found | {"alarm": signal.alarm(0)})


def environment(_: str) -> str:
    """The environment of the process."""
    return json.dumps(dict(os.environ))


def sleep(file: str) -> str:
    """Writes its process id into a file and sleeps forever."""
    Path(file).write_text(str(os.getpid()))
    time.sleep(3600)
    return ""


def number(_: str) -> str:
    """The id of the process."""
    return str(os.getpid())


def wait(seconds: str) -> str:
    time.sleep(float(seconds))
    return "waited"


def spin(_: str) -> str:
    """Keeps a processor busy forever."""
    while True:
        pass


def spin_and_tell(file: str) -> str:
    """Keeps a processor busy forever. The last line of the file has the seconds so far."""
    while True:
        with Path(file).open("a", encoding="ascii") as record:
            record.write(f"{time.process_time()}\n")
        until = time.process_time() + 0.01
        while time.process_time() < until:
            pass


def sleep_for_ever(_: str) -> str:
    time.sleep(3600)
    return ""


def sleep_as_a_job_if_precise(plan: str) -> str:
    """Sleeps forever. A plan with a target error first ends as at its limit of CPU time, if a caller waits."""
    somebody_waits = resource.getrlimit(resource.RLIMIT_CPU)[0] < JOBS.processor_seconds
    if json.loads(plan)["target_error"] is not None and somebody_waits:
        os.kill(os.getpid(), signal.SIGXCPU)
    return sleep_for_ever(plan)


def sleep_unless_told(file: str) -> str:
    """Sleeps forever, unless the file exists."""
    while not Path(file).exists():
        time.sleep(0.05)
    return "{}"


def fill(megabytes: str) -> str:
    return str(np.ones(int(megabytes) * 2**17).sum())


def refuse(place: str) -> str:
    raise InvalidRequest.at(place, "must be otherwise")


def fail(text: str) -> str:
    raise ValueError(text)


def end(_: str) -> str:
    os._exit(9)


def long(size: str) -> str:
    return "x" * int(size)


def echo(text: str) -> str:
    return text


def parent(_: str) -> str:
    """The number of the forkserver."""
    return str(os.getppid())
