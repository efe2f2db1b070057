"""Keys that people make for themselves: none outlives the key that made it, and together they are one caller."""

from __future__ import annotations

import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import select

from service.database.engine import reading, writing
from service.database.tables import api_keys
from service.datasets.cipher import KeyRing, new_key
from service.datasets.datasets import histogram, register
from service.errors import Unauthenticated
from service.identifiers.identifiers import now, timestamp
from service.principals import chain
from service.principals.auth import Caller
from service.principals.keys import revoke_key
from service.schemas.datasets import DatasetCreate
from service.schemas.principals import Role
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE, until
from tests.harness.people import person
from tests.harness.server import Party, Server, problem_code, serving
from tests.service.conftest import Study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine


def in_days(days: int) -> str:
    return timestamp(now() + days * 86_400)


def child(party: Party, **body: Any) -> Party:
    answer = party.post("/v1/keys", body)
    assert answer.status_code == 201, answer.text
    return Party(party.principal_id, answer.json()["key"], party.server, answer.json()["id"])


def is_alive(party: Party) -> bool:
    return party.get("/v1/datasets").status_code == 200


def ends(party: Party) -> dict[str, str | None]:
    return {each["id"]: each["expires_at"] for each in party.get("/v1/keys").json()["items"]}


def test_a_key_makes_none_that_outlives_it(analyst: Party) -> None:
    tomorrow = child(analyst, expires_at=in_days(1))
    refused = tomorrow.post("/v1/keys", {"expires_at": in_days(2)})
    assert problem_code(refused) == "invalid-request"
    assert refused.json()["errors"][0]["location"] == "body.expires_at"
    below = child(tomorrow)
    lengths = ends(analyst)
    assert lengths[below.key_id] == lengths[tomorrow.key_id] is not None


def test_what_a_key_made_ends_with_it(analyst: Party) -> None:
    first = child(analyst)
    second = child(first)
    third = child(second)
    beside = child(analyst)
    assert analyst.delete(f"/v1/keys/{first.key_id}").status_code == 204
    assert [is_alive(each) for each in (analyst, first, second, third, beside)] == [True, False, False, False, True]


def test_a_key_ends_itself_and_its_descendants_only(analyst: Party) -> None:
    one, other = child(analyst), child(analyst)
    for key in (analyst, other):
        assert problem_code(one.delete(f"/v1/keys/{key.key_id}")) == "conflict"
    assert one.delete(f"/v1/keys/{one.key_id}").status_code == 204
    assert is_alive(analyst)
    assert is_alive(other)


def test_an_admin_ends_any_key_and_what_it_made(analyst: Party, admin: Party) -> None:
    below = child(analyst)
    assert admin.delete(f"/v1/keys/{analyst.key_id}").status_code == 204
    assert not is_alive(below)


def test_a_successor_takes_the_place_and_the_children(analyst: Party) -> None:
    tomorrow = child(analyst, expires_at=in_days(1))
    below = child(tomorrow)
    answer = tomorrow.post(f"/v1/keys/{tomorrow.key_id}/successor", None)
    assert answer.status_code == 201
    successor = Party(analyst.principal_id, answer.json()["key"], analyst.server, answer.json()["id"])
    assert [is_alive(each) for each in (tomorrow, successor, below)] == [False, True, True]
    lengths = ends(analyst)
    assert lengths[successor.key_id] == lengths[tomorrow.key_id]
    assert problem_code(successor.post(f"/v1/keys/{below.key_id}/successor", None)) == "conflict"
    assert analyst.delete(f"/v1/keys/{successor.key_id}").status_code == 204
    assert not is_alive(below)


def test_a_replaced_key_of_somebody_else_is_not_found(analyst: Party, owner: Party) -> None:
    assert problem_code(analyst.post(f"/v1/keys/{owner.key_id}/successor", None)) == "not-found"


def test_live_keys_are_limited_also_when_they_are_made_at_once(analyst: Party) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: analyst.post("/v1/keys", {}), range(30)))
    made = [answer.json()["id"] for answer in answers if answer.is_success]
    assert len(made) == 19
    assert {problem_code(answer) for answer in answers if answer.is_error} == {"key-quota-exceeded"}
    assert analyst.delete(f"/v1/keys/{made[0]}").status_code == 204
    assert analyst.post("/v1/keys", {}).status_code == 201


