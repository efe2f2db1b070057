"""Lists show what their filters say, in the order that was asked for."""

from __future__ import annotations

from typing import Any

from tests.harness.bodies import budget_body, registration, unique
from tests.harness.server import Party, Server


def ids(party: Party, path: str, **query: Any) -> list[str]:
    """The ids of all pages of two items."""
    found, cursor = list[str](), ""
    while cursor is not None:
        answer = party.get(f"/v1/{path}", limit=2, cursor=cursor, **query)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += [each["id"] for each in page["items"]]
        cursor = page["next_cursor"]
    return found


def test_a_list_shows_what_its_filters_say_in_either_order(server: Server) -> None:
    owner, analyst, other = server.new("owner"), server.new("analyst"), server.new("analyst")
    budgets = [owner.post("/v1/budgets", budget_body(epsilon="9")).json()["id"] for _ in range(2)]
    made = [
        owner.post(
            "/v1/datasets",
            registration([3, 4]) | {"name": unique(name), "budget": {"kind": "existing", "id": budget}},
        ).json()
        for name, budget in (("Polio", budgets[0]), ("100 % polio", budgets[0]), ("Flu", budgets[1]))
    ]
    data = [each["id"] for each in made]
    for each in data:
        owner.patch(f"/v1/datasets/{each}", {"listed": True})
    grants = []
    for each, holder in ((data[0], analyst), (data[1], analyst), (data[2], analyst), (data[0], other)):
        cap = {"principal_id": holder.principal_id, "epsilon": "1", "delta": "0"}
        grants.append(owner.post(f"/v1/datasets/{each}/grants", cap).json()["id"])
    owner.patch(f"/v1/grants/{grants[1]}", {"closed": True})
    assert ids(owner, "datasets") == data
    assert ids(owner, "datasets", order="newest") == data[::-1]
    assert ids(owner, "datasets", budget_id=budgets[0], order="newest") == data[1::-1]
    assert ids(owner, "datasets", name_contains="POLIO") == data[:2]
    assert ids(owner, "datasets", name_contains="%") == data[1:2]
    assert ids(analyst, "datasets", order="newest") == data[::-1]
    assert ids(analyst, "listed-datasets", name_contains=made[1]["name"].upper()) == data[1:2]
    named = owner.get(f"/v1/budgets/{budgets[1]}").json()["name"]
    assert ids(owner, "budgets", name_contains=named) == budgets[1:]
    known = analyst.get("/v1/me").json()["principal"]["name"]
    assert ids(owner, "analysts", name_contains=known) == [analyst.principal_id]
    assert ids(owner, "grants") == grants
    assert ids(owner, "grants", dataset_id=data[0]) == [grants[0], grants[3]]
    assert ids(owner, "grants", budget_id=budgets[0], principal_id=analyst.principal_id) == grants[:2]
    assert ids(owner, "grants", state="ended") == ids(analyst, "grants", state="ended") == [grants[1]]
    assert ids(analyst, "grants", state="open", order="newest") == [grants[2], grants[0]]
    assert ids(other, "grants", dataset_id=data[1]) == []
    asking = server.new("analyst")
    asked = {"epsilon": "1", "delta": "0", "purpose": "A report"}
    requests = [asking.post(f"/v1/datasets/{each}/access-requests", asked).json()["id"] for each in data]
    assert ids(owner, "access-requests", dataset_id=data[1]) == requests[1:2]
    assert ids(owner, "access-requests", principal_id=asking.principal_id, order="newest") == requests[::-1]
    assert ids(other, "access-requests", dataset_id=data[1]) == []
    for party, grant in ((owner, grants[2]), (analyst, grants[2])):
        assert party.get(f"/v1/grants/{grant}").json()["dataset_id"] == data[2]
    assert other.get(f"/v1/grants/{grants[2]}").status_code == 404
    at = made[0]["created_at"]
    assert ids(owner, "datasets", created_after=at) == data
    assert ids(owner, "datasets", created_before=at) == []
    assert ids(owner, "datasets", created_before="9999-12-31T00:00:00Z") == data


def test_releases_are_filtered_by_budget_and_by_payer_that_the_caller_may_see(server: Server) -> None:
    owner, analyst, other = server.new("owner"), server.new("analyst"), server.new("analyst")
    made = [owner.post("/v1/datasets", registration([3, 4])).json() for _ in range(2)]
    paid = []
    for payer, data in ((analyst, made[0]), (other, made[0]), (analyst, made[1])):
        cap = {"principal_id": payer.principal_id, "epsilon": "0.1", "delta": "0"}
        assert owner.post(f"/v1/datasets/{data['id']}/grants", cap).status_code == 201
        body = {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}
        released = payer.post(f"/v1/datasets/{data['id']}/releases", body, idempotency_key=data["id"])
        assert released.status_code == 201, released.text
        paid.append(released.json()["id"])
    assert ids(owner, "releases", budget_id=made[0]["budget_id"]) == paid[:2]
    of_analyst = ids(owner, "releases", principal_id=analyst.principal_id)
    assert sorted(of_analyst) == sorted([paid[0], paid[2]])  # budgets of one second are in no order
    assert ids(analyst, "releases", budget_id=made[1]["budget_id"], principal_id=analyst.principal_id) == paid[2:]
    owner.patch(f"/v1/releases/{paid[0]}", {"public": True})
    on_data = {"dataset_id": made[0]["id"]}
    assert ids(owner, "releases", principal_id=analyst.principal_id, **on_data) == paid[:1]
    assert ids(other, "releases", **on_data) == paid[:2]
    assert ids(other, "releases", principal_id=analyst.principal_id, **on_data) == []
    assert ids(other, "releases", principal_id=other.principal_id, **on_data) == paid[1:2]


def test_a_filter_that_is_no_value_of_its_kind_is_refused(server: Server) -> None:
    owner = server.new("owner")
    for path, name, value in (
        ("datasets", "order", "best"),
        ("datasets", "created_after", "yesterday"),
        ("datasets", "created_after", "2106139575"),
        ("keys", "created_before", "0.5"),
        ("datasets", "created_after", "2026-01-01T00:00:00"),
        ("datasets", "name_contains", "x" * 201),
        ("grants", "dataset_id", "polio"),
        ("grants", "state", "maybe"),
        ("access-requests", "principal_id", "me"),
    ):
        refused = owner.get(f"/v1/{path}", **{name: value})
        assert refused.status_code == 422, (path, name, refused.text)
        assert refused.json()["errors"][0]["location"] == f"query.{name}"


def test_the_release_of_somebody_else_is_no_cursor(server: Server) -> None:
    owner, analyst, other = server.new("owner"), server.new("analyst"), server.new("analyst")
    dataset = owner.post("/v1/datasets", registration([3, 4])).json()["id"]
    made = []
    for each in (analyst, other):
        cap = {"principal_id": each.principal_id, "epsilon": "0.1", "delta": "0"}
        assert owner.post(f"/v1/datasets/{dataset}/grants", cap).status_code == 201
        body = {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}
        made.append(each.post(f"/v1/datasets/{dataset}/releases", body, idempotency_key="one").json()["id"])
    for query in ({}, {"dataset_id": dataset}):
        unknown = other.get("/v1/releases", cursor="rel_" + "a" * 26, **query)
        foreign = other.get("/v1/releases", cursor=made[0], **query)
        assert (foreign.status_code, foreign.content) == (422, unknown.content)
        assert other.get("/v1/releases", cursor=made[1], **query).status_code == 200
        assert owner.get("/v1/releases", cursor=made[0], **query).json()["items"][0]["id"] == made[1]
