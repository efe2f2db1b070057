"""The commands of owners and analysts as people run them: in a terminal, from raw records to a picture, interrupted
after payment, and with errors.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from private_posterior.commands.exits import Exit
from tests.client.people import Person, journal, someone
from tests.client.test_client import answering
from tests.harness.bodies import registration, unique
from tests.harness.deadlines import PATIENCE
from tests.harness.process import CLIENT, COMMAND
from tests.service.conftest import COUNTS, dataset_body, make_study

if TYPE_CHECKING:
    from tests.harness.server import Party, Server
    from tests.service.conftest import Study

RECORDS = ["new,ill", "new,well", "new,well", "old,ill", "old,well"]


def test_from_raw_records_to_a_picture_in_a_terminal(server: Server, tmp_path: Path) -> None:
    people, analyst_id = {}, ""
    for role in ("owner", "analyst"):
        made = server.admin.post("/v1/principals", {"role": role, "name": role}).json()
        people[role] = Person(tmp_path / role, server.url)
        shown = people[role].in_terminal("enrol", say={"Invitation": made["enrolment"]["token"]})
        assert made["enrolment"]["token"] not in shown
        assert made["id"] in shown
        kept = tmp_path / role / "credentials.json"
        assert kept.stat().st_mode & 0o777 == 0o600
        assert json.loads(kept.read_text())["key"] not in shown
        analyst_id = made["id"]
    owner, analyst = people["owner"], people["analyst"]
    records = tmp_path / "records.csv"
    records.write_text("arm,outcome\n" + "\n".join(RECORDS * 100) + "\n")
    shown = owner.in_terminal(
        "datasets", "create", "Trial", "--unit", "one child", "--one-record-per-unit", "--n-is-public",
        "--records", str(records), "--levels", "arm=new,old", "--levels", "outcome=ill,well",
        "--no-person", "--epsilon", "2", "--delta", "1e-6",
    )  # fmt: skip
    assert "500 records in 4 cells" in shown
    (dataset,) = set(re.findall("dat_[a-z2-7]{26}", shown))
    (budget,) = set(re.findall("bud_[a-z2-7]{26}", shown))
    owner.in_terminal("grants", "create", "Trial", analyst_id, "--epsilon", "1.5", "--delta", "1e-6")
    assert "simplex_geometric" in analyst.in_terminal("plan", "--counts", "100,400", "--epsilon", "0.5")
    picture, release = tmp_path / "picture.svg", tmp_path / "release.json"
    shown = analyst.in_terminal(
        "release", dataset, "--epsilon", "0.5", "--picture", str(picture), "--output", str(release)
    )
    assert "new · ill" in shown
    assert ET.parse(picture).getroot().tag.endswith("svg")  # noqa: S314  the service's own
    released = json.loads(release.read_text())
    shown = analyst.in_terminal("posterior", released["id"], "--above", "outcome=ill=0.1")
    assert "P(above 10 %) " in shown
    shown = analyst.in_terminal("query", dataset, "--count", "arm=new", "--half-width", "50")
    assert "arm=new" in shown
    narrow = ("query", dataset, "--count", "arm=new", "--half-width", "8", "--measure", "--max-charge", "0.0001")
    limited = analyst.run(*narrow, code=Exit.REFUSED).stderr
    assert re.search(
        r"\[max-charge-exceeded; not charged; it would charge epsilon 0\.[0-9]+(; half width .*)?\]", limited
    )
    measured = analyst.answer(
        "query", dataset, "--count", "arm=new", "--half-width", "15", "--measure", "--max-charge", "0.5"
    )
    assert measured["answers"][0]["interval"]["half_width"] <= 15
    assert float(measured["charged"]["epsilon"]) < 0.5
    shown = analyst.in_terminal(
        "query", dataset, "--count", "outcome=ill", "--half-width", "14", "--measure", "--max-charge", "0.5"
    )
    assert "charged" in shown
    assert journal(analyst) == []
    second = analyst.answer("release", dataset, "--epsilon", "0.125")
    assert second["id"] != released["id"]
    assert budget in owner.in_terminal("budgets", "list")
    assert owner.items("ledger", "show", budget)[-1]["subject_id"] == second["id"]
    assert "intact" in owner.run("verify", budget).stdout
    assert "one child" in owner.in_terminal("statement", dataset)


def test_a_command_that_runs_twice_at_once_is_charged_once_and_with_again_twice(
    study: Study, server: Server, tmp_path: Path
) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    command = [str(CLIENT), "release", study.dataset_id, "--epsilon", "0.125", "--json"]
    ids = []
    for each in (command, [*command, "--again"]):
        running = [subprocess.Popen(each, env=analyst.environment, stdout=subprocess.PIPE) for _ in range(2)]
        ids += [json.loads(process.communicate(timeout=PATIENCE)[0])["id"] for process in running]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    assert study.spent() == "0.375"
    assert journal(analyst) == []


def test_a_refused_release_leaves_nothing_to_go_on_with(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    told = analyst.run("release", study.dataset_id, "--epsilon", "5", code=Exit.REFUSED).stderr
    assert len([line for line in told.splitlines() if not line.startswith("waiting, ")]) == 1
    assert "grant-exhausted; not charged; at most epsilon 0.5, delta 0.000001 is left" in told
    assert journal(analyst) == []
    assert study.spent() == "0"


def test_a_registration_that_was_interrupted_makes_one_data_set(server: Server, tmp_path: Path) -> None:
    """The fingerprint of a request is keyed with the caller's key, so that the journal discloses no count."""
    party = server.new("owner")
    owner = someone(tmp_path, server, party)
    counts = tmp_path / "counts.csv"
    counts.write_text("label,count\nill,3\nwell,4\n")
    command = ["datasets", "create", "Once", "--unit", "one person", "--one-record-per-unit", "--n-is-public",
               "--counts", str(counts), "--epsilon", "1"]  # fmt: skip
    first = owner.answer(*command)
    told = owner.run(*command, code=Exit.REFUSED)
    assert "name-taken" in told.stderr
    assert [each["id"] for each in owner.items("datasets", "list")] == [first["id"]]
    assert first["nonce"]


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        ("arm,outcome\nnew,dead\n", ["--no-person"], "records without a cell: 1 (outcome: not a level)"),
        ("arm,outcome\nnew,\n", ["--no-person"], "records without a cell: 1 (outcome: no value)"),
        ("arm,outcome\nnew,ill\xe9\n", ["--no-person"], "can't be read by DuckDB"),
        ("arm,outcome\nnew,ill\n", [], "name the column of the unit with --person, or affirm --no-person"),
        ("arm,outcome\nnew,ill\nnew,well\n", ["--person", "arm"], "the column 'arm' names people"),
    ],
)
def test_a_file_that_is_wrong_registers_nothing(
    server: Server, tmp_path: Path, content: str, arguments: list[str], words: str
) -> None:
    owner = someone(tmp_path, server, server.new("owner"))
    records = tmp_path / "records.csv"
    records.write_bytes(content.encode("latin-1"))
    told = owner.run(
        "datasets", "create", "Trial", "--unit", "one child", "--one-record-per-unit", "--n-is-public",
        "--records", str(records), "--levels", "arm=new,old", "--levels", "outcome=ill,well", "--epsilon", "2",
        *arguments, code=Exit.UNUSABLE,
    )  # fmt: skip
    assert words in told.stderr
    assert told.stderr.count("\n") == 1
    assert owner.items("datasets", "list") == []
    assert owner.items("budgets", "list") == []


