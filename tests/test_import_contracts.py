"""The import contract on who may open counts is effective: forbidden imports are planted in a copy of the source, and
each is found. `make check` compares the source itself with every contract.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONTRACT = "Only the draw of a mechanism opens a private value"
BREACHES = {
    "core.planning.plans": "import core.mechanisms.unsealing",
    "core.mechanisms.event": "from core.mechanisms.unsealing import unseal",
    "service.datasets.datasets": "from core.mechanisms.unsealing import unseal",
}


def test_a_module_that_opens_counts_without_being_a_mechanism_is_found(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("core", "service", "client/private_posterior"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for module, statement in BREACHES.items():
        with (tmp_path / (module.replace(".", "/") + ".py")).open("a", encoding="utf-8") as file:
            file.write(f"\n{statement}\n")
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-logo", "--no-cache"],
        cwd=tmp_path,
        env={"COLUMNS": "200", "PYTHONPATH": "client"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(rf"^{CONTRACT} BROKEN", done.stdout, re.MULTILINE), done.stdout
    assert {module for module in BREACHES if f"{module} ->" in done.stdout} == set(BREACHES), done.stdout
