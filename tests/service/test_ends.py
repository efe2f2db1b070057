"""What ends when this ends: every end of a person, key, invitation, session, grant, request, data set, budget, recovery
and publication, with every operation of the document. `ends.csv` is made from `ENDS`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from service.web.operations import ANYONE
from service.web.operations import OPERATIONS as OPERATION_WORDS
from tests.harness.bodies import budget_body, of_releases, querying, release_body, unique
from tests.harness.published import OPERATIONS, bodies, body_schema
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body, end_grant
from tests.service.principals.test_enrolment import exchange, token_for, use
from tests.service.test_roles import filled, plant_job

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RECORD: Final = Path(__file__).parent / "ends.csv"
ATTRIBUTES: Final = [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}]
QUERIES: Final = querying({"of": {"where": {"outcome": ["ill"]}}, "half_width": 1000.0})
BODIES: Final[dict[str, Any]] = {
    "create_release": release_body("0.01", 4),
    "create_quote": release_body("0.01", 4),
    "compute_estimates": {"all": 1},
    "change_access_request": {"state": "withdrawn"},
    "compute_posterior": of_releases(f"rel_{'a' * 26}"),
    "compute_public_posterior": of_releases(f"rel_{'a' * 26}"),
}
"""Bodies that succeed on the study, where the example of the document is about another table."""
PAID: Final = ("create_release",)
OF_KINDS: Final = {"counts": release_body("0.01", 4), "margins": {"all": 1, "epsilon": "0.02"}, "queries": QUERIES}
OF_DATASET: Final = ("compute_estimates", "create_quote", "create_release", "get_allowance", "get_dataset")
"""Operations of a grant's holder on the data set."""
LISTED: Final = ("create_access_request", "get_listed_dataset")
PUBLIC: Final = (
    *("compute_public_posterior", "get_public_release", "get_public_release_evidence"),
    "plot_public_release",
)
KEYED: Final = tuple(sorted(name for name in OPERATIONS if OPERATION_WORDS[name].role != ANYONE))
_PERSON_BY_KEY: Final = {"new key": "owner"}
"""Names of parties who are another party with another key."""
_LAST_OPERATIONS: Final = (
    "delete_job",
    "delete_dataset",
    "revoke_principal",
    "revoke_key",
    "veto_recovery",
    "replace_key",
)
"""Operations that end something themselves, and are sent last, in this order."""


@dataclass(slots=True)
class World:
    """A study of a cross table, with an object of each kind; `who` are the parties by name."""

    server: Server
    study: Study
    who: dict[str, Party]
    release_ids: dict[str, str]
    """Ids of releases by kind; `""` is the one that requests name."""
    token: str
    """An invitation that an admin issued and nobody exchanged."""
    request_id: str
    jobs: dict[str, str] = field(default_factory=dict)
    spare: dict[str, str] = field(default_factory=dict)
    """Another key of a party, which the key of the party issued."""

    def ids(self, name: str, who: str) -> dict[str, str]:
        """The ids that a request of this operation names."""
        study, person = self.study, _PERSON_BY_KEY.get(who, who)
        return {
            "access_request_id": self.request_id,
            "dataset_id": study.dataset_id,
            "budget_id": study.budget_id,
            "grant_id": study.grant_id,
            "principal_id": self.who[who].principal_id,
            "key_id": self.spare.get(person, f"key_{'a' * 26}") if name == "revoke_key" else self.who[who].key_id,
            "job_id": self.jobs.get(person, f"job_{'a' * 26}"),
            "code": "not-found",
            "release_id": self.release_ids[""],
        }

    def ask(self, name: str, who: str) -> str:
        """The problem with which the operation is refused, or "yes"."""
        method, path, operation = OPERATIONS[name]
        ids = self.ids(name, who)
        body: Any = None
        if "requestBody" in operation:
            body = filled(BODIES.get(name) or bodies(body_schema(operation))[0], ids)
        if name == "create_enrolment":
            body = {"token": self.token if who == "nobody" else "ppe_" + "a" * 43}
        headers = {"Idempotency-Key": unique("key").replace(" ", "-")}
        answer = self.who[who].request(method, path.format_map(ids), json=body, headers=headers)
        return problem_code(answer) if answer.is_error else "yes"


