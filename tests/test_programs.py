"""The fast tests need what README names, and the long tests what one list names."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.harness.process import ROOT
from tests.harness.programs import PROGRAMS

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "by_a_fixture": "def test_it(rscript): pass",
    "by_an_import": "from tests.harness.nginx import nginx\ndef test_it(): pass",
    "by_an_import_of_an_import": "from tests.service.web.test_reverse_proxy import trusting\ndef test_it(): pass",
    "long": "import pytest\n@pytest.mark.long\ndef test_it(rscript): pass",
    "fast": "from tests.harness.ports import free_port\ndef test_it(): pass",
}


def test_a_test_that_needs_a_program_and_is_not_long_is_an_error_of_the_collection(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / f"test_{name}.py").write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--collect-only",
    ]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    refused = re.findall(r"test_(\w+)\.py::test_it needs a program .* mark it as long", done.stdout)
    assert refused == ["by_a_fixture", "by_an_import", "by_an_import_of_an_import"], done.stdout + done.stderr
    assert "2 tests collected, 3 errors" in done.stdout


def test_contributing_names_the_packages_of_all_programs_that_long_tests_need() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^apt-get install ((?:.*\\\n)*.*)", page, re.MULTILINE)
    assert line.replace("\\", " ").split() == sorted({each for some in PROGRAMS.values() for each in some.split()})