def test_a_key_that_was_ended_while_it_waited_makes_no_other(study: Study, server: Server) -> None:
    """A key that another process ended is still cached for a second; its creations are decided under the lock."""
    assert is_alive(study.analyst)
    server.rows("UPDATE api_keys SET revoked_at = 1 WHERE id = :id", id=study.analyst.key_id)
    assert problem_code(study.analyst.post("/v1/keys", {})) == "unauthenticated"


@pytest.fixture
def strict(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Server]:
    """A service that takes thirty requests a minute."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", rate_limit_per_minute="30") as running:
        yield running


def test_ten_keys_are_one_caller(strict: Server) -> None:
    """Seen before: ten self-made keys got 250 of 250 requests through a limit of 30."""
    analyst = strict.new("analyst")
    keys = [analyst, *(child(analyst) for _ in range(9))]
    began = time.monotonic()
    answers = [key.get("/v1/datasets") for key in keys for _ in range(10)]
    passed = [answer for answer in answers if answer.is_success]
    assert len(passed) <= 30 + (time.monotonic() - began) / 2
    limited = next(answer for answer in answers if answer.is_error)
    assert problem_code(limited) == "rate-limited"
    assert 1 <= int(limited.headers["retry-after"]) <= 2, "one request comes free every two seconds"
    until(lambda: analyst.get("/v1/datasets").is_success)


def test_unknown_keys_wait_in_a_queue_of_their_own(server: Server, analyst: Party) -> None:
    """Most of many unknown keys are refused without a read of the database, and known keys wait behind none of them."""
    assert is_alive(analyst)
    stop, refused = threading.Event(), threading.Event()

    def knock(number: int) -> set[int]:
        seen = set[int]()
        # A client each: sixty threads that share one close each other's connections.
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as http:
            while not stop.is_set():
                answer = http.get("/v1/datasets", headers={"Authorization": f"Bearer pp_{number}"})
                assert answer.status_code in {401, 429}
                seen.add(answer.status_code)
                if answer.status_code == 429:
                    refused.set()
        return seen

    with ThreadPoolExecutor(60) as pool:
        knocking = [pool.submit(knock, number) for number in range(60)]
        try:
            assert [analyst.get("/v1/datasets").status_code for _ in range(20)] == [200] * 20
            assert refused.wait(PATIENCE)
        finally:
            stop.set()
        seen = set().union(*(each.result() for each in knocking))
    assert seen == {401, 429}


def test_an_ended_key_changes_nothing_although_a_process_remembers_it(engine: Engine) -> None:
    owner = person(engine, Role.OWNER)
    with reading(engine) as connection:
        key_id = connection.execute(select(api_keys.c.id)).scalar_one()
    caller = Caller(owner.principal_id, Role.OWNER, key_id)
    with writing(engine) as connection:
        revoke_key(connection, caller, key_id)
    body = DatasetCreate.model_validate(registration([3, 4]))
    with pytest.raises(Unauthenticated), writing(engine) as connection:
        register(connection, caller, body, histogram(body), KeyRing.parse(f"k:{new_key()}"))
    with pytest.raises(Unauthenticated), writing(engine) as connection:
        chain.require_acting(connection, caller)


def test_a_token_that_is_merely_issued_leaves_the_successor_of_a_used_key(server: Server, owner: Party) -> None:
    assert is_alive(owner)
    successor = owner.post(f"/v1/keys/{owner.key_id}/successor", {}).json()
    answer = server.admin.post(f"/v1/principals/{owner.principal_id}/enrolment-tokens", {})
    assert answer.status_code == 201, answer.text
    assert is_alive(Party(owner.principal_id, successor["key"], server, successor["id"]))


def test_an_admin_who_is_being_recovered_ends_nobodys_key(server: Server, owner: Party) -> None:
    admin = server.new("admin")
    assert admin.get("/v1/keys").status_code == 200
    token = server.admin.post(f"/v1/principals/{admin.principal_id}/enrolment-tokens", {}).json()["token"]
    recovered = server.enrol(token)
    for key_id in (owner.key_id, admin.key_id):
        assert problem_code(recovered.delete(f"/v1/keys/{key_id}")) == "recovery-pending"
    assert is_alive(owner)
    assert admin.get("/v1/keys").status_code == 200
