"""The statement about a data set agrees with the ledger, is for the owner only, and stays available after the counts
are deleted.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest

from tests.harness.bodies import budget_body, registration
from tests.harness.server import Party, Server
from tests.service.conftest import COUNTS, Study, dataset_body
from tests.service.console.conftest import browser_of


def statement(study: Study, **query: Any) -> dict[str, Any]:
    response = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement", **query)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def test_a_statement_adds_up_to_the_ledger(study: Study) -> None:
    assert statement(study)["counts_replaceable"]
    for party, epsilon in ((study.owner, "0.1"), (study.analyst, "0.2"), (study.analyst, "0.05")):
        assert (
            party.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": epsilon}).status_code
            == 201
        )
    said = statement(study)
    assert not said["counts_replaceable"]
    assert said["guarantee_limit"] == {"epsilon": "1", "delta": "0.000001"}
    assert said["guarantee_to_date"] == {"epsilon": "0.35", "delta": "0"}
    assert said["charged_to_dataset"]["epsilon"] == said["budget_spent"]["epsilon"] == "0.35"
    assert said["budget_remaining"]["epsilon"] == "0.65"
    assert {each["principal_id"]: (each["releases"], each["charged"]["epsilon"]) for each in said["spenders"]} == {
        study.owner.principal_id: (1, "0.1"),
        study.analyst.principal_id: (2, "0.25"),
    }
    assert [each["charged"]["epsilon"] for each in said["releases"]["items"]] == ["0.1", "0.2", "0.05"]
    assert all("differentially private" in each["certificate"] for each in said["releases"]["items"])
    budget = study.budget()
    assert (said["ledger_sequence"], said["ledger_hash"]) == (budget["sequence"], budget["head_hash"])


def test_its_words_name_unit_relation_and_guarantee(study: Study) -> None:
    study.owner.release(study.dataset_id)
    text = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement.txt").text
    for words in (
        "one child",
        "one record is in another category",
        "at most 2.72 times",
        "plus at most 0.000001",
        "there was one release",
        "Each set of answers to queries counts as a release here.",
    ):
        assert words in text
    assert "at most 1.11 times.\nIn symbols: epsilon 0.1, delta 0." in text
    assert "thought to be 3 % could be thought to have one of at most 7.8 %" in text
    assert not any(str(count) in text for count in COUNTS)


def test_it_names_the_owner_the_categories_and_everybody_who_may_ask(study: Study, server: Server) -> None:
    stranger = server.new("analyst")
    assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True}).status_code == 200
    asked = stranger.post(
        f"/v1/datasets/{study.dataset_id}/access-requests",
        {"epsilon": "0.4", "delta": "0", "purpose": "the report of 1955"},
    ).json()
    declined = {"state": "declined", "reason": "ask again in May"}
    assert stranger.get("/v1/listed-datasets").status_code == 200
    assert study.owner.patch(f"/v1/access-requests/{asked['id']}", declined).status_code == 200
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    text = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement.txt").text
    owner_name = study.owner.get("/v1/me").json()["principal"]["name"]
    for words in (
        f"“{owner_name}” ({study.owner.principal_id}) registered the data set",
        "in 2 categories: “case”, “none”.",
        f"({study.analyst.principal_id}) may spend at most epsilon",
        "and has spent epsilon 0; given on",
        "The data set is listed",
        f"({stranger.principal_id}) asked for epsilon 0.4 for “the report of 1955”: declined on",
        "because “ask again in May”",
        "All releases were stopped on",
        "The operator of the service holds the decryption key",
    ):
        assert words in text


def test_a_data_set_without_releases_says_so(study: Study) -> None:
    assert "nothing was released from this data set. Nothing of the budget is spent." in statement(study)["summary"][2]


def test_a_shared_budget_counts_the_other_data_sets(study: Study) -> None:
    other = study.owner.post("/v1/datasets", dataset_body(budget={"kind": "existing", "id": study.budget_id})).json()
    assert study.owner.release(other["id"]).status_code == 201
    said = statement(study)
    assert (
        f"Other data sets about the same people draw on the budget “{study.budget()['name']}” too: “{other['name']}”"
        in (said["summary"][2])
    )
    assert said["datasets_on_budget"] == 2
    assert (said["charged_to_dataset"]["epsilon"], said["budget_spent"]["epsilon"]) == ("0", "0.1")


def test_a_deleted_data_set_of_the_budget_is_named_as_deleted(study: Study) -> None:
    other = study.owner.post("/v1/datasets", dataset_body(budget={"kind": "existing", "id": study.budget_id})).json()
    assert study.owner.delete(f"/v1/datasets/{other['id']}").status_code == 204
    said = statement(study)["summary"][2]
    assert f"No other data set draws on the budget “{study.budget()['name']}” now." in said
    assert f"“{other['name']}” (deleted on " in said


def test_it_says_from_what_to_what_the_total_was_changed_and_when(study: Study) -> None:
    address = f"/v1/budgets/{study.budget_id}"
    for change in ({"epsilon": "500"}, {"epsilon": "2"}, {"frozen": True}):
        assert study.owner.patch(address, change).status_code == 200
    times = [
        f"{instant.day} {instant:%B %Y, %H:%M} UTC"
        for instant in (datetime.fromisoformat(each["created_at"]) for each in study.ledger())
    ]
    totals = [f"epsilon {epsilon} and delta 0.000001" for epsilon in (1, 500, 2)]
    said = statement(study)["summary"]
    [decisions] = [each for each in said if each.startswith("Decisions")]
    assert decisions.splitlines()[1:] == [
        f"– {times[0]}: the budget was opened with a total of {totals[0]}.",
        f"– {times[1]}: the data set was registered.",
        f"– {times[3]}: the total of the budget was changed from {totals[0]} to {totals[1]}.",
        f"– {times[4]}: the total of the budget was changed from {totals[1]} to {totals[2]}.",
        f"– {times[5]}: all releases from the budget were stopped.",
    ]


def test_the_text_has_a_heading_and_every_release(study: Study) -> None:
    study.analyst.release(study.dataset_id)
    text = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement.txt").text
    said = statement(study)
    assert text.startswith(
        f"Statement of the data set “{said['dataset']['name']}”\nOwner: “{said['dataset']['owner_name']}”"
    )
    assert all(paragraph in text for paragraph in said["summary"])
    [release] = said["releases"]["items"]
    assert f"simplex geometric, charged epsilon 0.1. {release['certificate']}" in text
    assert f"({study.analyst.principal_id}): 1 release, charged epsilon 0.1." in text
    assert "Z" not in text.partition("\n\n")[0].rpartition("\n")[2], "times are readable"


def test_releases_come_in_pages(study: Study) -> None:
    for _ in range(3):
        study.owner.release(study.dataset_id)
    first = statement(study, limit=2)["releases"]
    second = statement(study, limit=2, cursor=first["next_cursor"])["releases"]
    assert [len(first["items"]), len(second["items"]), second["next_cursor"]] == [2, 1, None]


def test_it_outlives_the_counts(study: Study) -> None:
    study.owner.release(study.dataset_id)
    assert study.owner.delete(f"/v1/datasets/{study.dataset_id}").status_code == 204
    said = statement(study)
    assert said["deleted_at"] is not None
    assert said["charged_to_dataset"]["epsilon"] == "0.1"
    assert study.owner.get("/v1/datasets").json()["items"] == study.analyst.get("/v1/datasets").json()["items"] == []
    deleted = [each["id"] for each in study.owner.get("/v1/datasets", deleted="true").json()["items"]]
    assert deleted == [study.dataset_id]
    assert study.analyst.get("/v1/datasets", deleted="true").json()["items"] == []
    assert "They were destroyed on" in said["summary"][0]
    text = "\n".join(said["summary"])
    for words in ("decided who has access", "could spend at most", "Until they were destroyed, the counts were stored"):
        assert words in text
    for words in ("only the owner can release", "The counts are stored", "is not listed"):
        assert words not in text


@pytest.mark.parametrize("path", ["statement", "statement.txt"])
def test_it_is_the_owners_alone(study: Study, owner: Party, path: str) -> None:
    address = f"/v1/datasets/{study.dataset_id}/{path}"
    for stranger in (study.analyst, study.owner.server.new("owner"), study.owner.server.admin):
        assert stranger.get(address).status_code == 404


def test_a_statement_stands_at_any_budget(owner: Party, analyst: Party) -> None:
    """Seen before: 500 from epsilon = 710 on, where the factor exceeds the largest float."""
    body = dataset_body()
    body["budget"]["budget"] |= {"epsilon": "1000"}
    dataset = owner.post("/v1/datasets", body).json()
    answer = owner.get(f"/v1/datasets/{dataset['id']}/statement")
    assert answer.status_code == 200
    assert "at most 1.98\u00a0×\u00a010⁴³⁴ times" in " ".join(answer.json()["summary"])


@pytest.mark.parametrize("end", ["”", "’’", "″", "＂", "〞"])
def test_text_from_the_owner_cannot_imitate_the_statement(owner: Party, end: str) -> None:
    forged = f"one child. {end} Nothing was ever released from it. “"
    dataset = owner.post("/v1/datasets", dataset_body(unit=forged, name=f"x{end} {forged}")).json()
    text = owner.get(f"/v1/datasets/{dataset['id']}/statement.txt").text
    assert "“one child. ' Nothing was ever released from it. '”" in text
    assert (
        text.count("“") == text.count("”") == 8
    )  # name and owner in the heading; name, unit, budget, owner and two labels


def test_a_fact_about_a_person_counts_twice_if_being_in_the_table_is_private(owner: Party) -> None:
    def odds(**changes: Any) -> Any:
        budget = {"kind": "new", "budget": budget_body(epsilon="1", delta="1e-6")}
        made = owner.post("/v1/datasets", registration([3, 4], budget=budget, **changes)).json()
        page = browser_of(owner).get(f"/console/data/{made['id']}").text
        text = owner.get(f"/v1/datasets/{made['id']}/statement.txt").text
        found = re.findall(
            r"such as an illness, at most ([0-9.]+) times, except with a probability of (\S+?)\.\s", text
        )
        assert f"such as an illness, at most {found[0][0]} times" in page
        presence = re.findall(
            r"that the last person is in it at most ([0-9.]+) times, except with a probability of 0.000001\.", text
        )
        assert presence == (["2.72"] * len(found) if changes else []), "the statement says so where it states odds"
        assert ("their odds that the last person is in it at most 2.72 times" in page) is bool(changes)
        assert ("Whether a person is in the table is not protected" in text) is not bool(changes)
        return found[0]

    assert odds() == ("2.72", "0.000001")
    # A changed record is one removed and one added: e^2 times, but for δ(1 + e).
    assert odds(n_is_public=False) == ("7.39", "0.00000372")