def make_world(server: Server) -> World:
    owner, analyst, asking, admin = (server.new(role) for role in ("owner", "analyst", "analyst", "admin"))
    body = dataset_body(
        counts=[700, 600, 500, 400], attributes=ATTRIBUTES, budget={"kind": "new", "budget": budget_body(epsilon="20")}
    )
    del body["labels"]
    dataset = made(owner.post("/v1/datasets", body))
    path = f"/v1/datasets/{dataset['id']}"
    grant = made(owner.post(f"{path}/grants", {"principal_id": analyst.principal_id, "epsilon": "10", "delta": "0"}))
    study = Study(owner, dataset["id"], dataset["budget_id"], analyst, grant["id"])
    made(owner.patch(path, {"listed": True}))
    purpose = {"epsilon": "0.1", "delta": "0", "purpose": "to see"}
    request_id = made(asking.post(f"{path}/access-requests", purpose))["id"]
    release, margins, queries = (
        made(analyst.request("POST", f"{path}/releases", json=body, headers={"Idempotency-Key": kind}))
        for kind, body in OF_KINDS.items()
    )
    for each in (release["id"], margins["id"]):
        made(owner.patch(f"/v1/releases/{each}", {"public": True}))
    invited = made(admin.post("/v1/principals", {"role": "analyst", "name": unique("invited")}))
    ids = {"": release["id"], "margins": margins["id"], "queries": queries["id"]}
    session = made(owner.post("/v1/keys", {"kind": "session"}))
    who = {
        "owner": owner,
        "analyst": analyst,
        "asking": asking,
        "admin": admin,
        "session": Party(owner.principal_id, session["key"], server, session["id"]),
        "nobody": replace(owner, key="pp_nobody", key_id=f"key_{'a' * 26}"),
    }
    world = World(server, study, who, ids, invited["enrolment"]["token"], request_id)
    for name in ("owner", "analyst"):
        number = unique("x").split()[1].rjust(26, "a").translate(str.maketrans("0189", "abcd"))
        world.jobs[name] = f"job_{number}"
        person = who[name].principal_id
        plant_job(server, f"job_{number}", person, kind="plan", state="ready", result="{}")
        world.spare[name] = made(who[name].post("/v1/keys", {}))["id"]
    return world


def made(answer: Any) -> dict[str, Any]:
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def everything(world: World, who: str) -> dict[str, str]:
    """The outcome of every operation for this party, reads first, and what ends something last."""
    first = [name for name in OPERATIONS if name not in _LAST_OPERATIONS]
    first.sort(key=lambda name: "GET POST PATCH PUT DELETE".index(OPERATIONS[name][0]))
    return {name: world.ask(name, who) for name in (*first, *_LAST_OPERATIONS)}


Changed = dict[str, tuple[str, ...]]
"""Operations by the outcome that they have after an end, and did not have before."""


@dataclass(frozen=True, slots=True)
class Concerned:
    """A party after an end."""

    who: str
    words: str
    changed: Changed


