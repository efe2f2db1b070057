"""How people get keys that no other person has seen, and acts that an admin cannot do in their name."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, create_engine

from service.database.engine import writing
from service.errors import TokenInvalid
from service.identifiers.canonical_json import netstrings
from service.principals import enrolment, people
from service.principals.auth import COMMAND_LINE, Caller
from service.principals.people import create_principal
from service.reports import dataset_statement
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, unique
from tests.harness.deadlines import until
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body, make_study

DAY = 86_400


def invite(server: Server, role: str) -> dict[str, Any]:
    """The token that an admin gets for a new person."""
    answer = server.admin.post("/v1/principals", {"role": role, "name": unique(role)})
    assert answer.status_code == 201
    invited: dict[str, Any] = answer.json()
    return invited


def token_for(party: Party) -> dict[str, Any]:
    answer = party.server.admin.post(f"/v1/principals/{party.principal_id}/enrolment-tokens", None)
    assert answer.status_code == 201
    issued: dict[str, Any] = answer.json()
    return issued


def exchange(server: Server, secret: str) -> httpx.Response:
    return server.http.post("/v1/enrolments", json={"token": secret})


def use(party: Party) -> None:
    """A first request, and the moment until its use is recorded."""
    assert party.get("/v1/keys").status_code == 200
    used = "SELECT 1 FROM api_keys WHERE id = :id AND last_used_at IS NOT NULL"
    until(lambda: party.server.rows(used, id=party.key_id))


def chain(party: Party) -> list[dict[str, Any]]:
    answer = party.get(f"/v1/principals/{party.principal_id}/entries")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["items"]
    return entries


def test_an_admin_gets_a_token_and_never_a_key(server: Server) -> None:
    invited = invite(server, "owner")
    assert "key" not in invited
    assert problem_code(server.admin.post("/v1/keys", {"principal_id": invited["id"]})) == "invalid-request"
    (row,) = server.rows("SELECT * FROM enrolments WHERE principal_id = :id", id=invited["id"])
    assert invited["enrolment"]["token"] not in str(row)
    assert row.expires_at - row.created_at == DAY


def test_a_token_is_exchanged_once_and_a_second_exchange_says_when(server: Server) -> None:
    token = invite(server, "analyst")["enrolment"]["token"]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: exchange(server, token), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    (enrolled,) = (answer.json() for answer in answers if answer.is_success)
    refused = next(answer for answer in answers if answer.is_error)
    assert problem_code(refused) == "token-already-used"
    assert refused.json()["used_at"] == enrolled["created_at"]
    assert Party(enrolled["principal_id"], enrolled["key"], server).get("/v1/keys").status_code == 200


def test_a_token_that_is_unknown_expired_or_replaced_gives_nothing(server: Server) -> None:
    invited = invite(server, "analyst")
    newer = server.admin.post(f"/v1/principals/{invited['id']}/enrolment-tokens", None).json()
    late = invite(server, "analyst")
    server.rows("UPDATE enrolments SET expires_at = 1 WHERE principal_id = :id", id=late["id"])
    for secret in ("ppe_unknown", invited["enrolment"]["token"], late["enrolment"]["token"]):
        answer = exchange(server, secret)
        assert (answer.status_code, problem_code(answer)) == (404, "token-invalid")
    assert exchange(server, newer["token"]).status_code == 201


def test_an_expired_token_gives_nothing_if_the_clock_goes_back(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with writing(engine) as connection:
        principal_id = create_principal(connection, Role.ANALYST, "somebody")
        token = enrolment.issue_token(connection, principal_id, by=COMMAND_LINE)
    with writing(engine) as connection:
        enrolment.end_expired_tokens(connection)
        assert enrolment.find(connection, token.token).id == token.id
        monkeypatch.setattr(enrolment, "now", lambda: token.expires_at)
        enrolment.end_expired_tokens(connection)
        monkeypatch.undo()
        with pytest.raises(TokenInvalid):
            enrolment.find(connection, token.token)


def test_a_new_token_ends_what_the_first_gave_and_was_never_used(server: Server) -> None:
    invited = invite(server, "owner")
    stolen = exchange(server, invited["enrolment"]["token"]).json()
    second = server.admin.post(f"/v1/principals/{invited['id']}/enrolment-tokens", None).json()
    assert second["recovers"] is False
    assert problem_code(Party(invited["id"], stolen["key"], server).get("/v1/keys")) == "unauthenticated"
    assert problem_code(exchange(server, stolen["recovery_code"])) == "token-invalid"
    person = server.enrol(second["token"])
    assert person.get("/v1/keys").status_code == 200
    kinds = [entry["kind"] for entry in chain(person)]
    assert kinds == ["token_issued", "enrolled", "key_revoked", "token_issued", "enrolled"]


def test_an_admin_who_recovers_an_owner_can_change_and_release_nothing(study: Study, server: Server) -> None:
    """Seen before: the exact counts were released, at epsilon 50 of a total raised to 1000, under the owner's name and
    without an entry.
    """
    use(study.owner)
    paid = study.owner.release(study.dataset_id, key="before")
    taken = exchange(server, token_for(study.owner)["token"]).json()
    thief = Party(study.owner.principal_id, taken["key"], server, taken["id"])
    assert taken["frozen_until"] is not None
    before = study.ledger()
    attempts = [
        thief.patch(f"/v1/budgets/{study.budget_id}", {"epsilon": "1000"}),
        thief.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.2"}),
        thief.post("/v1/budgets", budget_body()),
        thief.post("/v1/datasets", dataset_body()),
        thief.patch(f"/v1/budgets/{study.budget_id}", {"name": "mine"}),
        thief.patch(f"/v1/budgets/{study.budget_id}", {"low_budget_percent": 1}),
        thief.patch(f"/v1/budgets/{study.budget_id}", {"epsilon": "0.9", "frozen": True, "name": "mine"}),
        thief.patch(f"/v1/grants/{study.grant_id}", {"epsilon": "1"}),
        thief.patch(f"/v1/grants/{study.grant_id}", {"closed": True, "epsilon": "0.6"}),
        thief.post(
            f"/v1/datasets/{study.dataset_id}/grants",
            {"principal_id": server.new("analyst").principal_id, "epsilon": "1", "delta": 0},
        ),
        thief.patch(f"/v1/releases/{paid.json()['id']}", {"public": True}),
        thief.delete(f"/v1/datasets/{study.dataset_id}"),
        thief.post("/v1/keys", {}),
        thief.post(f"/v1/keys/{thief.key_id}/successor", None),
        thief.delete(f"/v1/principals/{thief.principal_id}/recovery"),
        exchange(server, taken["recovery_code"]),
    ]
    assert {problem_code(answer) for answer in attempts} == {"recovery-pending"}
    assert study.ledger() == before
    assert thief.release(study.dataset_id, key="before").content == paid.content, "a replay stays free"


def test_any_older_key_vetoes_a_recovery(study: Study, server: Server) -> None:
    use(study.owner)
    taken = exchange(server, token_for(study.owner)["token"]).json()
    assert problem_code(study.owner.release(study.dataset_id)) == "recovery-pending"
    assert problem_code(study.analyst.delete(f"/v1/principals/{study.owner.principal_id}/recovery")) == "not-found"
    assert study.owner.delete(f"/v1/principals/{study.owner.principal_id}/recovery").status_code == 204
    assert problem_code(Party("", taken["key"], server).get("/v1/keys")) == "unauthenticated"
    assert problem_code(exchange(server, taken["recovery_code"])) == "token-invalid"
    assert study.owner.release(study.dataset_id).status_code == 201
    assert [entry["kind"] for entry in chain(study.owner)][-4:] == [
        "token_issued",
        "recovery_started",
        "key_revoked",
        "recovery_vetoed",
    ]
    assert problem_code(study.owner.delete(f"/v1/principals/{study.owner.principal_id}/recovery")) == "conflict"


def _veto(party: Party) -> httpx.Response:
    return party.delete(f"/v1/principals/{party.principal_id}/recovery")


@pytest.mark.parametrize("ended_first", [True, False])
def test_an_admin_who_ends_the_older_keys_ends_no_veto(study: Study, server: Server, *, ended_first: bool) -> None:
    """Seen before: an owner whose keys were ended by the admin who recovered it could do nothing."""
    use(study.owner)
    token = token_for(study.owner)["token"]
    taken = None if ended_first else exchange(server, token).json()
    assert server.admin.delete(f"/v1/keys/{study.owner.key_id}").status_code == 204
    assert problem_code(study.owner.get("/v1/keys")) == "unauthenticated"
    taken = taken or exchange(server, token).json()
    stranger = Party(study.owner.principal_id, study.owner.key + "x", server)
    assert problem_code(_veto(stranger)) == "unauthenticated"
    assert _veto(study.owner).status_code == 204
    assert problem_code(Party("", taken["key"], server).get("/v1/keys")) == "unauthenticated"
    assert problem_code(study.owner.get("/v1/keys")) == "unauthenticated", "it counts for nothing else"


def test_a_key_that_ended_in_another_way_vetoes_nothing(owner: Party) -> None:
    """One that its owner ended, that ended long before, that was replaced, that was a thief's."""
    server = owner.server
    use(owner)
    own = Party(owner.principal_id, (made := owner.post("/v1/keys", {}).json())["key"], server, made["id"])
    use(own)
    assert own.delete(f"/v1/keys/{own.key_id}").status_code == 204
    thief = server.enrol(token_for(owner)["token"])
    use(thief)
    replaced = owner
    assert _veto(owner).status_code == 204
    owner = Party(owner.principal_id, owner.post(f"/v1/keys/{owner.key_id}/successor", None).json()["key"], server)
    taken = server.enrol(token_for(owner)["token"])
    for each in (own, thief, replaced):
        assert problem_code(_veto(each)) == "unauthenticated"
    old = server.rows("SELECT id FROM api_keys WHERE principal_id = :id AND revoked_at IS NULL", id=owner.principal_id)
    (key_id,) = {row.id for row in old} - {taken.key_id}
    use(Party(owner.principal_id, owner.key, server, key_id))
    assert server.admin.delete(f"/v1/keys/{key_id}").status_code == 204
    server.rows("UPDATE api_keys SET revoked_at = revoked_at - 8 * 86400 WHERE id = :id", id=key_id)
    assert problem_code(_veto(owner)) == "unauthenticated"
    server.rows("UPDATE api_keys SET revoked_at = revoked_at + 2 * 86400 WHERE id = :id", id=key_id)
    assert _veto(owner).status_code == 204


