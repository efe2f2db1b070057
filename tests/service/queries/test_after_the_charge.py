"""Measured answers that cannot be composed: charged, and never measured again."""

from __future__ import annotations

import asyncio
import json
from fractions import Fraction
from typing import Any, Final

import pytest
from sqlalchemy import Engine, insert

from service.database.costs import columns
from service.database.engine import reading, writing
from service.database.tables import query_charges, releases
from service.drawing.processes import DrawOrder, DrawProcesses
from service.errors import FreeAnswerQuotaExceeded
from service.ledger.debit import DebitHandler, Paid, hash_idempotency_key
from service.principals import quotas
from service.principals.auth import Caller
from service.queries import answers, paid_queries
from service.releases.release import PaidRequest
from service.releases.spec import hash_payload
from service.schemas.principals import Role
from service.schemas.queries import QueryCreate
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.in_process import running
from tests.harness.installation import SIGNER, audit, epsilon, install
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.reports.test_running_totals import statements_of

COMPLETE: Final = {"state": "complete", "drawn": "[]", "result": "{}"}
BODY: Final = {"queries": [{"weights": [1, 0], "half_width": 15.0}], "max_charge": {"epsilon": "1"}}


def request_of(principal_id: str, dataset_id: str, key: str) -> PaidRequest[QueryCreate]:
    """`BODY` as an owner's request under this key."""
    read = QueryCreate.model_validate(BODY | {"kind": "queries"})
    document = read.model_dump(mode="json", exclude={"kind", "max_charge"})
    who, payload = Caller(principal_id, Role.OWNER, "key"), hash_payload(dataset_id, read)
    return PaidRequest(who, dataset_id, read, document, hash_idempotency_key(principal_id, key), payload, 0.0)


