"""Linear queries on tables whose number of records is private: that number is a query like any other."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import exp
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np
import pytest

from core.accounting.pairwise_loss import Row
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import keys_in
from service.database.engine import open_engine, reading
from service.ledger.verification import verify_database
from service.schemas.principals import Role
from tests.harness import planted
from tests.harness.bodies import budget_body, querying, registration, unique
from tests.harness.in_process import Service, embedded, running
from tests.harness.people import Person, person
from tests.harness.privacy_loss import lower_bound

COUNTS: Final = [4_017, 350, 50_092, 0]
LABELS: Final = list("abcd")
ZCDP: Final = {"accountant": "zcdp", "epsilon": "50", "delta": "1e-6", "delta_conversion": "1e-6"}
EVERYBODY: Final[dict[str, Any]] = {"of": {"labels": LABELS}}


@dataclass(frozen=True, slots=True)
class Secret:
    """A running service, and the owner of a table whose number of records is private."""

    service: Service
    owner: Person
    dataset_id: str
    budget_id: str
    database_url: str
    accountant: str = "basic"

    async def ask(
        self, *queries: dict[str, Any], who: Person | None = None, key: str = "", **changes: Any
    ) -> httpx.Response:
        headers = {"Idempotency-Key": key or unique("key").replace(" ", "-")}
        body = querying(*queries, accountant=self.accountant, **changes)
        return await self.service.settled(
            who or self.owner, "POST", f"/v1/datasets/{self.dataset_id}/releases", body, **headers
        )

    async def asked(self, *queries: dict[str, Any], who: Person | None = None, key: str = "") -> dict[str, Any]:
        answer = await self.ask(*queries, who=who, key=key)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def quoted(self, *queries: dict[str, Any], who: Person | None = None, **changes: Any) -> dict[str, Any]:
        """The free estimates, with the quote if the queries can be measured."""
        path, body = f"/v1/datasets/{self.dataset_id}", {"queries": queries} | changes
        answer = await self.service.settled(who or self.owner, "POST", f"{path}/estimates", body)
        assert answer.status_code == 200, answer.text
        price = await self.service.settled(who or self.owner, "POST", f"{path}/quotes", {"kind": "queries"} | body)
        found: dict[str, Any] = answer.json() | (price.json() if price.status_code == 200 else {})
        return found

    async def get(self, path: str, who: Person | None = None) -> httpx.Response:
        return await self.service.send(who or self.owner, "GET", path)

    async def spent(self) -> dict[str, str]:
        found: dict[str, str] = (await self.get(f"/v1/budgets/{self.budget_id}")).json()["spent"]
        return found


Tell = Callable[..., None]


@pytest.fixture(scope="module")
def shared(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[asyncio.Runner, Service, str]]:
    folder = tmp_path_factory.mktemp("secret")
    shutil.copy(migrated_sqlite, folder / "posterior.sqlite3")
    url = f"sqlite:///{folder / 'posterior.sqlite3'}"
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        service = runner.run(stack.enter_async_context(running(embedded(url, folder / "witness"))))
        yield runner, service, url
        runner.run(stack.aclose())


@pytest.fixture
def tell(shared: tuple[asyncio.Runner, Service, str]) -> Tell:
    """Runs a story about a table of an owner of its own; `changes` are of its registration."""
    runner, service, url = shared

    def run(
        story: Callable[[Secret], Awaitable[None]], *, budget: dict[str, Any] | None = None, **changes: Any
    ) -> None:
        owner = person(url, Role.OWNER)
        wanted: dict[str, Any] = {"kind": "new", "budget": budget_body(**budget or {"epsilon": "50", "delta": "0"})}
        body = registration(COUNTS, labels=LABELS, n_is_public=False, budget=wanted) | changes

        async def whole() -> None:
            made = await service.made(owner, "/v1/datasets", body)
            await story(Secret(service, owner, made["id"], made["budget_id"], url, wanted["budget"]["accountant"]))

        runner.run(whole())

    return run


def fractions(row: dict[str, Any]) -> list[Fraction]:
    return [Fraction(value, row["denominator"]) for value in row["coefficients"]]


def dearest_cell(rows: Sequence[dict[str, Any]], records: int, *, rho: bool) -> float:
    """The cost of measured rows by brute force: what adding `records` records to one cell tells, for the worst cell."""
    shifts = [[float(Fraction(row["rate"]) * abs(h) * records) for h in fractions(row)] for row in rows]
    costs = ([x - 1 + exp(-x) if rho else x for x in of_cell] for of_cell in zip(*shifts, strict=True))
    return max(map(sum, costs))


def test_a_query_is_charged_what_its_certificate_says_and_the_number_of_records_stays_null(tell: Tell) -> None:
    async def story(table: Secret) -> None:
        query = {"weights": {"a": 2, "b": -1, "c": 1}, "half_width": 30.0}
        quoted = await table.quoted(query)
        assert quoted["answers"][0] is None
        found = await table.asked(query)
        (row,), (answer,) = found["measured"], found["answers"]
        assert row["coefficients"] == [2, -1, 1, 0], "no constant is subtracted: it would be the number of records"
        rate = Fraction(row["rate"])
        assert Fraction(found["certificate"]["loss"]["epsilon"]) == 2 * rate
        assert found["charged"] == found["standalone_cost"] == quoted["would_charge"]
        assert Fraction(found["charged"]["epsilon"]) == 2 * rate
        assert float(rate) == pytest.approx(2.9957 / 30, rel=1e-4)
        assert found["certificate"]["relation"] == "add_remove"
        assert "adding or removing one record" in found["certificate"]["statement"]
        assert (found["record_count"], found["event"]["n"]) == (None, None)
        assert answer["estimate"] == pytest.approx(row["answer"])
        assert answer["interval"]["half_width"] <= 30.0
        true = sum(weight * count for weight, count in zip([2, -1, 1, 0], COUNTS, strict=True))
        assert abs(answer["estimate"] - true) < 300
        assert (await table.spent())["epsilon"] == found["charged"]["epsilon"]
        assert (await table.asked(query))["charged"]["epsilon"] == "0", "it is known by now"

    tell(story)


@pytest.mark.parametrize("records", [1, 3])
@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_rows_together_cost_what_they_tell_about_the_worst_cell(tell: Tell, accountant: str, records: int) -> None:
    """The number of records is a query like any other, and rows of separate cells share their cost."""
    unit = "rho" if accountant == "zcdp" else "epsilon"

    async def story(table: Secret) -> None:
        rows: list[dict[str, Any]] = []
        charged = Fraction(0)
        for weights, half_width in (
            ([1, 1, 1, 1], 90.0),
            ([1, 0, 0, 0], 60.0),
            ([0, 1, 0, 0], 60.0),
            ([1, -1, 0, 2], 80.0),
        ):
            found = await table.asked({"weights": weights, "half_width": half_width})
            rows += found["measured"]
            charged += Fraction(found["charged"][unit])
            assert float(charged) == pytest.approx(dearest_cell(rows, records, rho=unit == "rho"), rel=1e-6, abs=1e-8)
        assert len(rows) >= 3
        assert Fraction((await table.spent())[unit]) == charged
        quoted = await table.quoted({"weights": [1, 1, 1, 1]})
        assert Fraction(quoted["joint_cost"][unit]) == charged, "the price of the next row begins at the same cost"

    several = {"one_record_per_unit": None, "records_per_unit": 3} if records == 3 else {}
    tell(story, budget=ZCDP if accountant == "zcdp" else None, **several)


def test_rows_priced_as_if_the_number_of_records_were_public_are_never_answered(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a service that charges for replaced records. The draw program proves the cost of each row itself."""

    async def story(table: Secret) -> None:
        monkeypatch.setattr(Row, "changes", Row.changes)
        planted.price_rows_by_pairs()
        answer = await table.ask({"weights": [3, 1, 1, 2], "half_width": 60.0})
        assert answer.status_code == 500, answer.text
        assert answer.json()["type"] == "/problems/release-failed"
        monkeypatch.undo()
        paid = Fraction((await table.spent())["epsilon"])
        sound = await table.quoted({"weights": [3, 1, 1, 2], "half_width": 60.0})
        assert Fraction(sound["standalone_cost"]["epsilon"]) == pytest.approx(paid * Fraction(3, 2), rel=1e-4)

    tell(story)


