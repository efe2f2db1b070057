"""The model in Stan on the page about groups."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.programs import installed
from tests.test_compare_groups_page import CENTRES, PAGE


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of its own with the packages that the page names, as pystan needs an earlier setuptools."""
    environment = tmp_path_factory.mktemp("stan")
    (packages,) = re.findall(r"`pip install (pystan.*?)`", PAGE)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    program = environment / "bin" / "python"
    subprocess.run([program, "-m", "pip", "install", "--quiet", *shlex.split(packages)], check=True)
    return program


@pytest.mark.long
@pytest.mark.parametrize(("epsilon", "mean"), [("60.0", 0.785), ("1.0", 0.75)], ids=["exact", "noisy"])
def test_the_model_in_stan_gives_the_reference_of_its_page(
    tmp_path: Path, python: Path, epsilon: str, mean: float
) -> None:
    """Numerical integration gives 0.785 without noise. At ε = 1 the function `random_effects` of the page gives 0.73 to
    0.76, and a deviation of 0.53, by three seeds of 6 000 draws.
    """
    installed("g++")
    (model,) = re.findall(r"```stan\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "random_effects.stan").write_text(model, encoding="utf-8")
    (code,) = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)
    assert "\nepsilon = 0.5\n" in code
    release = {"posterior": {"noisy_counts": CENTRES}}
    code = f"release = {release!r}\n" + code.replace("\nepsilon = 0.5\n", f"\nepsilon = {epsilon}\n")
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=1500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    mu, tau = map(float, done.stdout.split()[-2:])
    assert mu == pytest.approx(mean, abs=0.06)
    assert tau == pytest.approx(0.53, abs=0.06)