@dataclass(frozen=True, slots=True)
class End:
    """An end, and the parties that it concerns."""

    what: str
    end: Callable[[World], object]
    concerned: tuple[Concerned, ...]

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the record."""
        return [[self.what, each.words, _changes_in_words(each.changed)] for each in self.concerned]


def _changes_in_words(changed: Changed) -> str:
    parts = [
        f"{_operations(names)} {'is possible again' if outcome == 'yes' else f'({outcome})'}"
        for outcome, names in changed.items()
    ]
    return "; ".join(parts) or "nothing"


def _operations(names: tuple[str, ...]) -> str:
    if names == KEYED:
        return "every operation with a key"
    if len(names) > len(KEYED) - 5:
        return f"every operation with a key, except {_names_text(sorted(set(KEYED) - set(names)))}"
    return f"every charge{_conjunction(names, PAID)}" if set(PAID) <= set(names) else _names_text(names)


def _conjunction(names: tuple[str, ...], known: tuple[str, ...]) -> str:
    rest = [name for name in names if name not in known]
    return f", {_names_text(rest)}" if rest else ""


def _names_text(names: Sequence[str]) -> str:
    return ", ".join(names)


def _revoke(who: str) -> Callable[[World], object]:
    return lambda world: world.server.admin.delete(f"/v1/principals/{world.who[who].principal_id}")


def _end_key(who: str, by: str) -> Callable[[World], object]:
    def end(world: World) -> None:
        party = world.server.admin if by == "admin" else world.who[by]
        assert party.delete(f"/v1/keys/{world.who[who].key_id}").status_code == 204

    return end


def _replace_key(world: World) -> None:
    made(world.who["analyst"].post(f"/v1/keys/{world.who['analyst'].key_id}/successor", None))


def _recover(world: World) -> None:
    """Start a recovery of the owner; `new key` is the owner with the key that it made."""
    owner = world.who["owner"]
    use(owner)
    key = exchange(world.server, token_for(owner)["token"]).json()
    world.who["new key"] = Party(owner.principal_id, key["key"], world.server, key["id"])


def _veto(world: World) -> None:
    _recover(world)
    owner = world.who["owner"]
    assert owner.delete(f"/v1/principals/{owner.principal_id}/recovery").status_code == 204


def _recover_by_code(world: World) -> None:
    made(exchange(world.server, world.who["owner"].recovery_code))


def _patch(kind: str, **change: Any) -> Callable[[World], object]:
    def end(world: World) -> None:
        made(world.who["owner"].patch(f"/v1/{kind}/{world.ids('', 'owner')[f'{kind[:-1]}_id']}", change))

    return end


def _decide(who: str, **change: Any) -> Callable[[World], object]:
    return lambda world: made(world.who[who].patch(f"/v1/access-requests/{world.request_id}", change))


def _exchange(world: World) -> None:
    made(exchange(world.server, world.token))


def _withdraw_releases(world: World) -> None:
    for each in set(world.release_ids.values()) - {world.release_ids["queries"]}:
        made(world.who["owner"].patch(f"/v1/releases/{each}", {"public": False}))


def _delete_dataset(world: World) -> None:
    assert world.who["owner"].delete(f"/v1/datasets/{world.study.dataset_id}").status_code == 204


_ALL_ENDED: Final = {"unauthenticated": KEYED}
_BUT_VETO: Final = {"unauthenticated": tuple(name for name in KEYED if name != "veto_recovery")}
_WITHDRAWAL: Final = ("change_access_request",)
_NEW_KEY_OPERATIONS: Final = (
    *PAID,
    *("change_dataset", "confirm_session", "create_budget", "create_dataset", "create_key", "create_write_off"),
    *("delete_dataset", "replace_key", "veto_recovery"),
)
ENDS: Final = (
    End("A person is ended", _revoke("analyst"), (Concerned("analyst", "that person", _ALL_ENDED),)),
    End(
        "An owner is ended",
        _revoke("owner"),
        (
            Concerned("nobody", "anybody", {}),
            Concerned("session", "sessions of the owner", _ALL_ENDED),
            Concerned("asking", "an analyst who asked for access", {"not-found": LISTED, "conflict": _WITHDRAWAL}),
            Concerned("analyst", "the holder of a grant", {"owner-unavailable": PAID, "not-found": LISTED}),
        ),
    ),
    End(
        "An admin ends the last key of an owner",
        _end_key("owner", "admin"),
        (Concerned("analyst", "the holder of a grant", {"owner-unavailable": PAID}),),
    ),
    End(
        "An admin is ended",
        _revoke("admin"),
        (Concerned("nobody", "a person with an invitation by the admin", {"token-invalid": ("create_enrolment",)}),),
    ),
    End("A key ends itself", _end_key("analyst", "analyst"), (Concerned("analyst", "that key", _ALL_ENDED),)),
    End("An admin ends a key", _end_key("analyst", "admin"), (Concerned("analyst", "that key", _BUT_VETO),)),
    End("A key is replaced", _replace_key, (Concerned("analyst", "that key", _ALL_ENDED),)),
    End("A key ends", _end_key("owner", "owner"), (Concerned("session", "a session that it began", _ALL_ENDED),)),
    End("A session ends", _end_key("session", "session"), (Concerned("session", "that session", _ALL_ENDED),)),
    End(
        "A grant is closed",
        _patch("grants", closed=True),
        (Concerned("analyst", "its holder", {"grant-closed": PAID}),),
    ),
    End(
        "A grant expires",
        lambda world: end_grant(world.study),
        (Concerned("analyst", "its holder", {"grant-expired": PAID}),),
    ),
    End(
        "A request is declined",
        _decide("owner", state="declined", reason="no"),
        (Concerned("asking", "its analyst", {"conflict": _WITHDRAWAL, "yes": ("create_access_request",)}),),
    ),
    End(
        "A request is withdrawn",
        _decide("asking", state="withdrawn"),
        (Concerned("asking", "its analyst", {"yes": ("create_access_request",)}),),
    ),
    End(
        "An invitation is used",
        _exchange,
        (Concerned("nobody", "another person who has it", {"token-already-used": ("create_enrolment",)}),),
    ),
    End(
        "A data set is deleted",
        _delete_dataset,
        (
            Concerned("nobody", "anybody", {}),
            Concerned("asking", "an analyst who asked for access", {"not-found": LISTED, "conflict": _WITHDRAWAL}),
            Concerned("analyst", "the holder of a grant", {"not-found": (*OF_DATASET, *LISTED)}),
            Concerned(
                "owner",
                "its owner",
                {
                    "not-found": (
                        *OF_DATASET,
                        *("change_dataset", "create_grant", "delete_dataset"),
                    )
                },
            ),
        ),
    ),
    End(
        "A data set is no longer listed",
        _patch("datasets", listed=False),
        (Concerned("asking", "an analyst without a grant", {"not-found": LISTED}),),
    ),
    End(
        "A budget is frozen",
        _patch("budgets", frozen=True),
        (
            Concerned("analyst", "the holder of a grant", {"budget-frozen": PAID}),
            Concerned("owner", "its owner", {"budget-frozen": PAID}),
        ),
    ),
    End(
        "A recovery begins",
        _recover,
        (
            Concerned("analyst", "the holder of a grant of that owner", {"owner-unavailable": PAID}),
            Concerned("new key", "its new key", {"recovery-pending": _NEW_KEY_OPERATIONS, "conflict": ("revoke_key",)}),
        ),
    ),
    End("A recovery is vetoed", _veto, (Concerned("new key", "its new key", _ALL_ENDED),)),
    End("A recovery code is used", _recover_by_code, (Concerned("owner", "earlier keys", _ALL_ENDED),)),
    End(
        "A release is withdrawn",
        _withdraw_releases,
        (Concerned("nobody", "anybody", {"not-found": PUBLIC}),),
    ),
)


def test_the_record_has_the_ends() -> None:
    with RECORD.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["ends", "for", "no_longer_possible"],
            *(row for end in ENDS for row in end.rows),
        ]


@pytest.fixture(scope="module")
def before() -> dict[str, dict[str, dict[str, str]]]:
    """The outcomes without an end, by server and party."""
    return {}


def standing(server: Server) -> dict[str, dict[str, str]]:
    world, other = make_world(server), make_world(server)
    outcomes = {who: everything(world, who) for who in ("nobody", "asking", "analyst", "owner")}
    return outcomes | {"session": everything(other, "session")}


@pytest.mark.every(3)
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.what)
def test_each_end_ends_what_its_row_says(
    server: Server, end: End, before: dict[str, dict[str, dict[str, str]]]
) -> None:
    if server.url not in before:
        before[server.url] = standing(server)
    world = make_world(server)
    end.end(world)
    for each in end.concerned:
        was, changed = before[server.url][_PERSON_BY_KEY.get(each.who, each.who)], dict[str, list[str]]()
        for name, outcome in everything(world, each.who).items():
            if outcome != was[name]:
                changed.setdefault(outcome, []).append(name)
        expected = {outcome: sorted(names) for outcome, names in each.changed.items()}
        assert {outcome: sorted(names) for outcome, names in changed.items()} == expected, each.words


def test_the_holder_of_an_ended_grant_does_not_see_what_remains_of_the_budget(study: Study) -> None:
    def seen() -> tuple[str, str]:
        grant = study.analyst.get("/v1/grants").json()["items"][0]
        allowance = study.analyst.get(f"/v1/datasets/{study.dataset_id}/allowance").json()
        return grant["remaining"]["epsilon"], allowance["largest_possible_charge"]["epsilon"]

    study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.8"})
    assert seen() == ("0.2", "0.2")
    made(study.owner.patch(f"/v1/grants/{study.grant_id}", {"closed": True}))
    assert seen() == ("0.5", "0.5")
    study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.1"})
    assert seen() == ("0.5", "0.5")
    made(study.owner.patch(f"/v1/grants/{study.grant_id}", {"closed": False}))
    assert seen() == ("0.1", "0.1")
