"""Every process that holds a secret keeps its memory out of core dumps and from other processes of its user."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.harness.process import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has PR_SET_DUMPABLE")

PROGRAMS = {
    "draw process": "from service.drawing.__main__ import main; main()",
    "command": "import sys; sys.argv = ['private-posterior', '--version']; from service.cli.main import main; main()",
    "worker": "import service.cli.serving as it; it.read_settings = lambda: 1 / 0; it.serving_app()",
}
_LOOK = """
import ctypes, resource, sys
try:
    {program}
except BaseException:
    pass
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), *resource.getrlimit(resource.RLIMIT_CORE))
"""
"""3: PR_GET_DUMPABLE."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_process_with_secrets_cannot_be_dumped(program: str) -> None:
    code = _LOOK.format(program=PROGRAMS[program])
    looked = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert looked.stdout.splitlines()[-1] == "0 0 0", (looked.stdout, looked.stderr)
