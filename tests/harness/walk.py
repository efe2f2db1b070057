"""The code that each kind of request passes: named functions, files, rooms, and moves from file to file.

`python -m tests.harness.walk`, or with `--files` each file too. The functions are those of the service, its draw
process and its computation processes, without background work and imports. A release and margins find the certificate
and plan that a first request of their kind waits for.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from service.database.migration import migrate
from tests.harness.bodies import of_releases, registration, release_body
from tests.harness.server import own_keys, using
from tests.harness.sizes import REPOSITORY, room
from tests.harness.thread import ServiceThread
from tests.harness.traced import FOLDER, trace

_AUTHENTICATED_SECONDS = 1.1
"""After this time a key is looked up again, so that each walk has its look-up."""
_PRELOADED_MODULES = [
    "service.posteriors.computations",
    "tests.harness.bodies",
    "tests.harness.thread",
    "tests.harness.traced",
]
"""What a computation process needs and what this program imports, before the trace begins: each computation process
runs the start script again, so the service preloads both.
"""
_DRAW = "from tests.harness.traced import trace; trace({!r}); from service.drawing.__main__ import main; main()"


def walks(folder: Path) -> dict[str, set[tuple[str, ...]]]:
    """The functions that each request enters: file, name, and the file of the caller."""
    current = folder / "walk"
    current.write_bytes(b"\0")
    url = f"sqlite:///{folder / 'posterior.sqlite3'}"
    migrate(url)
    os.environ[FOLDER] = str(folder)
    trace(str(folder))
    sys.setprofile(None)  # this thread is the client
    draw_program = (sys.executable, "-c", _DRAW.format(str(folder)))
    found: dict[str, set[tuple[str, ...]]] = {}

    def walk(name: str, ask: Callable[[], httpx.Response]) -> Any:
        time.sleep(_AUTHENTICATED_SECONDS)
        number = len(found) + 1
        with current.open("r+b") as file:
            file.write(bytes([number]))
        answer = ask()
        with current.open("r+b") as file:
            file.write(b"\0")
        assert answer.is_success, answer.text
        found[name] = {tuple(line.split("\t")) for line in (folder / f"trace{number}").read_text().splitlines()}
        return answer.json()

    service = ServiceThread(url, log=folder / "log", draw_program=draw_program, **own_keys())
    with service, using(service, url) as server:
        multiprocessing.set_forkserver_preload(_PRELOADED_MODULES)
        owner = server.new("owner")
        attributes = [{"name": name, "levels": ["a", "b"]} for name in ("first", "second")]
        table = registration([30, 20, 10, 40]) | {"labels": None, "attributes": attributes}
        dataset = owner.post("/v1/datasets", table).json()["id"]
        margins = {"kind": "margins", "all": 1, "epsilon": "0.1"}
        bodies = {"releases": release_body("0.1", 4), "margins": margins}

        def pay(kind: str, key: str = "walk") -> httpx.Response:
            return owner.post(f"/v1/datasets/{dataset}/releases", bodies[kind], idempotency_key=f"{kind}-{key}")

        assert all(pay(kind, "first").is_success for kind in bodies)
        release = walk("release", lambda: pay("releases"))["id"]
        walk("replay", lambda: pay("releases"))
        walk("margins charge", lambda: pay("margins"))
        walk("registration", lambda: owner.post("/v1/datasets", registration([7, 5])))
        walk("posterior", lambda: owner.post("/v1/posteriors", of_releases(release) | {"prior": [0.5] * 4}))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="name each file, with its functions")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = walks(Path(folder))
    print(f"{'':14}{'functions':>10}{'files':>7}{'rooms':>7}{'moves':>7}")
    for name, lines in found.items():
        functions = {(file, function) for file, function, _ in lines if not function.endswith(">")}
        files = {file for file, _, _ in lines}
        moves = {(file, caller) for file, _, caller in lines if caller in files - {file}}
        rooms = {room(Path(file)) for file in files}
        print(f"{name:14}{len(functions):>10}{len(files):>7}{len(rooms):>7}{len(moves):>7}")
        for file in sorted(files) if arguments.files else ():
            print(f"    {Path(file).relative_to(REPOSITORY)}  {sum(path == file for path, _ in functions)}")


if __name__ == "__main__":
    main()
