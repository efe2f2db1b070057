"""Settings that make no sense end the start with a sentence, and each is in the reference."""

from __future__ import annotations

from dataclasses import fields

import pytest

from service.quotas import Quotas
from service.settings import PREFIX, Settings, SettingsError
from tests.harness.process import ROOT


def test_the_reference_lists_every_setting() -> None:
    table = ["| Variable | Default | |", "|---|---|---|"]
    for field in fields(Settings):
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        shown = f"`{default}`" if default else ""
        table.append(f"| `{PREFIX}{field.name.upper()}` | {shown} | {field.metadata['help']} |")
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("|")] == table


@pytest.mark.parametrize("name", ["QUOTA_FACTOR", "COMPUTATION_PROCESSES", "COMPUTATION_MEMORY_MB"])
def test_what_nobody_could_be_answered_without_is_not_nothing(name: str) -> None:
    Settings.from_environment({f"POSTERIOR_{name}": "1"})
    with pytest.raises(SettingsError, match=f"POSTERIOR_{name} must be at least 1"):
        Settings.from_environment({f"POSTERIOR_{name}": "0"})


def test_answers_wait_an_hour_for_a_tick_at_most() -> None:
    assert Settings.from_environment({"POSTERIOR_RESPONSE_GRID_MS": "3600000"}).response_grid_ms == 3_600_000
    with pytest.raises(SettingsError, match="at most 3600000"):
        Settings.from_environment({"POSTERIOR_RESPONSE_GRID_MS": "3600001"})


def test_one_factor_multiplies_all_quotas() -> None:
    once, thrice = Quotas.of(Settings()), Quotas.of(Settings(quota_factor=3))
    assert once.budgets == 1_000
    assert thrice == tuple(3 * most for most in once)