def test_answers_from_history_are_those_of_least_squares_with_n_unknown(tell: Tell) -> None:
    async def story(table: Secret) -> None:
        path = f"/v1/datasets/{table.dataset_id}/releases"
        body = {"prior": [1] * 4, "mechanism": {"kind": "laplace", "epsilon": "0.05"}}
        release = await table.service.made(table.owner, path, body, key="release")
        measured = (await table.asked({"weights": [1, 1, 1, 1], "half_width": 40.0}))["measured"]
        measured += (await table.asked({"weights": [1, -1, 0, 3], "half_width": 70.0}))["measured"]
        rows = np.array([*np.eye(4), *(np.array(each["coefficients"]) / each["denominator"] for each in measured)])
        floored = 2 * np.exp(-0.05) / (1 - np.exp(-0.05)) ** 2
        answers = [*(y + 0.5 for y in release["posterior"]["noisy_counts"]), *(each["answer"] for each in measured)]
        variances = np.array([*[2 / 0.05**2 + 1 / 12] * 4, *(2 / float(each["rate"]) ** 2 for each in measured)])
        assert variances[0] == pytest.approx(floored, rel=1e-2), "as the noise of geometric counts"
        information = rows.T @ (rows / variances[:, None])
        estimates = np.linalg.solve(information, rows.T @ (np.array(answers) / variances))
        covariance = np.linalg.inv(information)
        queries = [[1, 0, 0, 0], [1, 1, 1, 1], [0, 2, -5, 1]]
        quoted = await table.quoted(*({"weights": each} for each in queries))
        for weights, answer in zip(queries, quoted["answers"], strict=True):
            known, q = answer, np.array(weights)
            assert known["estimate"] == pytest.approx(float(q @ estimates), rel=1e-4)
            assert known["standard_deviation"] == pytest.approx(float(q @ covariance @ q) ** 0.5, rel=1e-3)
            assert known["with_constraints"] is None
            assert {each["release_id"][:3] for each in known["used"]} == {"rel", "qry"}

    tell(story)


