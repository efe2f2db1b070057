"""The pages for people with tools of their own run as they stand: the notebook, the pages for Python
and R, and the page on generated clients.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from private_posterior.client import Client
from private_posterior.models import SimplexGeometric
from service.cli.demo.server import hire, prepare_database, running_service
from service.console import code_examples
from service.console.prior_and_level import own_conditions

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables that the pages ask their reader to set: a service, an analyst's key, the arms of the trial and a
    release.
    """
    url = f"sqlite:///{tmp_path / 'posterior.db'}"
    key = prepare_database(url)
    with running_service(url, tmp_path) as address, Client.open(address, key) as operator:
        _, owner = hire(operator, address, "owner", "Field Trial Office")
        analyst_id, analyst = hire(operator, address, "analyst", "Epidemiologist")
        with owner, analyst:
            arms = {
                name: register(owner, analyst_id, name, counts)
                for name, counts in (("Vaccinated", [33, 200_712]), ("Placebo", [115, 201_114]))
            }
            mechanism: SimplexGeometric = {"kind": "simplex_geometric", "epsilon": "0.5"}
            release = analyst.create_release(
                arms["Vaccinated"], {"kind": "counts", "prior": [1, 1], "mechanism": mechanism}
            )
            yield os.environ | {
                "PRIVATE_POSTERIOR_SERVER": address,
                "PRIVATE_POSTERIOR_KEY": analyst.key or "",
                "ADMIN_KEY": key,
                "VACCINATED": arms["Vaccinated"],
                "PLACEBO": arms["Placebo"],
                "DATASET": arms["Vaccinated"],
                "RELEASE": release["id"],
            }


def register(owner: Client, analyst_id: str, name: str, counts: list[int]) -> str:
    """The id of a data set on a budget of its own, all of which the analyst may spend."""
    made = owner.create_dataset(
        {
            "name": name,
            "labels": ["paralytic polio", "none"],
            "counts": counts,
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {"accountant": "basic", "name": name, "epsilon": "5", "delta": "1e-3"},
            },
        }
    )
    owner.create_grant(made["id"], {"principal_id": analyst_id, "epsilon": "5", "delta": "1e-3"})
    return made["id"]


def run_cells(cells: list[str]) -> tuple[str, dict[str, Any]]:
    """The output and variables of cells run in order in one namespace, as a notebook runs them."""
    printed, names = StringIO(), dict[str, Any]()
    with redirect_stdout(printed):
        for number, cell in enumerate(cells):
            exec(compile(cell, f"cell {number}", "exec"), names)  # noqa: S102  running it is the point
    return printed.getvalue(), names


def code_of(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / "tutorials" / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_for_python_installs_what_the_long_tests_run_it_with() -> None:
    wanted = re.findall(r"pip install (.*)", (DOCS / "tutorials" / "languages.md").read_text(encoding="utf-8"))[0]
    assert wanted in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_notebook_registers_plans_releases_and_compares(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = json.loads((DOCS / "tutorials" / "polio.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    _, names = run_cells(cells)
    assert names["comparison"]["probability"] > 0.999
    assert names["comparison"]["people"] == "different"
    assert [names[arm]["charged"]["epsilon"] for arm in ("treated", "untreated")] == ["0.25", "0.25"]
    assert "simplex_geometric" in names["plan"]._repr_html_()


def test_the_notebook_is_committed_with_the_outputs_of_one_run() -> None:
    notebook = json.loads((DOCS / "tutorials" / "polio.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    shown = [output["data"] for cell in cells for output in cell["outputs"] if "data" in output]
    assert sum("data:image/svg+xml;base64," in "".join(each.get("text/html", "")) for each in shown) >= 4
    assert not [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]


@pytest.mark.long
def test_the_page_for_python_runs(environment: dict[str, str]) -> None:
    """ArviZ and PreliZ come with `make generators`; without them this fails."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "\n".join(code_of("languages.md", "python"))],
        env=environment, cwd=DOCS.parent, capture_output=True, text=True, check=False, timeout=1500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"share\[paralytic polio\] +0\.000", done.stdout)


def test_code_in_r_names_the_packages_that_it_needs() -> None:
    """httr2 reads and writes JSON with jsonlite, and does not install it."""
    conditions = own_conditions({"prior": [1.0, 1.0]})
    console = dict(code_examples.code_of("http://127.0.0.1:8000", "/v1", conditions.body, []))["R"]
    assert 'install.packages(c("httr2", "jsonlite"))' in console
    assert "httr2 and jsonlite" in (DOCS / "tutorials" / "posterior.R").read_text()
    assert "apt install r-cran-httr2 r-cran-jsonlite" in (DOCS / "tutorials" / "languages.md").read_text()


@pytest.mark.long
def test_the_page_for_r_runs(environment: dict[str, str], tmp_path: Path, rscript: str) -> None:
    script = tmp_path / "page.R"
    script.write_text("\n".join(code_of("languages.md", "r")), encoding="utf-8")
    shutil.copy(DOCS / "tutorials" / "posterior.R", tmp_path)
    done = subprocess.run(
        [rscript, script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=1500
    )
    assert done.returncode == 0, done.stderr
    assert "paralytic polio" in done.stdout


@pytest.fixture
def empty_folder(tmp_path: Path, environment: dict[str, str]) -> tuple[Path, dict[str, str]]:
    """A folder with nothing but the description of the API, and the environment of a shell with a fresh Python."""
    folder = tmp_path / "newcomer"
    (folder / "docs").mkdir(parents=True)
    shutil.copy(DOCS / "openapi.json", folder / "docs")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True, timeout=300)
    return folder, environment | {"PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{environment['PATH']}"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "named", "commands"),
    [
        ("py", "first_call.py", "python first_call.py"),
        ("typescript", "first_call.mts", None),
    ],
)
def test_a_generated_client_makes_its_first_call(
    empty_folder: tuple[Path, dict[str, str]], language: str, named: str, commands: str | None
) -> None:
    """The commands of the page as they stand; they install packages, so that a package index is needed."""
    folder, environment = empty_folder
    section = (DOCS / "tutorials" / "languages.md").read_text(encoding="utf-8")
    generate = re.search(rf"```sh\n([^`]*)```\n\n```{language}\n(.*?)```", section, re.DOTALL)
    assert generate
    (folder / named).write_text(generate[2], encoding="utf-8")
    run = commands or re.findall(r"`(npx tsc [^`]*)`", section)[0]
    done = subprocess.run(
        ["sh", "-e", "-c", f"{generate[1]}\n{run}"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=1500,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert sum(map(int, re.findall(r"\d+", done.stdout.splitlines()[-1]))) == 33 + 200_712


def test_no_page_puts_a_key_into_the_shell_history_or_a_process_list() -> None:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md", DOCS.parent / "client" / "README.md"]
    lines = [line for page in pages if page.exists() for line in page.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if re.search(r"=pp_|(?:-H|--header) \"Authorization: Bearer|--key[ =]", line)] == []
