"""A charged request that is repeated is free, however it is written. Fresh noise is bought only if it is asked for."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

import numpy as np
import pytest
from sqlalchemy import create_engine, text

from private_posterior import Client, LimitMissing, NotSendable, ProblemError, request_key
from private_posterior.commands.exits import Exit
from private_posterior.commands.journal import once
from private_posterior.payload import plain
from service.drawing.processes import DrawProcesses
from service.schemas.model import PaidBody
from tests.client.people import Person, journal, someone
from tests.harness.bodies import registration
from tests.harness.guards import without_guards
from tests.service.conftest import make_study
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from private_posterior.models import CountsCreate, QueryCreate
    from tests.harness.server import Server
    from tests.service.conftest import Study

VECTORS = Path(__file__).parent.parent / "vectors"
RELEASE: CountsCreate = {
    "kind": "counts",
    "prior": [1, 1],
    "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"},
}


def written(**changes: Any) -> CountsCreate:
    return cast("CountsCreate", {**RELEASE, **changes})


def geometric(epsilon: Any) -> dict[str, Any]:
    return {"kind": "simplex_geometric", "epsilon": epsilon}


def released(study: Study) -> list[str]:
    return [each["subject_id"] for each in study.ledger() if each["kind"] == "release_charged"]


def lose_failed(server: Server, dataset_id: str) -> None:
    """Mark the failed releases as lost, as a restore from a backup without them does."""
    engine = create_engine(server.owner_database_url)
    with engine.begin() as connection, without_guards(connection, "releases"):
        lost = "UPDATE releases SET state = 'lost' WHERE state = 'failed' AND dataset_id = :id"
        connection.execute(text(lost), {"id": dataset_id})
    engine.dispose()


def test_the_key_of_a_request_is_that_of_the_vectors() -> None:
    for group in json.loads((VECTORS / "request_keys.json").read_text(encoding="utf-8")):
        for request in group["requests"]:
            for sent in (request, {**request, "kind": "counts", "once": True}):
                assert request_key(group["kind"], group["dataset_id"], sent) == group["key"]


def test_the_key_of_a_request_does_not_depend_on_how_python_holds_it() -> None:
    keys = {
        request_key("release", "dat_a", {"prior": prior, "mechanism": geometric(epsilon)})
        for prior in ([1, 2], (1.0, 2.0), np.array([1, 2]), np.array([1.0, 2.0]), [np.int64(1), np.float32(2)])
        for epsilon in ("0.5", "0.50", 0.5, np.float64(0.5), Decimal("0.500"), np.array("0.5"))
    }
    assert len(keys) == 1
    assert keys != {request_key("release", "dat_a", {"prior": [2, 1], "mechanism": geometric("0.5")})}
    assert keys != {request_key("release", "dat_a", {"prior": [1, 2], "mechanism": geometric("0.6")})}
    assert keys != {request_key("release", "dat_b", {"prior": [1, 2], "mechanism": geometric("0.5")})}


def test_a_value_that_json_does_not_have_is_not_sent() -> None:
    for value in (float("nan"), 10**5000, {1, 2}, np.datetime64("2026-01-01"), 1j):
        with pytest.raises(NotSendable, match="nothing was sent"):
            plain({"prior": [value]})


def test_an_amount_of_any_length_makes_a_key() -> None:
    for amount in ("9" * 100_000, "1e999999999", "1e-99", 10**300, "0." + "3" * 40):
        assert request_key("release", "dat_a", {"mechanism": geometric(amount)}).startswith("request-")


def test_a_release_that_is_asked_for_again_is_free_however_it_is_written(study: Study, server: Server) -> None:
    with Client.open(server.url, study.analyst.key) as client:
        first = client.create_release(study.dataset_id, RELEASE)
        again = [
            client.create_release(study.dataset_id, body)
            for body in (
                RELEASE,
                written(mechanism=geometric("0.10"), prior=np.ones(2)),
                written(mechanism=geometric(np.float64(0.1)), prior=(1.0, 1)),
                written(level=0.9),
                written(max_charge={"epsilon": "0.3"}),
            )
        ]
    assert [each["id"] for each in again] == [first["id"]] * 5
    assert [getattr(each, "replayed", None) for each in (first, *again)] == [False, *[True] * 5]
    assert study.spent() == "0.1"


def test_fresh_noise_is_bought_only_if_it_is_asked_for(study: Study, server: Server) -> None:
    with Client.open(server.url, study.analyst.key) as client:
        ids = {client.create_release(study.dataset_id, RELEASE, again=True)["id"] for _ in range(2)}
        ids |= {client.create_release(study.dataset_id, RELEASE)["id"] for _ in range(2)}
        ids |= {client.create_release(study.dataset_id, RELEASE, "a-name")["id"] for _ in range(2)}
        with pytest.raises(NotSendable, match="again=True makes a key of its own"):
            client.create_release(study.dataset_id, RELEASE, "a-name", again=True)
    assert len(ids) == 3, "the request without again=True finds the first that was bought"
    assert study.spent() == "0.3"


def test_a_release_that_the_console_paid_for_is_free_in_python_and_on_the_command_line(
    study: Study, server: Server
) -> None:
    body = {"prior": [1.0, 1.0], "mechanism": geometric("0.10"), "max_charge": {"epsilon": "0.1"}}
    for key in ("of-a-page", "of-another-page"):
        made = study.analyst.release(study.dataset_id, body, key=key)
        assert made.status_code == 201
    first = study.analyst.get(f"/v1/releases?dataset_id={study.dataset_id}").json()["items"][0]["id"]
    with Client.open(server.url, study.analyst.key) as client:
        found = client.create_release(study.dataset_id, RELEASE)
        assert (found["id"], cast("Any", found).replayed) == (first, True)
        assert study.spent() == "0.2"
        other = client.create_release(study.dataset_id, written(prior=[1, 2]))
        assert cast("Any", other).text == cast("Any", found).text, "its prior is the one that was paid for"
    assert study.spent() == "0.2"


def test_a_changed_prior_is_free_unless_the_noise_depends_on_it(server: Server) -> None:
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", cross_table("basic")).json()
    exponential = {"kind": "exponential_global", "epsilon": "0.2"}
    mechanisms = [(geometric("0.1"), True), ({"kind": "laplace", "epsilon": "0.1"}, True), (exponential, False)]
    with Client.open(server.url, owner.key) as client:
        for mechanism, free in mechanisms:
            first: Any = client.create_release(dataset["id"], written(mechanism=mechanism, prior=[1] * 4))
            changed = written(mechanism=mechanism, prior=[2] * 4, level=0.9)
            other: Any = client.create_release(dataset["id"], changed)
            assert (other.text == first.text, other.replayed) == (free, free)
        assert len(list(client.releases(dataset["id"]))) == 4


def test_figures_of_a_paid_release_are_at_the_wanted_prior(server: Server, tmp_path: Path) -> None:
    """The paid text stays, with its own prior."""
    study = make_study(server.new("owner"), server.new("analyst"), counts=[30, 70])
    command = ("release", study.dataset_id, "--epsilon", "0.1")
    analyst = someone(tmp_path, server, study.analyst)
    with Client.open(server.url, study.analyst.key) as client:
        data = client[study.dataset_id]
        first = data.release(epsilon="0.1")
        wanted = data.release(epsilon="0.1", prior=200)
        assert (first["prior"], wanted.text, wanted.replayed) == ([0.5, 0.5], first.text, True)
        for made, prior in ((first, None), (wanted, [200, 200])):
            asked = cast("Any", client.posterior(made["id"], prior=prior))
            means = [each["mean"] for each in asked["categories"]]
            assert [each["mean"] for each in made.posterior()["categories"]] == means
            assert [each["mean"] for each in made.rows()] == means
        counts = first["posterior"]["released_counts"]
        naive = [(each + 200) / (sum(counts) + 400) for each in counts]
        assert [each["naive_mean"] for each in wanted.rows()] == pytest.approx(naive, rel=1e-12)
        assert [each["naive_mean"] for each in first.rows()] != pytest.approx(naive, rel=1e-3)
    for text_of_prior in ("200", "0.5"):
        rows = analyst.run(*command, "--prior", text_of_prior).stdout.splitlines()
        shown = next(line for line in rows if line.startswith("case"))
        answered = analyst.answer("posterior", first["id"], "--prior", text_of_prior)["categories"][0]
        assert float(shown.split()[1]) == pytest.approx(answered["mean"], abs=6e-3)
    assert study.spent() == "0.1"


def test_console_client_and_command_at_the_same_instant_are_charged_once(
    study: Study, server: Server, tmp_path: Path
) -> None:
    """16 of them, at different priors."""
    mechanism, together, priors = json.dumps(geometric("0.100")), Barrier(16), iter(range(1, 17))
    address = f"/console/datasets/{study.dataset_id}/quote?{urlencode({'mechanism': mechanism})}"

    def console(prior: int) -> Callable[[], str]:
        browser = browser_of(study.analyst)
        page = browser.get(f"{address}&prior={prior}")

        def press() -> str:
            together.wait()
            return browser.send(page, "/releases").path.rpartition("/")[2]

        return press

    def notebook(prior: int) -> Callable[[], str]:
        def release() -> str:
            with Client.open(server.url, study.analyst.key) as client:
                data = client[study.dataset_id]
                together.wait()
                return str(data.release(epsilon="0.1", prior=prior)["id"])

        return release

    def command(prior: int) -> Callable[[], str]:
        home, program = tmp_path / str(prior), (sys.executable, "-m", "private_posterior")
        person = Person(home, server.url, study.analyst.key, program)

        def run() -> str:
            together.wait()
            return str(person.answer("release", study.dataset_id, "--epsilon", "0.10", "--prior", str(prior))["id"])

        return run

    callers = [kind(next(priors)) for kind in [console] * 6 + [notebook] * 5 + [command] * 5]
    with ThreadPoolExecutor(len(callers)) as pool:
        ids = [each.result() for each in [pool.submit(each) for each in callers]]
    assert set(ids) == set(released(study))
    assert study.spent() == "0.1"


def test_notebooks_of_0_2_0_are_free_after_201_later_releases(server: Server) -> None:
    """Version 0.2.0 sent the prior 1 a cell if none was named, and no kind."""
    owner, other = server.new("owner"), server.new("analyst")
    dataset = owner.post("/v1/datasets", cross_table("basic")).json()["id"]
    owner.post(f"/v1/datasets/{dataset}/grants", {"principal_id": other.principal_id, "epsilon": "1", "delta": "0"})
    query: Any = {"of": {"where": {"a": ["x"]}}, "half_width": 40.0}
    requests: dict[Any, dict[str, Any]] = {
        "release": {"prior": [1] * 4, "mechanism": geometric("0.5")},
        "margins": {"margins": [["a"], ["b"]], "epsilon": "0.25", "confidence": 0.95},
        "queries": {"queries": [query], "max_charge": {"epsilon": "0.5"}},
    }
    first = []
    for kind, body in requests.items():
        paid = partial(owner.release, dataset, body, key=request_key(kind, dataset, body))
        first.append(owner.wait_for(paid, status=201))
    with Client.open(server.url, other.key) as client:
        for _ in range(201):
            later = requests["release"] | {"mechanism": geometric("0.004")}
            client.create_release(dataset, cast("CountsCreate", later), again=True)
    with Client.open(server.url, owner.key) as client:
        study, before = client[dataset], client.dataset(dataset)["budget_id"]
        spent = client.budget(before)["spent"]
        again: list[Any] = [
            study.release(epsilon="0.5"),
            study.release(epsilon="0.5", prior=3),
            study.margins(margins=[["a"], ["b"]], epsilon="0.25"),
            study.measure([query], max_charge="0.5"),
        ]
        assert client.budget(before)["spent"] == spent
    assert [each.text for each in again] == [each.text for each in (first[0], *first)]
    assert all(each.replayed for each in again)


WIDTHS: dict[Any, dict[str, Any]] = {
    "queries": {"queries": [{"of": {"where": {"a": ["x"]}}, "half_width": 40.0}]},
    "margins": {"margins": [["a"]], "half_widths": [40.0]},
}


@pytest.mark.parametrize("kind", WIDTHS)
@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_a_price_that_the_service_finds_is_paid_only_below_a_limit(
    kind: Any, accountant: Any, server: Server, tmp_path: Path
) -> None:
    unit = {"basic": "epsilon", "zcdp": "rho"}[accountant]
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", cross_table(accountant)).json()
    with Client.open(server.url, owner.key) as client:
        pay: Any = client.create_release
        limitless: list[Any] = [{}, {"max_charge": None}, {"max_charge": {}}, {"max_charge": {unit: None}}]
        manners: list[Any] = [{}, {"again": True}, {"idempotency_key": "named"}]
        for empty, manner in product(limitless, manners):
            with pytest.raises(LimitMissing, match=f"{unit} 0.* now; nothing was charged"):
                pay(dataset["id"], WIDTHS[kind] | empty, **manner)
        with pytest.raises(LimitMissing) as missing:
            pay(dataset["id"], WIDTHS[kind])
        price = cast("Any", missing.value.would_charge)[unit]
        options = {
            "queries": ("query", dataset["id"], "--count", "a=x", "--half-width", "40", "--measure"),
            "margins": ("margins", dataset["id"], "--margin", "a", "--half-width", "40"),
        }
        person = someone(tmp_path, server, owner)
        told = person.run(*options[kind], code=Exit.UNUSABLE).stderr
        assert f"give --max-charge, the most that may be charged: the price is {unit} {price} now" in told
        assert owner.get(f"/v1/budgets/{dataset['budget_id']}").json()["spent"][unit] == "0"
        made = pay(dataset["id"], WIDTHS[kind] | {"max_charge": {unit: price}})
        assert made["charged"][unit] == price


@pytest.mark.parametrize("kind", WIDTHS)
def test_what_was_paid_for_without_a_limit_is_found_without_a_limit(
    kind: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 0.2.0 sent such a request, under the key that is made from the request."""
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", cross_table("basic")).json()
    key = request_key(kind, dataset["id"], WIDTHS[kind])
    path = f"/v1/datasets/{dataset['id']}/releases"
    with monkeypatch.context() as earlier:
        earlier.setattr(PaidBody, "broken_rule", None)  # as in 0.2.0
        first = owner.wait_for(lambda: owner.post(path, WIDTHS[kind], idempotency_key=key), status=201)
    with Client.open(server.url, owner.key) as client:
        pay: Any = client.create_release
        found = [pay(dataset["id"], WIDTHS[kind]) for _ in range(2)]
    assert [each.text for each in found] == [first.text] * 2
    assert [each.replayed for each in found] == [True] * 2