def test_before_anything_is_released_only_a_sum_of_nothing_is_answered(tell: Tell) -> None:
    async def story(table: Secret) -> None:
        quoted = await table.quoted(EVERYBODY, {"weights": [3] * 4}, {"weights": {}})
        everybody, thrice, nothing = quoted["answers"]
        assert everybody is None
        assert thrice is None
        assert nothing["interval"] == {"low": 0.0, "high": 0.0, "half_width": 0.0, "confidence": 0.95}
        refused = await table.ask(EVERYBODY)
        assert refused.json()["errors"][0]["location"] == "body.queries[0].half_width"
        assert (await table.spent())["epsilon"] == "0"

    tell(story)


def test_a_geometric_release_counts_every_set(tell: Tell) -> None:
    async def story(table: Secret) -> None:
        body = {"prior": [1] * 4, "mechanism": {"kind": "geometric", "epsilon": "0.1"}}
        path = f"/v1/datasets/{table.dataset_id}/releases"
        await table.service.made(table.owner, path, body, key="release")
        (answer,) = (await table.quoted(EVERYBODY))["answers"]
        assert 50 < answer["interval"]["half_width"] <= 61

    tell(story)


def test_an_analyst_pays_for_their_own_rows_and_the_owner_for_all(tell: Tell) -> None:
    async def story(table: Secret) -> None:
        analyst = person(table.database_url, Role.ANALYST)
        grant = {"principal_id": analyst.principal_id, "epsilon": "5", "delta": "0"}
        await table.service.made(table.owner, f"/v1/datasets/{table.dataset_id}/grants", grant)
        first = await table.asked({"of": {"labels": ["a"]}, "half_width": 40.0})
        second = await table.asked({"of": {"labels": ["b"]}, "half_width": 40.0}, who=analyst)
        assert second["charged"] == first["charged"]
        assert (await table.spent())["epsilon"] == first["charged"]["epsilon"], "another cell costs the budget nothing"

    tell(story)


@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_the_verifiers_accept_the_answers_and_name_one_of_another_relation(tell: Tell, accountant: str) -> None:
    async def story(table: Secret) -> None:
        found = await table.asked({"weights": [1, 1, 1, 1], "half_width": 40.0})
        await table.asked({"weights": [1, -2, 0, 0], "half_width": 40.0})
        keys = keys_in((await table.get("/v1/public-key")).json())
        ledger = verify_ledger((await table.get(f"/v1/budgets/{table.budget_id}/ledger.jsonl")).content, keys, [])
        assert list(faults_of_release(found, ledger, keys)) == []
        assert list(faults_of_release(found | {"event": found["event"] | {"n": 54_459}}, ledger, keys))
        certificate = found["certificate"] | {"relation": "replace_one"}
        assert list(faults_of_release(found | {"certificate": certificate}, ledger, keys))
        engine = open_engine(table.database_url)
        with reading(engine) as connection:
            findings = [
                each for each in verify_database(connection, public_keys=keys) if each.budget_id == table.budget_id
            ]
        engine.dispose()
        assert not any(each.fault for each in findings)
        stored = await table.get(f"/v1/releases/{found['id']}")
        assert json.loads(stored.content) == found

    tell(story, budget=ZCDP if accountant == "zcdp" else None)


