"""Settings that make no sense end the start with a sentence."""

from __future__ import annotations

import pytest

from service.settings import Settings, SettingsError


@pytest.mark.parametrize(
    "name",
    [
        "MAX_BODY_BYTES",
        "KEYS_PER_PRINCIPAL",
        "COMPUTATION_PROCESSES",
        "COMPUTATION_SECONDS",
        "JOB_SECONDS",
        "COMPUTATION_MEMORY_MB",
    ],
)
def test_what_nobody_could_be_answered_without_is_not_nothing(name: str) -> None:
    Settings.from_environment({f"POSTERIOR_{name}": "1"})
    with pytest.raises(SettingsError, match=f"POSTERIOR_{name} must be at least 1"):
        Settings.from_environment({f"POSTERIOR_{name}": "0"})


def test_answers_wait_an_hour_for_a_tick_at_most() -> None:
    assert Settings.from_environment({"POSTERIOR_RESPONSE_GRID_MS": "3600000"}).response_grid_ms == 3_600_000
    with pytest.raises(SettingsError, match="at most 3600000"):
        Settings.from_environment({"POSTERIOR_RESPONSE_GRID_MS": "3600001"})