def _key_made_by(party: Party, path: str) -> Party:
    answer = party.post(path, None if path.endswith("successor") else {})
    assert answer.status_code == 201, answer.text
    return Party(party.principal_id, answer.json()["key"], party.server, answer.json()["id"])


def test_a_new_key_of_somebody_who_uses_keys_vetoes_before_its_first_use(server: Server) -> None:
    """Seen before: a person who replaced a key, or kept another one for this purpose, lost the veto when an admin ended
    it.
    """
    replaced, parent, recovered = (server.new("owner") for _ in range(3))
    for each in (replaced, parent, recovered):
        use(each)
    again = server.enrol(recovered.recovery_code)
    for kept, ended in (
        (successor := _key_made_by(replaced, f"/v1/keys/{replaced.key_id}/successor"), successor),
        (_key_made_by(parent, "/v1/keys"), parent),
        (again, again),
    ):
        assert server.admin.delete(f"/v1/keys/{ended.key_id}").status_code == 204
        taken = server.enrol(token_for(kept)["token"])
        assert _veto(kept).status_code == 204
        assert problem_code(taken.get("/v1/keys")) == "unauthenticated"


def test_a_token_does_not_end_a_key_from_the_recovery_code(server: Server) -> None:
    """Seen before: the key ended with the token, as if its holder had used another person's token first."""
    owner = server.new("owner")
    use(owner)
    again = server.enrol(owner.recovery_code)
    assert token_for(owner)["recovers"] is True
    assert _veto(again).status_code == 204
    assert again.get("/v1/keys").status_code == 200