@pytest.mark.parametrize("mechanism", ["geometric", "laplace", "gaussian"])
def test_margins_rows_and_counts_of_a_cross_table_answer_together(tell: Tell, mechanism: str) -> None:
    """Seen before: nothing was answered from margins for which the number of records had been measured."""
    attributes = [{"name": "sex", "levels": ["f", "m"]}, {"name": "age", "levels": ["young", "middle", "old"]}]
    is_zcdp = mechanism == "gaussian"
    amount = {"rho": "0.01", "delta": "1e-7"} if is_zcdp else {"epsilon": "0.2"}

    async def story(table: Secret) -> None:
        dataset, made = f"/v1/datasets/{table.dataset_id}", table.service.made
        widths = []

        async def look() -> None:
            answers = (await table.quoted({"of": {"where": {"sex": ["f"]}}}, EVERYBODY_OF_SEX))["answers"]
            widths.append(sum(each["interval"]["half_width"] for each in answers))

        margins = await made(table.owner, f"{dataset}/releases", {"all": 1, **amount}, key="margins")
        assert ([] in [each["attributes"] for each in margins["measured"]]) is is_zcdp
        await look()
        await table.asked(EVERYBODY_OF_SEX | {"half_width": 10.0})
        await look()
        counts = {"prior": [1] * 6, "mechanism": {"kind": mechanism, **amount}}
        await made(table.owner, f"{dataset}/releases", counts, key="counts")
        await look()
        assert widths[0] > widths[1] > widths[2]
        assert len((await table.quoted(EVERYBODY_OF_SEX))["used"]) == 3
        tables = await table.service.settled(table.owner, "POST", f"{dataset}/estimates", {"all": 1})
        assert tables.status_code == 200, tables.text

    tell(story, budget=ZCDP if is_zcdp else None, labels=None, attributes=attributes, counts=[*COUNTS, 70, 9])


EVERYBODY_OF_SEX: Final[dict[str, Any]] = {"of": {"where": {"sex": ["f", "m"]}}}


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", ["sound", "rows_of_replaced_records"])
def test_the_audit_catches_rows_priced_as_if_the_number_of_records_were_public(
    variant: str, tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neighbours are (4, 5) and (5, 5). The row 10a + 9b tells ten times as much as if a record were replaced."""
    monkeypatch.setattr(Row, "changes", Row.changes)
    if variant != "sound":
        planted.price_rows_by_pairs()
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    url, query = f"sqlite:///{tmp_path / 'posterior.sqlite3'}", {"weights": [10, 9], "half_width": 15.0}
    owner, charged = person(url, Role.OWNER), set[str]()
    answers: tuple[list[int], list[int]] = ([], [])

    async def whole() -> None:
        program = () if variant == "sound" else planted.draw_program(variant)
        async with running(embedded(url, tmp_path / "witness"), program) as service:
            for number, (counts, seen) in product(range(200), zip(([4, 5], [5, 5]), answers, strict=True)):
                budget = {"kind": "new", "budget": budget_body(epsilon="5", delta="0")}
                made = await service.made(owner, "/v1/datasets", registration(counts, n_is_public=False, budget=budget))
                path, key = f"/v1/datasets/{made['id']}/releases", f"{number}-{counts[0]}"
                found = await service.made(owner, path, querying(query), key=key)
                charged.add(found["charged"]["epsilon"])
                seen.append(round(found["answers"][0]["estimate"] / 2.5))

    asyncio.run(whole())
    (stated,) = charged
    bound = lower_bound(*answers, 0.0)
    print(f"{variant:<25} charged {float(stated):.3f}, audited at least {bound:.3f}")  # noqa: T201  a report
    assert (bound <= float(stated)) is (variant == "sound")
