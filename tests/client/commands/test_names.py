"""Names are shown beside ids and accepted instead of them; --json prints the answer of the service unchanged."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.client.people import someone
from tests.harness.bodies import budget_body, registration
from tests.harness.server import run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.client.people import Person
    from tests.harness.server import Party, Server


@pytest.fixture
def party(server: Server) -> Party:
    return server.new("owner")


@pytest.fixture
def owner(server: Server, party: Party, tmp_path: Path) -> Person:
    """An owner of one data set, 'Trial', on a budget of 'People'."""
    budget = {"kind": "new", "budget": budget_body(name="People")}
    assert party.post("/v1/datasets", registration([3000, 2000], name="Trial", budget=budget)).status_code == 201
    return someone(tmp_path, server, party)


def test_grants_are_given_and_listed_by_name(owner: Person, party: Party, server: Server, tmp_path: Path) -> None:
    granted = server.new("analyst")
    name = next(each["name"] for each in party.api.analysts() if each["id"] == granted.principal_id)
    shown = owner.run("grants", "create", "trial", name.upper(), "--epsilon", "0.5").stdout
    assert "Trial (dat_" in shown
    assert f"{name} ({granted.principal_id})" in shown
    assert name in owner.run("grants", "list", "--dataset", "Trial").stdout
    [given] = owner.items("grants", "list", "--dataset", "Trial")
    days = (datetime.fromisoformat(given["expires_at"]) - datetime.now(UTC)).total_seconds() / 86_400
    assert 365 <= days < 366
    analyst = someone(tmp_path, server, granted)
    analyst.run("release", "Trial", "--epsilon", "0.1")
    assert "Trial (dat_" in analyst.run("releases", "--dataset", "Trial").stdout


def test_lists_show_names_beside_ids(owner: Person) -> None:
    assert "People (bud_" in owner.run("datasets", "list").stdout
    assert "People (bud_" in owner.run("datasets", "show", "Trial").stdout
    assert "Trial (dat_" in owner.run("ledger", "show", "People").stdout


def test_a_name_that_is_unknown_names_the_nearest(owner: Person) -> None:
    assert "there is no data set named 'Trail'; the nearest is 'Trial'" in owner.refused("datasets", "show", "Trail")
    assert "the nearest is 'People'" in owner.refused("budgets", "show", "peopel")
    assert "no analyst named 'Nobody'" in owner.refused("grants", "create", "Trial", "Nobody", "--epsilon", "0.1")


def test_the_question_before_counts_are_destroyed_names_them(owner: Person) -> None:
    shown = owner.in_terminal(
        "datasets", "delete", "Trial", say={"Destroy the counts of 'Trial' (5 000 records)?": "y"}
    )
    assert "The counts of 'Trial' (5 000 records) are destroyed." in shown


def test_json_is_the_answer_of_the_service_unchanged(owner: Person, party: Party) -> None:
    for arguments, path in (
        (("datasets", "list"), "/v1/datasets?limit=200"),
        (("budgets", "list"), "/v1/budgets?limit=200"),
    ):
        assert owner.run(*arguments, "--json").stdout == party.get(path).text + "\n"
    dataset = owner.items("datasets", "list")[0]["id"]
    assert owner.run("datasets", "show", "Trial", "--json").stdout == party.get(f"/v1/datasets/{dataset}").text + "\n"
    released = owner.run("release", "Trial", "--epsilon", "0.1", "--json").stdout
    release_id = owner.items("releases")[0]["id"]
    assert released == party.get(f"/v1/releases/{release_id}").text + "\n"


def test_the_nonce_goes_to_a_file_and_its_loss_is_explained(owner: Person, tmp_path: Path) -> None:
    counts, nonce = tmp_path / "counts.csv", tmp_path / "nonce"
    counts.write_text("label;count\nill;3\nwell;4\n")
    create = ("datasets", "create", "Other", "--unit", "one person", "--one-record-per-unit", "--n-is-public",
              "--counts", str(counts), "--budget", "People")  # fmt: skip
    assert "can't be written" in owner.refused(*create, "--nonce-file", str(tmp_path / "no" / "nonce"))
    done = owner.run(*create, "--nonce-file", str(nonce))
    assert nonce.read_text().strip() in done.stdout
    assert nonce.stat().st_mode & 0o777 == 0o600
    assert f"The nonce is in {nonce}. The commitment" in done.stderr
    assert "Without it nobody can prove that; releases and budget don't depend on it." in done.stderr


def test_check_shows_the_table_beside_what_is_public_and_needs_no_amount(owner: Person, tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text("\ufeffArm;outcome\nnew;ill\nold;well\nold;well\n", encoding="utf-8")
    create = ("datasets", "create", "Checked", "--unit", "one child", "--records", str(records), "--no-person",
              "--check")  # fmt: skip
    levels = ("--levels", "Arm=new,old", "--levels", "outcome=ill,well")
    shown = owner.run(*create, *levels).stdout
    assert "becomes public" in shown
    assert "your count, which stays secret" in shown
    assert [line.split()[-1] for line in shown.splitlines()[1:]] == ["1", "0", "0", "2", "3"]
    assert "--n-is-private" in owner.run(*create, *levels).stderr
    for option, is_public in (("--n-is-public", True), ("--n-is-private", False)):
        chosen = owner.run(*create, *levels, option)
        assert ("3 records" in chosen.stdout) is is_public
        assert "--n-is" not in chosen.stderr
    assert "did you mean 'Arm'?" in owner.refused(*create, "--levels", "arm=new,old")
    assert "write 0.5" in owner.refused(*create, *levels, "--epsilon", "0,5")
    assert owner.answer("budgets", "create", "Half", "--epsilon", ".5")["total"]["epsilon"] == "0.5"
    assert [each["name"] for each in owner.items("datasets", "list")] == ["Trial"]


def test_an_analyst_who_verifies_a_budget_gets_the_command_for_a_release(
    owner: Person, server: Server, tmp_path: Path
) -> None:
    analyst = someone(tmp_path, server, server.new("analyst"))
    (budget,) = owner.items("budgets", "list")
    for text in ("People", budget["id"]):
        assert "Only the owner of a budget can verify its ledger" in analyst.refused("verify", text)
        assert "verify-release" in analyst.refused("verify", text)
    assert "there is no budget named 'Peple'; the nearest is 'People'" in owner.refused("verify", "Peple")


def test_an_owner_made_without_a_name_is_called_by_the_role(server: Server) -> None:
    done = run("keys", "create", "--role", "owner", environment=server.environment)
    (principal,) = [each for each in server.admin.api.principals() if each["id"] in done.stderr]
    assert principal["name"] == "owner"
