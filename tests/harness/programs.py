"""The programs that long tests need beside what README names, and the rule that no fast test reaches one."""

from __future__ import annotations

import shutil
import sys
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

PROGRAMS: Final = {
    "chromium": "chromium libatomic1",  # the console and pictures in a browser; Playwright needs the library
    "curl": "curl",  # the pages for operators, and the code of a release page
    "etcd": "etcd-server",  # where Patroni keeps its state
    "g++": "g++",  # the model in Stan
    "git": "git",  # the code of a released version
    "haproxy": "haproxy",  # failovers
    "java": "default-jdk-headless",  # the generated client in Java, and Spark
    "javac": "default-jdk-headless",
    "jq": "jq",  # copies of texts that a person made
    "nginx": "nginx-light",  # the reverse proxy and the compose file
    "node": "nodejs",  # the modules of the console, and the generated client in TypeScript
    "npm": "npm",  # `make generators`
    "patroni": "patroni",  # failovers that a manager decides on
    "pgbouncer": "pgbouncer",  # the pooler
    "promtool": "prometheus",  # the alert rules
    "Rscript": "r-cran-httr2 r-cran-jsonlite",  # the page for R, and the code of a release page
    "systemd-analyze": "systemd",  # the unit
}
"""Each program, with its packages in Debian. The fixture that needs it has its name, as `fixture_name` spells it."""


def installed(name: str) -> str:
    """The path of a program. Fails the test if it is missing. Debian has some in /usr/sbin, and `make test-long` looks
    there.
    """
    packages, program = PROGRAMS[name], shutil.which(name)
    assert program, f"{name} is not on PATH: apt-get install {packages}"
    return program


def fixture_name(program: str) -> str:
    return program.lower().replace("-", "_")


def needs_program(item: pytest.Item) -> bool:
    """Whether a test has a fixture that needs a program, or is in a module that reaches `installed`: by its own import
    or by that of a module of the tests that it imports from.
    """
    fixtures = set(getattr(item, "fixturenames", ()))
    return not fixtures.isdisjoint(map(fixture_name, PROGRAMS)) or _reaches(getattr(item, "module", None))


@cache
def _reaches(module: ModuleType | None) -> bool:
    seen, waiting = set[ModuleType](), [module]
    while waiting:
        if (looked_at := waiting.pop()) is None or looked_at in seen:
            continue
        seen.add(looked_at)
        values = list(vars(looked_at).values())
        if any(each is installed for each in values):
            return True
        names = {str(getattr(each, "__module__", None) or getattr(each, "__name__", "")) for each in values}
        waiting += [sys.modules.get(name) for name in names - {__name__} if name.startswith(("tests.", "benchmarks."))]
    return False