def test_what_was_measured_is_never_measured_again_because_its_answers_failed(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether composing the answers fails can depend on the draw, and an unseen draw discloses counts once it is known
    that it failed. So the answers are composed again from the same draw.
    """
    owner = person(engine, Role.OWNER)
    settings = Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )
    draw, drawn = DrawProcesses.draw, list[str]()

    async def counted(processes: DrawProcesses, order: DrawOrder) -> str | None:
        values = await draw(processes, order)
        drawn.append(values or "")
        return values

    monkeypatch.setattr(DrawProcesses, "draw", counted)

    async def story() -> None:
        async with running(settings) as service:
            dataset = await service.made(owner, "/v1/datasets", registration([30, 40]))
            path = f"/v1/datasets/{dataset['id']}/releases"
            with monkeypatch.context() as broken:
                broken.setattr(answers, "ANSWERED", "tests.harness.computing:end")
                for _ in range(2):
                    answer = await service.send(owner, "POST", path, BODY, **{"Idempotency-Key": "key"})
                    assert answer.json()["type"] == "/problems/release-in-progress", answer.text
                    assert answer.json()["charged"] is True
                listed = await service.send(owner, "GET", "/v1/releases?kind=queries")
                assert [each["state"] for each in listed.json()["items"]] == ["drawn"]
            transport: Any = service.http._transport
            transport.app.state.runtime.caches.composing_failed.clear()  # as after a minute
            answered = await service.made(owner, path, BODY, "key")
            assert json.loads(drawn[0]) == [_short_fraction(each["exact_answer"]) for each in answered["measured"]]
        assert audit(engine, dataset["budget_id"]).release_count == 1

    asyncio.run(story())
    assert len(drawn) == 1


def _short_fraction(exact: str) -> str:
    return str(Fraction(exact))


def test_a_request_sent_twice_at_once_is_planned_once(database_url: str, engine: Engine) -> None:
    """The second request found no stored answer yet, and then waits for its turn to plan."""
    owner = person(engine, Role.OWNER)
    settings = Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )

    async def story() -> tuple[str, str]:
        async with running(settings) as service:
            dataset = await service.made(owner, "/v1/datasets", registration([30, 40]))
            found = await service.made(owner, f"/v1/datasets/{dataset['id']}/releases", BODY, "key")
            return str(dataset["id"]), str(found["id"])

    dataset_id, paid = asyncio.run(story())
    with reading(engine) as connection:
        for key, answered in (("key", None), ("other", paid)):
            assert paid_queries._find_answered(connection, request_of(owner.principal_id, dataset_id, key)) == answered


def test_a_replay_is_found_without_reading_other_answers(owner_engine: Engine) -> None:
    """The owner of the tables runs ANALYZE, because the service may not, and PostgreSQL plans by the statistics."""
    world = install(owner_engine, total=epsilon(1000))
    [dataset_id] = world.dataset_ids
    request = request_of(world.owner_id, dataset_id, "other")
    with writing(owner_engine) as connection:
        [one] = DebitHandler(SIGNER)(connection, [world.debit(world.owner_id, dataset_id, epsilon(1))])
        assert isinstance(one, Paid)
        # Of the same request three tries, the oldest of all, and one of them failed.
        answers_given = [
            one.row._asdict()
            | {"id": f"qry_{number}", "key_hash": f"key {number}", "sequence": 10 + number, "kind": "query"}
            | {"payload_hash": request.payload_hash if number < 3 else f"q1:{number}"}
            | ({"state": "failed", "result": None} if number == 2 else COMPLETE)
            for number in range(2000)
        ]
        connection.execute(insert(releases), answers_given)
    is_sqlite = owner_engine.dialect.name == "sqlite"
    with owner_engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    with statements_of(owner_engine) as statements, reading(owner_engine) as connection:
        assert paid_queries._find_answered(connection, request) == "qry_1"
    explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN (ANALYZE, COSTS OFF)"
    with reading(owner_engine) as connection:
        [(statement, parameters)] = [each for each in statements if each[0].startswith("SELECT")]
        plan = [str(row[-1]) for row in connection.exec_driver_sql(f"{explain} {statement}", parameters)]
    if is_sqlite:
        assert plan == ["SEARCH releases USING INDEX ix_releases_queries_payload (payload_hash=? AND principal_id=?)"]
    else:
        assert any("ix_releases_queries_payload" in step for step in plan), plan
        assert not any("Seq Scan" in step for step in plan), plan
        assert [step for step in plan if "Removed by Filter" in step] == ["        Rows Removed by Filter: 1"], plan


def test_free_answers_are_counted_without_reading_what_else_was_answered(owner_engine: Engine) -> None:
    world = install(owner_engine, total=epsilon(1000), grant=epsilon(1000), analysts=2)
    [dataset_id] = world.dataset_ids
    analyst_id, other_id = world.analyst_ids
    grant_id, other_grant_id = (world.grant_ids[each, dataset_id] for each in world.analyst_ids)
    # Of the owner and of an analyst, 4 free answers each among thousands that were paid for; many free ones of another.
    answered: list[tuple[str | None, bool]] = [(None, each % 1000 == 0) for each in range(4000)]
    answered += [(grant_id, each % 1000 == 0) for each in range(4000)]
    answered += [(other_grant_id, True)] * 4000
    with writing(owner_engine) as connection:
        [one] = DebitHandler(SIGNER)(connection, [world.debit(world.owner_id, dataset_id, epsilon(1))])
        assert isinstance(one, Paid)
        who = {None: world.owner_id, grant_id: analyst_id, other_grant_id: other_id}
        connection.execute(
            insert(releases),
            [
                one.row._asdict()
                | {"id": f"qry_{number}", "key_hash": f"key {number}", "sequence": 10 + number, "kind": "query"}
                | {"principal_id": who[grant]}
                | COMPLETE
                for number, (grant, _) in enumerate(answered)
            ],
        )
        connection.execute(
            insert(query_charges),
            [
                {
                    "release_id": f"qry_{number}",
                    "dataset_id": dataset_id,
                    "budget_id": world.budget_id,
                    "sequence": 10 + number,
                    "grant_id": grant,
                    "measured": "[]",
                    "apart": "[]",
                    **columns(epsilon(1), "alone"),
                    **columns(epsilon(0 if is_free else 1), "granted"),
                }
                for number, (grant, is_free) in enumerate(answered)
            ],
        )
    explain = "EXPLAIN QUERY PLAN" if owner_engine.dialect.name == "sqlite" else "EXPLAIN (ANALYZE, COSTS OFF)"
    for principal_id in (world.owner_id, analyst_id):
        with statements_of(owner_engine) as statements, reading(owner_engine) as connection:
            quotas.check_free_answers(connection, principal_id, 5)
            with pytest.raises(FreeAnswerQuotaExceeded):
                quotas.check_free_answers(connection, principal_id, 4)
        with reading(owner_engine) as connection:
            counted = [each for each in statements if "FROM query_charges" in each[0]]
            assert counted
            for statement, parameters in counted:
                # Not the ids of all grants or budgets: there can be tens of thousands.
                given = parameters.values() if isinstance(parameters, dict) else parameters
                assert list(given) == [principal_id]
                plan = "\n".join(
                    str(row[-1]) for row in connection.exec_driver_sql(f"{explain} {statement}", parameters)
                )
                _, *of_charges = plan.split("ix_query_charges_free")
                assert len(of_charges) == 1, plan
                assert "Seq Scan on query_charges" not in plan, plan
                assert "Removed by Filter" not in of_charges[0], plan
