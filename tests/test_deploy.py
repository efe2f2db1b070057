"""The systemd unit and the alert rules of `deploy/`, compared with the service and checked by their own tools."""

from __future__ import annotations

import configparser
import re
import subprocess
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.errors import PROBLEMS
from service.logs.metrics import Metrics
from service.runtime.runtime import GRACE_SECONDS
from tests.harness.process import COMMAND, ROOT
from tests.harness.rows import assert_each

UNIT = ROOT / "deploy" / "private-posterior.service"
ALERTS = ROOT / "deploy" / "alerts.yml"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"] for rule in group["rules"]
]
INSTALLED = "/opt/private-posterior/bin/private-posterior"
FROM_PROMETHEUS = {"up"}
MOST_EXPOSED = 20
"""Tenths of systemd's own measure, from 0 to 100."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with the path of the program on this machine."""
    text = UNIT.read_text(encoding="utf-8")
    assert text.count(INSTALLED) == 1
    path = tmp_path / UNIT.name
    path.write_text(text.replace(INSTALLED, str(COMMAND)), encoding="utf-8")
    return path


def unit_settings() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser["Service"]


@pytest.mark.long
def test_systemd_takes_the_unit(unit: Path, systemd_analyze: str) -> None:
    done = subprocess.run([systemd_analyze, "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_systemd_finds_little_that_the_unit_leaves_open(unit: Path, systemd_analyze: str) -> None:
    options = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", str(unit)]
    done = subprocess.run([systemd_analyze, "security", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-400:]


def test_the_unit_limits_memory_and_processors_and_waits_for_what_was_paid() -> None:
    settings = unit_settings()
    assert {"MemoryHigh", "MemoryMax", "CPUQuota", "TasksMax"} <= set(settings)
    assert int(settings["TimeoutStopSec"]) > GRACE_SECONDS
    assert settings["LimitCORE"] == "0"
    assert settings["KillMode"] == "mixed", "draw processes end with the service, not before it"
    assert settings["ExecStart"] == f"{INSTALLED} serve"


@pytest.mark.long
def test_prometheus_takes_the_rules(promtool: str) -> None:
    done = subprocess.run([promtool, "check", "rules", ALERTS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(RULES)} rules found" in done.stdout


def test_every_rule_asks_for_figures_that_the_service_shows_and_names_a_page_that_is_there() -> None:
    assert_each(RULES, assert_asks_for_shown_figures, name=itemgetter("alert"))
    assert_each(RULES, assert_names_a_page, name=itemgetter("alert"))


def assert_asks_for_shown_figures(rule: dict[str, Any]) -> None:
    expression: str = rule["expr"]
    shown = set(re.findall(r"^# TYPE (\w+)", Metrics().text().decode(), flags=re.MULTILINE))
    asked = set(re.findall(r"\b(up|posterior_\w+)\b", expression))
    assert asked
    assert asked - FROM_PROMETHEUS <= shown
    named = re.findall(r'problem=~?"([^"]*)"', expression)
    codes = {problem.code for problem in PROBLEMS}
    assert {code for each in named for code in each.split("|")} <= codes


def assert_names_a_page(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"critical", "warning"}
    assert (ROOT / rule["annotations"]["page"].split("#")[0]).is_file()
    assert rule["annotations"]["summary"].endswith(".")