def test_levels_found_in_data_are_never_taken(server: Server, tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text("outcome\nill\n")
    told = someone(tmp_path, server, server.new("owner")).run(
        "datasets", "create", "Trial", "--unit", "one child", "--one-record-per-unit", "--n-is-public",
        "--records", str(records), "--no-person", "--epsilon", "2", code=Exit.UNUSABLE,
    )  # fmt: skip
    assert "labels that are found in data are not public" in told.stderr


def test_a_wrong_key_a_wrong_version_and_nobody_are_a_sentence_and_a_code_each(
    study: Study, server: Server, tmp_path: Path
) -> None:
    release = ("release", study.dataset_id, "--epsilon", "0.1")
    analyst = someone(tmp_path, server, study.analyst)
    cases = [
        (Person(analyst.home, server.url, "pp_" + "x" * 43), Exit.KEY_REFUSED, "the service does not take this key")
    ]
    cases.append((Person(analyst.home, "http://127.0.0.1:9", analyst.key), Exit.NO_SERVICE, "nothing answers at"))
    cases.append((Person(analyst.home, "http://example.org", analyst.key), Exit.UNUSABLE, "must begin with https://"))
    other = b'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"version": "9.9.9"}'
    with answering(other) as url:
        cases.append((Person(analyst.home, url, analyst.key), Exit.NO_SERVICE, "the service is version 9.9.9"))
        for person, code, words in cases:
            told = person.run(*release, code=code).stderr
            assert words in told
            assert told.count("\n") == 1
            assert person.key not in told
            assert journal(person) == []
    assert study.spent() == "0"


def test_an_invalid_request_is_explained_and_not_resumed(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    query = ("query", study.dataset_id, "--count", "case", "--half-width", "nan", "--measure")
    told = analyst.run(*query, code=Exit.UNUSABLE).stderr
    assert told == "posterior: every number in a request must be finite; nothing was sent\n"
    assert journal(analyst) == []
    assert "give --count or --weights" in analyst.run("query", study.dataset_id, "--measure", code=Exit.UNUSABLE).stderr


def test_max_charge_is_in_the_unit_of_the_accountant(server: Server, tmp_path: Path) -> None:
    budget = {"accountant": "zcdp", "name": "many looks", "epsilon": "2", "delta": "1e-6"}
    owner = server.new("owner")
    body = registration((30, 40), budget={"kind": "new", "budget": budget})
    dataset_id = owner.post("/v1/datasets", body).json()["id"]
    query = ("query", dataset_id, "--count", "category 0", "--half-width", "9", "--measure")
    person = someone(tmp_path, server, owner)
    told = person.run(*query, "--max-charge", "0.0001", code=Exit.REFUSED).stderr
    assert "[max-charge-exceeded; not charged; it would charge rho 0." in told
    assert float(person.answer(*query, "--max-charge", "1")["charged"]["rho"]) < 1
    release = ("release", dataset_id, "--epsilon", "0.2")
    told = person.run(*release, "--max-charge", "0.01", code=Exit.REFUSED).stderr
    assert "[max-charge-exceeded; not charged" in told
    assert float(person.answer(*release, "--max-charge", "0.03")["charged"]["rho"]) == pytest.approx(0.02, rel=0.1)


def test_a_key_that_others_can_read_is_not_used(server: Server, tmp_path: Path) -> None:
    person = Person(tmp_path / "home", server.url)
    person.home.mkdir()
    kept = person.home / "credentials.json"
    kept.write_text(json.dumps({"server": server.url, "key": server.admin.key}))
    kept.chmod(0o644)
    assert "must be yours alone: chmod 600" in person.run("budgets", "list", code=Exit.UNUSABLE).stderr
    kept.chmod(0o600)
    person.run("budgets", "list")


def test_a_variable_that_is_not_read_is_named(standing: Study, server: Server, tmp_path: Path) -> None:
    person = someone(tmp_path, server, standing.owner)
    person.variables = {
        "PRIVATE_POSTERIOR_URL": server.url,
        "POSTERIOR_KEY": "pk_secret",
        "POSTERIOR_DATABASE_URL": "sqlite:///of/the/service",
        "PRIVATE_POSTERIOR_SERVICE_HOST": "10.0.0.1",
        "PRIVATE_POSTERIOR_PORT_8000_TCP": "tcp://10.0.0.1:8000",
    }
    named = [line.split()[3] for line in person.run("budgets", "list").stderr.splitlines() if "is not read" in line]
    assert named == ["POSTERIOR_KEY", "PRIVATE_POSTERIOR_URL"]


def test_a_ledger_that_was_rewritten_is_found_by_the_head_kept_from_before(
    study: Study, server: Server, tmp_path: Path
) -> None:
    owner = someone(tmp_path, server, study.owner)
    owner.run("verify", study.budget_id)
    owner.answer("release", study.dataset_id, "--epsilon", "0.1")
    assert "intact, 4 entries" in owner.run("verify", study.budget_id).stdout
    kept = owner.home / "heads" / f"{study.budget_id}.json"
    head = json.loads(kept.read_text())
    kept.write_text(json.dumps(head | {"signature": head["signature"][::-1]}))
    assert "its signature is not valid" in owner.run("verify", study.budget_id, code=Exit.BAD_ANSWER).stderr


def test_a_release_is_verified_with_the_key_in_a_file(study: Study, server: Server, tmp_path: Path) -> None:
    analyst, release = someone(tmp_path, server, study.analyst), tmp_path / "release.json"
    made = analyst.answer("release", study.dataset_id, "--epsilon", "0.1")
    study.owner.api.publish_release(made["id"], public=True)
    release.write_bytes(server.http.get(f"/v1/public/releases/{made['id']}").content)
    key = tmp_path / "key.json"
    key.write_bytes(server.http.get("/v1/public-key").content)
    genuine = f"public release {made['id']}: genuine: all bytes are those that the service signed\n"
    assert analyst.run("verify-release", str(release), "--public-key", str(key)).stdout == genuine
    assert Person(tmp_path / "reader", server.url).run("verify-release", str(release)).stdout == genuine
    release.write_text(release.read_text().replace("noisy", "exact"))
    said = analyst.run("verify-release", str(release), "--public-key", str(key), code=Exit.BAD_ANSWER).stderr
    assert "not the one that was signed" in said


def test_a_dry_run_shows_the_expected_accuracy(study: Study, server: Server, tmp_path: Path) -> None:
    owner, few = someone(tmp_path, server, study.owner), [11, 29]
    poor = study.owner.post("/v1/datasets", registration(few)).json()["id"]
    said = [
        " ".join(owner.run("release", dataset_id, "--epsilon", "0.1", "--dry-run").stdout.split())
        for dataset_id in (study.dataset_id, poor)
    ]
    assert "accuracy Expected 95 % interval at made-up counts, beside that of exact counts. " in said[0]
    assert "accuracy At made-up even counts of this size such a release gives almost no information: " in said[1]


def test_a_grant_without_delta_is_planned_without_gaussian_noise_and_a_dry_run_says_what_is_lacking(
    owner: Party, analyst: Party, server: Server, tmp_path: Path
) -> None:
    dataset_id = owner.post("/v1/datasets", dataset_body()).json()["id"]
    grant = {"principal_id": analyst.principal_id, "epsilon": "0.25", "delta": "0"}
    assert owner.post(f"/v1/datasets/{dataset_id}/grants", grant).status_code == 201
    person = someone(tmp_path, server, analyst)
    dry = ("release", dataset_id, "--epsilon", "0.1", "--mechanism", "gaussian", "--delta", "1e-6", "--dry-run")
    assert re.search(r"granted +no: grant-exhausted \(delta 0\.000001 of 0 left\)", person.run(*dry).stdout)
    assert "at most epsilon 0.25, delta 0 is left" in person.refused(*dry[:-1], code=Exit.REFUSED)
    much = ("release", dataset_id, "--epsilon", "0.5", "--dry-run")
    assert re.search(r"granted +no: grant-exhausted \(epsilon 0\.5 of 0\.25 left\)", person.run(*much).stdout)
    planned = person.run("plan", "--dataset", dataset_id)
    assert not re.search(r"^epsilon \S+ +gaussian", planned.stdout, re.MULTILINE)
    assert "for delta 0, because no more is left for you" in " ".join(planned.stderr.split())
    wished = person.run("plan", "--dataset", dataset_id, "--delta", "1e-6").stdout
    assert re.search(r"^epsilon 0\.5 +gaussian +epsilon 0\.5, delta 0\.000001", wished, re.MULTILINE)


@pytest.mark.long
def test_a_plan_says_that_exact_counts_would_miss_the_wanted_width(
    study: Study, server: Server, tmp_path: Path
) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    made_up = ("plan", "--counts", "10,500,490", "--target-width")
    assert "No mechanism reaches a width of 0.05: exact counts" in analyst.run(*made_up, "0.05").stderr
    assert "No mechanism reaches" not in analyst.run(*made_up, "0.2").stderr


@pytest.mark.long
def test_a_plan_shows_the_width_of_the_largest_category_in_any_order(
    study: Study, server: Server, tmp_path: Path
) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    first, second = (
        re.findall(r"simplex_geometric +epsilon 0\.5 +(\S+)", analyst.run("plan", "--counts", counts).stdout)
        for counts in ("10,990", "990,10")
    )
    assert first == second != []


def test_the_other_commands_answer(study: Study, server: Server, tmp_path: Path) -> None:
    owner, analyst = (someone(tmp_path, server, party) for party in (study.owner, study.analyst))
    made = analyst.answer("release", study.dataset_id, "--mechanism", "gaussian", "--rho", "0.001", "--delta", "1e-7")
    other = analyst.answer("release", study.dataset_id, "--epsilon", "0.1")
    assert analyst.answer("posterior", other["id"], "--prior", "jeffreys")["prior"] == [0.5, 0.5]
    assert {each["id"] for each in analyst.items("releases")} == {made["id"], other["id"]}
    assert "granted         yes" in analyst.run("release", study.dataset_id, "--epsilon", "0.1", "--dry-run").stdout
    assert analyst.answer("posterior", made["id"], other["id"], "--prior", "1")["release_ids"] == [
        made["id"],
        other["id"],
    ]
    compared = analyst.answer(
        "compare", made["id"], other["id"], "--where", "case", "--than", "none", "--contrast", "ratio"
    )
    assert 0 <= compared["probability"] <= 1
    budget = owner.answer("budgets", "create", "Another", "--epsilon", "1", "--accountant", "zcdp", "--delta", "1e-6")
    assert owner.answer("budgets", "freeze", budget["id"])["frozen"] is True
    assert owner.answer("budgets", "unfreeze", budget["id"])["frozen"] is False
    assert owner.answer("budgets", "change", budget["id"], "--epsilon", "0.5", "--name", "Renamed")["name"] == "Renamed"
    allowing = owner.answer("budgets", "change", budget["id"], "--allow", "simplex_geometric", "--allow", "linear")
    assert allowing["allowed_mechanisms"] == ["linear", "simplex_geometric"]
    assert owner.answer("grants", "change", study.grant_id, "--epsilon", "0.9")["cap"]["epsilon"] == "0.9"
    assert owner.answer("grants", "close", study.grant_id)["closed"] is True
    assert "closed" in owner.run("grants", "list", "--dataset", study.dataset_id).stdout
    assert owner.answer("grants", "reopen", study.grant_id)["closed"] is False
    assert owner.answer("datasets", "allowance", study.dataset_id)["can_release"] is True
    export = tmp_path / "ledger.csv"
    owner.run("ledger", "export", study.budget_id, str(export), "--format", "csv")
    assert "intact" in owner.run("ledger", "verify", str(export), program=(COMMAND,)).stdout
    owner.run("datasets", "delete", study.dataset_id, "--yes")
    assert owner.items("datasets", "list") == []


def test_an_analyst_asks_for_a_listed_data_set_and_its_owner_decides(
    owner: Party, analyst: Party, server: Server, tmp_path: Path
) -> None:
    name = unique("Trial")
    dataset_id = owner.post("/v1/datasets", dataset_body(name=name)).json()["id"]
    holder, asker = (someone(tmp_path, server, party) for party in (owner, analyst))
    assert holder.answer("datasets", "change", name, "--listed")["listed"] is True
    assert holder.answer("datasets", "change", name, "--share-history")["history_shared"] is True
    assert holder.answer("datasets", "change", name, "--separate-histories")["history_shared"] is False
    assert dataset_id in [each["id"] for each in asker.items("datasets", "listed")]
    assert name in asker.run("datasets", "listed").stdout
    for named in (name, dataset_id):
        assert re.search(
            r"^epsilon 0.5 +gaussian +epsilon 0.5, delta 0.000001",
            asker.run("plan", "--dataset", named).stdout,
            re.MULTILINE,
        )
    assert "there is no data set named 'nowhere'" in asker.refused("plan", "--dataset", "nowhere")
    assert "there is no data set named 'nowhere'" in holder.refused("plan", "--dataset", "nowhere")
    ask = ("access", "request", name, "--epsilon", "0.25", "--purpose", "to compare")
    made = asker.answer(*ask)
    assert (made["dataset_id"], made["state"]) == (dataset_id, "open")
    assert "withdraw it" in asker.refused(*ask[:-1], "another", code=Exit.REFUSED)
    assert made["id"] in holder.run("access", "requests", "--state", "open").stdout
    assert holder.answer("access", "decline", made["id"], "--reason", "not yet")["state"] == "declined"
    assert "not yet" in asker.run("access", "requests").stdout
    withdrawn = asker.answer(*ask[:-1], "a second try")
    assert asker.answer("access", "withdraw", withdrawn["id"])["state"] == "withdrawn"
    third = asker.answer(*ask[:-1], "a third try")
    approved = holder.answer("access", "approve", third["id"], "--epsilon", "0.125")
    assert asker.items("grants", "list")[0]["cap"]["epsilon"] == "0.125"
    again = holder.run("access", "approve", third["id"])
    assert approved["grant_id"] in again.stdout
    assert "was approved before" in again.stderr
    assert holder.answer("datasets", "change", name, "--unlisted")["listed"] is False
    assert "no listed data set" in asker.refused("access", "request", name, "--epsilon", "1", "--purpose", "more")


def test_a_data_set_with_many_labels_is_planned_by_its_owner_and_by_who_may_only_see_that_it_is_listed(
    owner: Party, analyst: Party, server: Server, tmp_path: Path
) -> None:
    """Lists leave long labels out."""
    name, labels = unique("Large"), [f"category {number}" for number in range(300)]
    body = dataset_body(labels=labels, counts=list(range(1, 301)), name=name)
    dataset_id = owner.post("/v1/datasets", body).json()["id"]
    holder, asker = (someone(tmp_path, server, party) for party in (owner, analyst))
    holder.answer("datasets", "change", name, "--listed")
    for person, named in ((holder, dataset_id), (asker, name)):
        shown = person.run("plan", "--dataset", named, "--where", "category 299").stdout
        assert re.search(r"^epsilon 0\.5 +simplex_geometric +epsilon 0\.5 +0\.0\d+ ", shown, re.MULTILINE)


def test_a_plan_for_a_private_number_of_records_takes_a_guess_and_a_posterior_says_how_many(
    owner: Party, analyst: Party, server: Server, tmp_path: Path
) -> None:
    study = make_study(owner, analyst, counts=[300, 500], labels=["ill", "well"], n_is_public=False)
    person = someone(tmp_path, server, analyst)
    plan = ("plan", "--dataset", study.dataset_id)
    assert "guess it with --records, or give --counts" in person.refused(*plan)
    for guess in (("--records", "900"), ("--counts", "400,500")):
        shown = person.run(*plan, *guess)
        assert re.search(r"^epsilon 0\.5 +geometric +epsilon 0\.5 +0\.0\d+ ", shown.stdout, re.MULTILINE)
        assert re.search(
            r"^epsilon 0\.5 +simplex_geometric, n public +epsilon 0\.5 +0\.0\d+ ", shown.stdout, re.MULTILINE
        )
        assert "whether a unit is in the table at all" in shown.stderr
    assert "n public" in person.run("plan", "--counts", "400,500", "--n-is-private").stdout
    several = " ".join(person.run("plan", "--counts", "40,960,60,940", "--n-is-private").stderr.split())
    assert "Figures in rows are of the largest category, from 400 simulated releases" in several
    assert "n public" not in person.run("plan", "--counts", "400,500").stdout
    priced = person.run("release", study.dataset_id, "--mechanism", "geometric", "--epsilon", "1", "--dry-run").stdout
    assert re.search(r"accuracy +`posterior plan` shows it at your guess", priced)
    made = analyst.release(study.dataset_id, prior=[1, 1], mechanism={"kind": "geometric", "epsilon": "0.5"}).json()
    said = person.run("posterior", made["id"], "--where", "ill").stdout
    assert re.search(r"records in all +[78]\d\d\.\d +[78]\d\d +[78]\d\d$", said, re.MULTILINE)


def test_a_private_number_of_records_is_a_count_like_any_other(server: Server, tmp_path: Path) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), n_is_public=False)
    analyst, answers = someone(tmp_path, server, study.analyst), tmp_path / "answers.json"
    everybody = ("query", study.dataset_id, "--count", "case,none")
    assert "none" in analyst.in_terminal(*everybody, "--half-width", "20")
    measured = analyst.answer(*everybody, "--half-width", "20", "--measure", "--max-charge", "0.5")
    answers.write_text(json.dumps(measured))
    assert abs(measured["answers"][0]["estimate"] - sum(COUNTS)) < 200
    assert "case,none" in analyst.in_terminal(*everybody)
    owner = someone(tmp_path, server, study.owner)
    assert "intact" in owner.run("verify", study.budget_id, str(answers)).stdout
