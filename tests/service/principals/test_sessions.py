"""Keys of browser sessions: they end after hours, have their own limit, and cannot loosen any restriction."""

from __future__ import annotations

from typing import Any

import pytest

from service.database.engine import open_engine, reading
from service.errors import KeyRequired
from service.identifiers.identifiers import now, timestamp
from service.principals.auth import Caller, confirmed_until, require_confirmed
from service.principals.keys import MAX_SESSIONS, SESSION_SECONDS
from service.schemas.principals import Role
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study


def session(party: Party, **body: Any) -> Party:
    answer = party.post("/v1/keys", {"kind": "session"} | body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["kind"] == "session"
    return Party(party.principal_id, answer.json()["key"], party.server, answer.json()["id"])


def is_alive(party: Party) -> bool:
    return party.get("/v1/datasets").status_code == 200


def test_a_session_ends_within_eight_hours_and_with_the_key_that_made_it(owner: Party) -> None:
    open_session = session(owner)
    listed = {each["id"]: each for each in owner.get("/v1/keys").json()["items"]}[open_session.key_id]
    assert listed["parent_id"] == owner.key_id
    assert listed["expires_at"] <= timestamp(now() + SESSION_SECONDS)
    late = owner.post("/v1/keys", {"kind": "session", "expires_at": timestamp(now() + SESSION_SECONDS + 60)})
    assert late.json()["errors"][0]["location"] == "body.expires_at"
    soon = timestamp(now() + 600)
    short = owner.post("/v1/keys", {"expires_at": soon}).json()
    below = session(Party(owner.principal_id, short["key"], owner.server))
    assert {each["id"]: each["expires_at"] for each in owner.get("/v1/keys").json()["items"]}[below.key_id] == soon
    assert owner.delete(f"/v1/keys/{open_session.key_id}").status_code == 204
    assert not is_alive(open_session)


def test_another_session_ends_the_oldest_and_expired_ones_do_not_count(server: Server, owner: Party) -> None:
    sessions = [session(owner) for _ in range(MAX_SESSIONS)]
    assert all(map(is_alive, sessions))
    server.rows("UPDATE api_keys SET expires_at = 1 WHERE id = :id", id=sessions[5].key_id)
    sessions.append(session(owner))
    assert is_alive(sessions[0])
    sessions.append(session(owner))
    assert [is_alive(each) for each in sessions[:2]] == [False, True]
    assert is_alive(sessions[-1])


def test_an_admin_lists_their_own_keys_alone(server: Server, owner: Party) -> None:
    everybody, own = (server.admin.get("/v1/keys", limit=200, own=each).json()["items"] for each in ("false", "true"))
    assert {each["principal_id"] for each in own} == {server.admin.principal_id}
    assert len(everybody) > len(own)
    assert [each["id"] for each in owner.get("/v1/keys", own="true").json()["items"]] == [owner.key_id]


def test_sessions_take_no_place_of_a_lasting_key(owner: Party) -> None:
    for _ in range(3):
        session(owner)
    assert owner.get("/v1/quotas").json()["keys"]["used"] == 1


def test_a_session_makes_no_keys(owner: Party) -> None:
    browser = session(owner)
    for body in ({}, {"kind": "session"}):
        assert problem_code(browser.post("/v1/keys", body)) == "key-required"
    assert problem_code(browser.post(f"/v1/keys/{browser.key_id}/successor", {})) == "key-required"


@pytest.mark.parametrize(
    ("prepared", "change", "allowed"),
    [
        ({}, {"epsilon": "0.9"}, True),
        ({}, {"epsilon": "1.1"}, False),
        ({}, {"delta": "2e-6"}, False),
        ({}, {"frozen": True}, True),
        ({"frozen": True}, {"frozen": False}, False),
        ({"release_cap": {"epsilon": "0.5", "delta": "0"}}, {"release_cap": {"epsilon": "0.4", "delta": "0"}}, True),
        ({"release_cap": {"epsilon": "0.5", "delta": "0"}}, {"release_cap": {"epsilon": "0.6", "delta": "0"}}, False),
        ({"release_cap": {"epsilon": "0.5", "delta": "0"}}, {"release_cap": None}, False),
        ({"allowed_mechanisms": ["laplace"]}, {"allowed_mechanisms": None}, False),
        ({"allowed_mechanisms": ["laplace"]}, {"allowed_mechanisms": ["laplace", "gaussian"]}, False),
        ({"allowed_mechanisms": ["laplace", "gaussian"]}, {"allowed_mechanisms": ["laplace"]}, True),
    ],
)
def test_a_session_can_tighten_a_budget_and_not_loosen_it(
    study: Study, prepared: dict[str, Any], change: dict[str, Any], *, allowed: bool
) -> None:
    path = f"/v1/budgets/{study.budget_id}"
    if prepared:
        assert study.owner.patch(path, prepared).status_code == 200
    before = study.ledger()
    answer = session(study.owner).patch(path, change)
    if allowed:
        assert answer.status_code == 200, answer.text
        return
    assert problem_code(answer) == "key-required"
    assert study.ledger() == before
    assert study.owner.patch(path, change).status_code == 200


def test_a_session_closes_a_grant_and_neither_gives_nor_raises_one(study: Study, server: Server) -> None:
    browser, other = session(study.owner), server.new("analyst")
    given = {"principal_id": other.principal_id, "epsilon": "0.1", "delta": "0"}
    assert problem_code(browser.post(f"/v1/datasets/{study.dataset_id}/grants", given)) == "key-required"
    for change in ({"epsilon": "0.6"}, {"closed": False}, {"expires_at": None}, {"closed": True, "epsilon": "1"}):
        assert problem_code(browser.patch(f"/v1/grants/{study.grant_id}", change)) == "key-required"
    assert browser.patch(f"/v1/grants/{study.grant_id}", {"closed": True}).status_code == 200


def test_a_session_declines_a_request_and_approves_none(study: Study, server: Server) -> None:
    study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True})
    browser, asked = session(study.owner), {"epsilon": "0.1", "delta": "0", "purpose": "a report"}
    paths = []
    for _ in range(2):
        made = server.new("analyst").post(f"/v1/datasets/{study.dataset_id}/access-requests", asked).json()
        paths.append(f"/v1/access-requests/{made['id']}")
    before = study.ledger()
    assert problem_code(browser.patch(paths[0], {"state": "approved"})) == "key-required"
    assert study.ledger() == before
    assert browser.patch(paths[1], {"state": "declined", "reason": "not now"}).status_code == 200
    assert study.owner.patch(paths[0], {"state": "approved"}).status_code == 200