def test_a_key_of_another_request_returns_nothing_for_one_without_a_limit(server: Server) -> None:
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", cross_table("basic")).json()["id"]
    with Client.open(server.url, owner.key) as client:
        pay: Any = client.create_release
        pay(dataset, WIDTHS["margins"] | {"max_charge": {"epsilon": "1"}}, "named")
        with pytest.raises(ProblemError, match="Idempotency-Key"):
            pay(dataset, WIDTHS["queries"], "named")


@pytest.mark.parametrize("kind", ["releases", *WIDTHS])
def test_a_limit_without_an_amount_is_refused_unless_it_has_paid(
    kind: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", cross_table("basic")).json()
    body = WIDTHS.get(kind, {"prior": [1] * 4, "mechanism": geometric("0.1")}) | {"max_charge": {}}
    path = f"/v1/datasets/{dataset['id']}/releases"
    refused = owner.post(path, body, idempotency_key="empty")
    assert (refused.status_code, refused.json()["charged"]) == (422, False)
    [error] = refused.json()["errors"]
    assert error["location"] == "body.max_charge"
    assert error["rule"].startswith("must name epsilon or rho" if kind in WIDTHS else "must name an amount")
    if kind == "queries":  # 0.2.0 refused them too
        return
    with monkeypatch.context() as earlier:
        earlier.setattr(PaidBody, "broken_rule", None)  # as in 0.2.0
        paid = owner.wait_for(lambda: owner.post(path, body, idempotency_key="empty"), status=201)
    again = owner.post(path, body, idempotency_key="empty")
    assert (again.status_code, again.text) == (201, paid.text)


def cross_table(accountant: str) -> dict[str, Any]:
    budget = {"accountant": accountant, "name": "one", "epsilon": "2", "delta": "1e-6"}
    body = registration([30, 40, 50, 60], budget={"kind": "new", "budget": budget})
    del body["labels"]
    return body | {"attributes": [{"name": "a", "levels": ["x", "y"]}, {"name": "b", "levels": ["x", "y"]}]}


def test_queries_that_are_asked_again_are_free(study: Study, server: Server) -> None:
    body: QueryCreate = {
        "kind": "queries",
        "queries": [{"of": {"labels": ["case"]}, "half_width": 40.0}],
        "max_charge": {"epsilon": "0.4"},
    }
    with Client.open(server.url, study.analyst.key) as client:
        first = client.create_release(study.dataset_id, body)
        assert client.create_release(study.dataset_id, body)["id"] == first["id"]
        again = client.create_release(study.dataset_id, body, again=True)
    assert again["id"] != first["id"]
    spent = study.budget()["spent"]["epsilon"]
    assert float(spent) == pytest.approx(sum(float(cast("Any", each["charged"])["epsilon"]) for each in (first, again)))


def test_the_key_belongs_to_the_person_and_not_to_the_api_key(study: Study, server: Server) -> None:
    other = server.new("analyst")
    study.owner.post(
        f"/v1/datasets/{study.dataset_id}/grants",
        {"principal_id": other.principal_id, "epsilon": "0.5", "delta": "0"},
    )
    later = study.analyst.post("/v1/keys", {}).json()["key"]
    found = []
    for key in (study.analyst.key, other.key, study.owner.key, later):
        with Client.open(server.url, key) as client:
            found.append(client.create_release(study.dataset_id, RELEASE)["id"])
    assert len(set(found)) == 3
    assert found[0] == found[3]
    assert sorted(released(study)) == sorted(set(found))


def test_a_refused_request_is_drawn_from_the_counts_that_replaced_those_of_the_refusal(
    study: Study, server: Server
) -> None:
    with Client.open(server.url, study.analyst.key) as client:
        with pytest.raises(ProblemError, match="charge"):
            client.create_release(study.dataset_id, written(max_charge={"epsilon": "0.01"}))
        study.owner.api.change_dataset(study.dataset_id, {"counts": [3, 4]})
        assert client.create_release(study.dataset_id, RELEASE)["record_count"] == 7


def test_a_failure_that_stays_names_the_way_to_buy_another(
    study: Study, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failed(*_: object) -> None:
        return None

    analyst = someone(tmp_path, server, study.analyst)
    command = ("release", study.dataset_id, "--epsilon", "0.1", "--prior", "uniform")
    with Client.open(server.url, study.analyst.key) as client:
        with monkeypatch.context() as broken:
            broken.setattr(DrawProcesses, "draw", failed)
            with pytest.raises(ProblemError, match=r"again=True requests another one, which is charged\.$"):
                client.create_release(study.dataset_id, RELEASE)
        with pytest.raises(ProblemError, match=r"again=True requests another one, which is charged\.$"):
            client.create_release(study.dataset_id, written(level=0.5))
        told = analyst.refused(*command, code=Exit.CHARGED)
        assert "With --again it requests another one, which is charged [release-failed; charged]" in told
        assert "again=True" not in told
        client.create_release(study.dataset_id, RELEASE, again=True)
        lose_failed(server, study.dataset_id)
        with pytest.raises(ProblemError, match=r"lost when the database .* again=True requests another one"):
            client.create_release(study.dataset_id, RELEASE)
    told = analyst.refused(*command, code=Exit.CHARGED)
    assert "With --again it requests another one, which is charged [release-lost; charged]" in told
    assert study.spent() == "0.2"


def test_a_command_that_runs_again_shows_the_same_release_and_says_that_it_is_free(
    study: Study, server: Server, tmp_path: Path
) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    command = ("release", study.dataset_id, "--epsilon", "0.125")
    first = analyst.run(*command)
    assert "free" not in first.stderr
    [paid] = released(study)
    again = analyst.run("release", study.dataset_id, "--epsilon", "0.1250", "--level", "0.9", "--max-charge", "1")
    assert paid in first.stdout
    assert paid in again.stdout
    assert "charged         nothing now: epsilon 0.125 was charged on 20" in again.stdout
    assert "left for you" in first.stdout
    assert "left for you" not in again.stdout
    assert "0.9 from" in again.stdout
    assert ", free: the same request paid for it. --again pays for a new one." in again.stderr
    assert f"nothing: the same request paid for {paid}" in analyst.run(*command, "--dry-run").stdout
    assert "charge    epsilon 0.125" in analyst.run(*command, "--again", "--dry-run").stdout
    bought = analyst.run(*command, "--again")
    assert "free" not in bought.stderr
    assert paid not in bought.stdout
    assert len(released(study)) == 2
    assert analyst.answer(*command)["id"] == paid
    assert journal(analyst) == []


def test_a_request_under_a_key_of_the_journal_is_continued_under_it(server: Server, tmp_path: Path) -> None:
    """An earlier version wrote a random key before it sent the request, and was interrupted."""
    study = make_study(server.new("owner"), server.new("analyst"))
    analyst = someone(tmp_path, server, study.analyst)
    body = {"prior": [1.0, 1.0], "mechanism": geometric("0.125"), "level": 0.95}
    with Client.open(server.url, study.analyst.key) as client, pytest.MonkeyPatch.context() as patched:
        patched.setenv("PRIVATE_POSTERIOR_HOME", str(analyst.home))
        analyst.home.mkdir()

        def interrupted(key: str) -> None:
            client.create_release(study.dataset_id, cast("CountsCreate", body), key)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), once(client, f"releases {study.dataset_id}", body, interrupted):
            pass
    shown = analyst.run("release", study.dataset_id, "--epsilon", "0.125", "--prior", "uniform")
    assert "Continuing the request of" in shown.stderr
    [paid] = released(study)
    assert paid in shown.stdout
    assert journal(analyst) == []


def test_an_interrupted_purchase_of_fresh_noise_is_continued(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = Person(tmp_path / "home", server.url, study.analyst.key)
    command = ("release", study.dataset_id, "--epsilon", "0.125")
    analyst.run(*command)
    analyst.run(*command, "--again", "--output", "/dev/full", code=Exit.INCOMPLETE)
    bought = released(study)[-1]
    assert analyst.answer(*command)["id"] != bought
    assert analyst.answer(*command, "--again")["id"] == bought
    assert len(released(study)) == 2
    assert analyst.answer(*command, "--again")["id"] not in released(study)[:2]
