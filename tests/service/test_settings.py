"""Invalid settings prevent the start with a message, and the reference lists every setting."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from private_posterior.credentials import HOME, KEY, SERVER
from service.principals.quotas import Quotas
from service.settings.settings import PREFIX, Settings, SettingsError
from tests.harness.process import ROOT


def test_the_reference_lists_every_setting() -> None:
    table = ["| Variable | Default | |", "|---|---|---|"]
    for field in fields(Settings):
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        shown = f"`{default}`" if default else ""
        table.append(f"| `{PREFIX}{field.name.upper()}` | {shown} | {field.metadata['help']} |")
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8").split("\n## Limits\n")[0]
    assert [line for line in page.splitlines() if line.startswith("|")] == table


@pytest.mark.parametrize("name", ["QUOTA_FACTOR", "COMPUTATION_PROCESSES", "COMPUTATION_MEMORY_MB"])
def test_settings_that_every_answer_needs_are_at_least_one(name: str) -> None:
    Settings.from_environment({f"POSTERIOR_{name}": "1"})
    with pytest.raises(SettingsError, match=f"POSTERIOR_{name} must be at least 1"):
        Settings.from_environment({f"POSTERIOR_{name}": "0"})


def test_answers_wait_an_hour_for_a_tick_at_most() -> None:
    assert (
        Settings.from_environment({"POSTERIOR_RESPONSE_TIME_QUANTUM_MS": "3600000"}).response_time_quantum_ms
        == 3_600_000
    )
    with pytest.raises(SettingsError, match=r"^POSTERIOR_RESPONSE_TIME_QUANTUM_MS must be at most 3600000"):
        Settings.from_environment({"POSTERIOR_RESPONSE_TIME_QUANTUM_MS": "3600001"})


def test_an_unknown_setting_is_refused_with_the_nearest_name() -> None:
    for variable, said in {
        "POSTERIOR_LOGLEVEL": "POSTERIOR_LOGLEVEL is not a setting of this service: did you mean POSTERIOR_LOG_LEVEL?",
        "POSTERIOR_COLOUR": "POSTERIOR_COLOUR is not a setting of this service",
        "PRIVATE_POSTERIOR_PORT": "PRIVATE_POSTERIOR_PORT has the prefix of the client: did you mean POSTERIOR_PORT?",
        "PRIVATE_POSTERIOR_DATABASE_URLS": (
            "PRIVATE_POSTERIOR_DATABASE_URLS has the prefix of the client: did you mean POSTERIOR_DATABASE_URL?"
        ),
        "PRIVATE_POSTERIOR_RECEIPT_KEY_FILE": (
            "PRIVATE_POSTERIOR_RECEIPT_KEY_FILE has the prefix of the client: did you mean POSTERIOR_RECEIPT_KEY_FILE?"
        ),
    }.items():
        with pytest.raises(SettingsError) as refused:
            Settings.from_environment({variable: "8001"})
        assert str(refused.value) == said


def test_variables_of_the_client_and_of_kubernetes_are_not_taken_for_settings() -> None:
    others = dict.fromkeys((SERVER, KEY, HOME), "text") | {
        "PRIVATE_POSTERIOR_PORT": "tcp://10.0.0.1:8000",
        "PRIVATE_POSTERIOR_SERVICE_HOST": "10.0.0.1",
        "PRIVATE_POSTERIOR_SERVICE_PORT": "8000",
        "PRIVATE_POSTERIOR_SERVICE_PORT_HTTP": "8000",
        "PRIVATE_POSTERIOR_PORT_8000_TCP": "tcp://10.0.0.1:8000",
        "PRIVATE_POSTERIOR_PORT_8000_TCP_PROTO": "tcp",
        "PRIVATE_POSTERIOR_PORT_8000_TCP_PORT": "8000",
        "PRIVATE_POSTERIOR_PORT_8000_TCP_ADDR": "10.0.0.1",
    }
    assert Settings.from_environment(others) == Settings()


def test_one_factor_multiplies_all_quotas() -> None:
    once, thrice = Quotas.times(1), Quotas.times(3)
    assert once.budgets == 1_000
    assert thrice == tuple(3 * most for most in once)


SECRETS = {
    "DATABASE_URL": "sqlite:///some/where.db",
    "COUNTS_KEYS": "new:AAAA,old:BBBB",
    "RECEIPT_KEY": "new,old",
    "METRICS_KEY": "a long and random text",
}


@pytest.mark.parametrize(("name", "value"), SECRETS.items())
@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_secret_may_be_in_a_file_that_its_group_may_read(tmp_path: Path, name: str, value: str, mode: int) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{value}\n")
    file.chmod(mode)
    settings = Settings.from_environment({f"POSTERIOR_{name}_FILE": str(file)})
    assert getattr(settings, name.lower()) == value
    with pytest.raises(SettingsError, match=f"either POSTERIOR_{name} or POSTERIOR_{name}_FILE"):
        Settings.from_environment({f"POSTERIOR_{name}_FILE": str(file), f"POSTERIOR_{name}": value})


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o602])
def test_a_file_of_a_secret_that_is_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "secret"
    file.write_text("the secret")
    file.chmod(mode)
    with pytest.raises(SettingsError, match="can be read by others: run chmod 600 on it, or chmod 640") as refused:
        Settings.from_environment({"POSTERIOR_METRICS_KEY_FILE": str(file)})
    assert "the secret" not in str(refused.value)


def test_a_file_of_a_secret_that_is_missing_is_named_by_its_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="POSTERIOR_METRICS_KEY_FILE names a file that can't be read"):
        Settings.from_environment({"POSTERIOR_METRICS_KEY_FILE": str(tmp_path / "nowhere")})


@pytest.mark.parametrize("name", SECRETS)
def test_an_empty_file_of_a_secret_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "secret"
    file.write_text("\n")
    file.chmod(0o600)
    with pytest.raises(SettingsError, match=f"POSTERIOR_{name}_FILE names an empty file"):
        Settings.from_environment({f"POSTERIOR_{name}_FILE": str(file)})


def test_only_secrets_are_read_from_files() -> None:
    with pytest.raises(SettingsError, match="POSTERIOR_HOST_FILE is not a setting"):
        Settings.from_environment({"POSTERIOR_HOST_FILE": "x"})