def test_a_session_deletes_nothing_and_takes_over_nobody(study: Study, server: Server) -> None:
    assert problem_code(session(study.owner).delete(f"/v1/datasets/{study.dataset_id}")) == "key-required"
    admin = session(server.admin)
    person = f"/v1/principals/{study.analyst.principal_id}"
    assert problem_code(admin.delete(person)) == "key-required"
    assert problem_code(admin.post(f"{person}/enrolment-tokens", {})) == "key-required"


def confirmed(party: Party) -> Party:
    """A session that the person's key has just confirmed."""
    browser = session(party)
    answer = party.post(f"/v1/keys/{browser.key_id}/confirmation", {})
    assert answer.status_code == 200, answer.text
    assert browser.get("/v1/me").json()["confirmed_until"] == answer.json()["confirmed_until"]
    return browser


def test_a_confirmed_session_approves_grants_raises_and_unfreezes(study: Study, server: Server) -> None:
    browser, other, asking = confirmed(study.owner), server.new("analyst"), server.new("analyst")
    given = {"principal_id": other.principal_id, "epsilon": "0.1", "delta": "0"}
    assert browser.post(f"/v1/datasets/{study.dataset_id}/grants", given).status_code == 201
    assert browser.patch(f"/v1/grants/{study.grant_id}", {"epsilon": "0.6"}).status_code == 200
    assert browser.patch(f"/v1/budgets/{study.budget_id}", {"epsilon": "1.5", "frozen": True}).status_code == 200
    assert browser.patch(f"/v1/budgets/{study.budget_id}", {"frozen": False}).status_code == 200
    assert browser.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True}).status_code == 200
    asked = {"epsilon": "0.1", "delta": "0", "purpose": "a report"}
    made = asking.post(f"/v1/datasets/{study.dataset_id}/access-requests", asked).json()
    assert browser.patch(f"/v1/access-requests/{made['id']}", {"state": "approved"}).status_code == 200


def test_a_confirmed_session_makes_no_lasting_power(study: Study, server: Server) -> None:
    """Its thief could: invite an admin, end the person's own keys, replace counts, and share a history."""
    browser, admin = confirmed(study.owner), confirmed(server.admin)
    data = f"/v1/datasets/{study.dataset_id}"
    refused = [
        admin.post("/v1/principals", {"role": "admin", "name": "a thief"}),
        admin.delete(f"/v1/keys/{study.owner.key_id}"),
        browser.delete(f"/v1/keys/{study.owner.key_id}"),
        browser.post("/v1/keys", {}),
        browser.post(f"/v1/keys/{browser.key_id}/confirmation", {}),
        browser.patch(data, {"counts": [1, 2]}),
        browser.patch(data, {"named_counts": [{"cell": ["case"], "count": 1}, {"cell": ["none"], "count": 2}]}),
        browser.patch(data, {"history_shared": True}),
        browser.delete(data),
    ]
    assert [problem_code(each) for each in refused] == ["key-required"] * len(refused)
    assert browser.patch(data, {"name": "renamed", "history_shared": False}).status_code == 200
    assert browser.delete(f"/v1/keys/{browser.key_id}").status_code == 204, "sign-out"
    assert not is_alive(browser)


def test_a_confirmation_ends_after_ten_minutes_and_is_of_one_session(
    study: Study, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, other = confirmed(study.owner), session(study.owner)
    raised = {"epsilon": "1.1"}
    assert problem_code(other.patch(f"/v1/budgets/{study.budget_id}", raised)) == "key-required"
    assert study.owner.post(f"/v1/keys/{study.owner.key_id}/confirmation", {}).status_code == 404
    stranger = server.new("owner")
    assert stranger.post(f"/v1/keys/{other.key_id}/confirmation", {}).status_code == 404
    engine = open_engine(server.owner_database_url)
    who = Caller(study.owner.principal_id, Role.OWNER, browser.key_id, is_session=True)
    try:
        with reading(engine) as connection:
            until = confirmed_until(connection, who)
            assert until is not None
            assert now() < until <= now() + 600
            monkeypatch.setattr("service.principals.auth.now", lambda: until - 1)
            require_confirmed(connection, who)
            monkeypatch.setattr("service.principals.auth.now", lambda: until)
            with pytest.raises(KeyRequired):
                require_confirmed(connection, who)
    finally:
        engine.dispose()