def test_an_older_key_ends_a_token_that_nobody_exchanged_yet(owner: Party) -> None:
    use(owner)
    token = token_for(owner)["token"]
    assert owner.delete(f"/v1/principals/{owner.principal_id}/recovery").status_code == 204
    assert problem_code(exchange(owner.server, token)) == "token-invalid"


def test_a_recovery_that_nobody_vetoes_ends_and_stays_in_every_statement(study: Study, server: Server) -> None:
    use(study.owner)
    recovered = server.enrol(token_for(study.owner)["token"])
    server.rows("UPDATE principals SET frozen_until = 1000000000 WHERE id = :id", id=recovered.principal_id)
    assert recovered.release(study.dataset_id).status_code == 201
    assert problem_code(exchange(server, study.owner.recovery_code)) == "token-invalid"
    statement = recovered.get(f"/v1/datasets/{study.dataset_id}/statement").json()
    (recovery,) = statement["recoveries"]
    assert (recovery["principal_id"], recovery["vetoed_at"]) == (recovered.principal_id, None)
    assert any("recovered access" in paragraph for paragraph in statement["summary"])
    assert "recovered access" in recovered.get(f"/v1/datasets/{study.dataset_id}/statement.txt").text


def test_a_replaced_recovery_is_not_reported_as_vetoed(study: Study, server: Server) -> None:
    """Seen before: the statement said that the first was vetoed, which had not happened."""
    use(study.owner)
    use(server.enrol(token_for(study.owner)["token"]))
    again = server.enrol(token_for(study.owner)["token"])
    statement = again.get(f"/v1/datasets/{study.dataset_id}/statement").json()
    first, second = statement["recoveries"]
    assert (first["vetoed_at"], second["vetoed_at"], second["replaced_at"]) == (None, None, None)
    assert first["replaced_at"] is not None
    (told,) = [each for each in statement["summary"] if "replaced it" in each]
    assert "vetoed" not in told
    assert sum("until then it can be vetoed" in each for each in statement["summary"]) == 1
    assert not any("nobody vetoed it" in each for each in statement["summary"])
    assert _veto(study.owner).status_code == 204
    first, second = study.owner.get(f"/v1/datasets/{study.dataset_id}/statement").json()["recoveries"]
    assert (first["vetoed_at"], second["replaced_at"]) == (None, None)
    assert second["vetoed_at"] is not None


def test_a_statement_counts_the_recoveries_that_it_does_not_list(
    study: Study, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(study.owner)
    for _ in range(3):
        use(server.enrol(token_for(study.owner)["token"]))
    monkeypatch.setattr(people, "_MAX_LISTED_RECOVERIES", 2)
    owner = Caller(study.owner.principal_id, Role.OWNER, "key_x")
    engine = create_engine(server.owner_database_url)
    with engine.connect() as connection:
        listed, earlier = people.stated_recoveries(connection, {study.owner.principal_id})
        statement = dataset_statement.get_statement(connection, owner, study.dataset_id, after=0, limit=1)
    engine.dispose()
    assert [each.replaced_at is None for each in listed] == [False, True]
    assert (earlier, statement.earlier_recoveries) == (1, 1)
    assert "Before the recoveries listed next, admins recovered access once." in statement.summary


def test_the_recovery_code_brings_a_key_without_an_admin_and_ends_the_keys_of_before(
    study: Study, server: Server
) -> None:
    use(study.owner)
    token = token_for(study.owner)["token"]
    again = server.enrol(study.owner.recovery_code)
    assert again.principal_id == study.owner.principal_id
    assert again.release(study.dataset_id).status_code == 201, "nothing is frozen"
    assert problem_code(study.owner.get("/v1/keys")) == "unauthenticated"
    assert problem_code(exchange(server, study.owner.recovery_code)) == "token-already-used"
    assert problem_code(exchange(server, token)) == "token-invalid"
    assert server.enrol(again.recovery_code).get("/v1/keys").status_code == 200


def test_the_code_of_before_ends_a_recovery(study: Study, server: Server) -> None:
    use(study.owner)
    taken = exchange(server, token_for(study.owner)["token"]).json()
    again = server.enrol(study.owner.recovery_code)
    assert problem_code(Party("", taken["key"], server).get("/v1/keys")) == "unauthenticated"
    assert again.release(study.dataset_id).status_code == 201


def test_a_recovered_admin_lets_nobody_in_meanwhile(server: Server) -> None:
    admin = server.new("admin")
    use(admin)
    taken = server.enrol(token_for(admin)["token"])
    for answer in (
        taken.post("/v1/principals", {"role": "owner", "name": "x"}),
        taken.post(f"/v1/principals/{admin.principal_id}/enrolment-tokens", None),
        taken.delete(f"/v1/principals/{admin.principal_id}"),
    ):
        assert problem_code(answer) == "recovery-pending"


def test_the_chain_of_a_principal_is_linked_and_open_to_oneself_and_to_admins(
    server: Server, owner: Party, analyst: Party
) -> None:
    owner.post("/v1/keys", {})
    previous = hashlib.sha256(netstrings("private-posterior principal genesis 1", owner.principal_id)).hexdigest()
    rows = server.rows(
        "SELECT * FROM principal_entries WHERE principal_id = :id ORDER BY sequence", id=owner.principal_id
    )
    assert [row.hash for row in rows] == [entry["hash"] for entry in chain(owner)]
    for sequence, row in enumerate(rows, start=1):
        content = netstrings(
            "private-posterior principal entry 1", previous, row.principal_id, sequence, row.kind, row.actor_id,
            row.subject_id, row.detail, row.created_at,
        )  # fmt: skip
        previous = hashlib.sha256(content).hexdigest()
        assert row.hash == previous
    address = f"/v1/principals/{owner.principal_id}/entries"
    assert server.admin.get(address).json()["items"] == chain(owner)
    assert problem_code(analyst.get(address)) == "not-found"


def test_a_revoked_principal_is_not_brought_back_by_a_token_or_a_code(server: Server) -> None:
    invited, person = invite(server, "analyst"), server.new("analyst")
    for principal_id in (invited["id"], person.principal_id):
        assert server.admin.delete(f"/v1/principals/{principal_id}").status_code == 204
        assert problem_code(server.admin.post(f"/v1/principals/{principal_id}/enrolment-tokens", None)) == "not-found"
    for secret in (invited["enrolment"]["token"], person.recovery_code):
        assert problem_code(exchange(server, secret)) == "token-invalid"


def test_the_first_study_of_newcomers_works(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    assert study.analyst.release(study.dataset_id).status_code == 201
