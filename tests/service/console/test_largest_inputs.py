"""The console's routes at the largest inputs that one caller can send: each is refused, or computed outside the event
loop, so that the service goes on answering everybody else.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

import httpx
import pytest
from fastapi.routing import APIRoute

from service.console.console import ROUTERS
from service.console.plain_table import TableError
from service.console.typed_table import read_table
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body, querying, registration, release_body
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

Fields: TypeAlias = list[tuple[str, str]]
_ADDRESS: Final = 60_000
"""Characters of an address, below the 64 KiB that uvicorn reads of a request's head."""
_FORM: Final = 1_900_000
"""Bytes of a form, below the 2 000 000 of a body."""
_KEYLESS_FORM: Final = 9_000
_TEN_LINES: Final = "\n".join(
    [",".join("abcdef") + ",count", *(",".join(f"{column}{row}" for column in "abcdef") + ",1" for row in range(10))]
)
"""Ten lines of six columns, whose values make a million combinations."""


def test_a_table_of_too_many_combinations_is_refused_before_one_is_made() -> None:
    with pytest.raises(TableError, match="make 1000000 combinations; at most 50000 are allowed"):
        read_table(_TEN_LINES, unlisted_impossible=True)
    names = ",".join(f"c{column}" for column in range(40))
    lines = [f"{','.join(f'v{line}{column}' for column in range(40))},{line}" for line in "1234567"]
    wider = "\n".join([f"{names},count", *lines])
    with pytest.raises(TableError, match="combinations; at most 50000 are allowed"):  # some 10 ** 33
        read_table(wider, unlisted_impossible=True)


class Sizes(NamedTuple):
    """Sizes of the objects of one test: the largest that the service accepts, or smaller ones for a fast test."""

    cells: int
    releases: int
    people: int
    datasets: int


_LARGEST_SIZES: Final = Sizes(cells=10_000, releases=1_200, people=300, datasets=300)
_SMALL_SIZES: Final = Sizes(cells=8, releases=3, people=1, datasets=1)


@dataclass(frozen=True, slots=True)
class World:
    """People with as much data as they may have. `busy`: a data set with many releases and grants; `wide`: one with
    many cells; `planned`: one with as many cells as a plan takes.
    """

    service: Service
    sizes: Sizes
    owner: Person
    admin: Person
    analyst: Person
    leaver: Person
    busy: str
    wide: str
    planned: str
    spare: str
    spare_budget: str
    grant: str
    request: str
    release: str
    wide_release: str
    answers: str
    margins: str


def _cells(count: int) -> list[dict[str, Any]]:
    pad = _PAD if count > 1000 else "x"
    return [
        {"name": "a", "levels": [f"{pad}{number}" for number in range(count // 4)]},
        {"name": "b", "levels": [f"{number}" for number in range(4)]},
    ]


async def _register_dataset(
    service: Service, owner: Person, attributes: list[dict[str, Any]], key: str
) -> dict[str, Any]:
    count = 1
    for each in attributes:
        count *= len(each["levels"])
    body = registration(
        [20] * count, attributes=attributes, budget={"kind": "new", "budget": budget_body(epsilon="900")}
    )
    del body["labels"]
    return await service.made(owner, "/v1/datasets", body, key)


async def _release_counts(service: Service, who: Person, dataset_id: str, cells: int, key: str) -> str:
    made = await service.made(who, f"/v1/datasets/{dataset_id}/releases", release_body("0.1", cells), key)
    return str(made["id"])


async def _world(service: Service, url: str, sizes: Sizes) -> World:
    owner, admin = person(url, Role.OWNER), person(url, Role.ADMIN)
    analyst, leaver = person(url, Role.ANALYST), person(url, Role.ANALYST)
    busy = await _register_dataset(service, owner, _cells(8), "busy")
    wide = await _register_dataset(service, owner, _cells(sizes.cells), "wide")
    planned = await _register_dataset(service, owner, _cells(min(1000, sizes.cells)), "planned")
    for number in range(sizes.datasets):
        body = registration([1, 2], budget={"kind": "existing", "id": busy["budget_id"]})
        await service.made(owner, "/v1/datasets", body, f"spare-{number}")
    grant = request = {"id": ""}
    released = ""
    other = await _register_dataset(service, owner, _cells(8), "other")
    await service.send(owner, "PATCH", f"/v1/datasets/{busy['id']}", {"listed": True})
    everybody = [analyst, *(person(url, Role.ANALYST) for _ in range(sizes.people))]
    for number, who in enumerate(everybody):
        given = {"principal_id": who.principal_id, "epsilon": "500", "delta": "0"}
        for data in (busy, wide, planned) if who is analyst else (busy,):
            grant = await service.made(owner, f"/v1/datasets/{data['id']}/grants", given, f"{data['id']}-{number}")
    for number in range(sizes.people):
        asked, path = {"epsilon": "1", "delta": "0", "purpose": "p" * 200}, f"/v1/datasets/{busy['id']}/access-requests"
        request = await service.made(person(url, Role.ANALYST), path, asked, f"ask-{number}")
    for number in range(sizes.releases):
        released = await _release_counts(service, analyst, busy["id"], 8, f"release-{number}")
    wide_release = await _release_counts(service, analyst, wide["id"], sizes.cells, "wide")
    margins = await service.made(analyst, f"/v1/datasets/{wide['id']}/releases", {"all": 2, "epsilon": "1"}, "margins")
    for each in (released, wide_release, margins["id"]):
        await service.send(owner, "PATCH", f"/v1/releases/{each}", {"public": True})
    query = querying({"of": {"where": {"b": ["0"]}}, "half_width": 50})
    answers = await service.made(analyst, f"/v1/datasets/{busy['id']}/releases", query, "query")
    return World(
        service, sizes, owner, admin, analyst, leaver, busy["id"], wide["id"], planned["id"], other["id"],
        other["budget_id"], grant["id"], request["id"], released, wide_release, answers["id"],
        margins["id"],
    )  # fmt: skip


@asynccontextmanager
async def _running(directory: Path, migrated: Path, sizes: Sizes) -> AsyncIterator[World]:
    shutil.copy(migrated, directory / "posterior.sqlite3")
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    settings = Settings(
        database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0,
        rate_limit_per_minute=0,
    )  # fmt: skip
    async with running(settings, waited_seconds=None) as service:
        yield await _world(service, url, sizes)


class Ask(NamedTuple):
    """A request to a route of the console, with the identifiers in its path and its fields."""

    route: str
    who: Person | None
    fields: Fields
    ids: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        ids = iter(self.ids)
        return re.sub(r"\{\w+\}", lambda _: next(ids), self.route.partition(" ")[2])


def _padding(fields: Fields, most: int) -> Fields:
    """The fields with more of them, until the form has this size."""
    left = most - len(urlencode(fields))
    return [*fields, *[("x", "y" * 997)] * (left // 1000)]


_PAD: Final = "x" * 60
_PUBLIC_FACTS: Final = [
    ("unlisted_impossible", "yes"), ("name", "n"), ("unit", "u"), ("most_records", "1"), ("n_is_public", "yes"),
    ("labels_are_public", "yes"), ("budget", "new"), ("epsilon", "1"), ("delta", ""),
]  # fmt: skip
_CAP: Final = [("cap", json.dumps({"epsilon": "0.00001"}))]
_QUESTION: Final = [
    ("kind", "odds_ratio"), ("outcome_1", "0"), ("outcome_1", "1"), ("first_0", "x0"), ("second_0", "x1"),
    ("prior", "1 1 1 1 1 1 1 1"),
]  # fmt: skip


def _asks(world: World) -> list[Ask]:
    """Each route of the console with the largest input that it accepts."""
    owner, admin, analyst, leaver, nobody = world.owner, world.admin, world.analyst, world.leaver, None
    busy, wide, planned = (world.busy,), (world.wide,), (world.planned,)
    levels = range(max(2, world.sizes.cells // 100))
    table = "\n".join(["a,b,c,count", *(f"a{a},b{b},c{a % 5},{a + b}" for a, b in product(levels, range(100)))])
    new = [("table", table), *_PUBLIC_FACTS]
    boxes = [("impossible", json.dumps([f"a{a}", f"b{b}", f"c{c}"])) for a, b, c in product(levels, range(100), "x")]
    key = [("key", "pp_" + "k" * 43)]
    long = "9" * 99_999
    guess = [("counts", "_".join(["7"] * min(1000, world.sizes.cells))), ("outcome_1", "0"), ("delta", "0")]
    mechanism = [("mechanism", json.dumps({"kind": "simplex_geometric", "epsilon": "0.1"}))]
    weights = "\n".join(f"{_PAD}{a} · {b} = 0.5" for a, b in product(range(world.sizes.cells // 4), range(4)))
    ticked = [("ask", "yes"), ("table", "0-1"), ("table", "0"), ("triples", "yes"), ("amount", "0.5")]
    data = "/console/data/{dataset_id}"
    listed = "/console/datasets/{dataset_id}"
    found = [
        Ask("GET /", nobody, []),
        Ask("GET /console/sign-in", nobody, [("next", "/console/" + "x" * _ADDRESS)]),
        Ask("POST /console/sign-in", nobody, _padding(key, _KEYLESS_FORM)),
        Ask("POST /console/enrol", nobody, _padding([("invitation", "ppe_" + "x" * 99)], _KEYLESS_FORM)),
        Ask("GET /console/session", owner, []),
        Ask("GET /console/help", nobody, [("x", "y" * _ADDRESS)]),
        Ask("GET /console/check", nobody, [("x", "y" * _ADDRESS)]),
        Ask("GET /console/keys", owner, [("done", "y" * _ADDRESS)]),
        Ask("POST /console/keys", owner, _padding(key, _FORM)),
        Ask("POST /console/keys/recovery", owner, _padding(key, _FORM)),
        Ask("POST /console/keys/{key_id}/end", owner, _padding(key, _FORM), ("key_x",)),
        Ask("GET /console/", owner, [("find", "y" * _ADDRESS)]),
        Ask("POST /console/requests/approve", owner, _padding([*key, *[("request", "r" * 999)] * 900], _FORM)),
        Ask("GET /console/data/new", owner, [("budget", "y" * _ADDRESS)]),
        Ask("POST /console/data/new/register", owner, _padding([*new, *boxes], _FORM)),
        Ask("POST /console/data/new/table", owner, _padding([*new, *boxes], _FORM)),
        Ask("POST /console/data/new/register", owner, _padding(new, _FORM)),
        Ask("POST /console/data/example", owner, _padding([], _FORM)),
        Ask(f"GET {data}", owner, [], busy),
        Ask(f"GET {data}", owner, [], wide),
        Ask(f"GET {data}/statement", owner, [], busy),
        Ask(f"GET {data}/statement.txt", owner, [], busy),
        Ask(f"GET {data}/statement.yaml", owner, [], busy),
        Ask(f"POST {data}/listed", owner, _padding([("listed", "yes")], _FORM), busy),
        Ask(f"POST {data}/grants", owner, _padding([*key, ("analyst", long * 9), ("cap", long)], _FORM), busy),
        Ask(f"POST {data}/grants/{{grant_id}}/change", owner, _padding([("cap", long)], _FORM), (*busy, world.grant)),
        Ask(f"POST {data}/grants/{{grant_id}}/close", owner, _padding([], _FORM), (*busy, world.grant)),
        Ask(
            f"POST {data}/requests/{{access_request_id}}", owner,
            _padding([*key, ("approve", "yes"), ("request_cap", long)], _FORM), (*busy, world.request),
        ),
        Ask(f"POST {data}/total", owner, _padding([*key, ("total_epsilon", long)], _FORM), busy),
        Ask(f"POST {data}/name", owner, _padding([("new_name", long * 9)], _FORM), busy),
        Ask(f"POST {data}/proof.txt", owner, _padding(key, _FORM), busy),
        Ask(f"GET {data}/proof", owner, [], busy),
        Ask(f"POST {data}/proof", owner, _padding([("proof", "0" * 900_000), ("table", table)], _FORM), wide),
        Ask(f"GET {data}/replace", owner, [], wide),
        Ask(f"POST {data}/replace", owner, _padding([*key, ("table", table)], _FORM), busy),
        Ask(f"POST {data}/unfreeze", owner, _padding(key, _FORM), busy),
        Ask(f"POST {data}/delete", owner, _padding([*key, ("delete_name", long * 9)], _FORM), busy),
        Ask("POST /console/budgets/{budget_id}/freeze", owner, _padding([], _FORM), (world.spare_budget,)),
        Ask("GET /console/table", analyst, [("x", "y" * _ADDRESS)]),
        Ask("POST /console/table", analyst, _padding([("table", table), ("law", "laplace"), ("amount", "1")], _FORM)),
        Ask("GET /console/admin", admin, []),
        Ask("POST /console/admin/invitations", admin, _padding([("role", "analyst"), ("name", long * 9)], _FORM)),
        Ask("POST /console/admin/people/{principal_id}/invitation", admin, _padding(key, _FORM),
            (leaver.principal_id,)),
        Ask("GET /console/admin/people/{principal_id}/invitation", admin, [], (leaver.principal_id,)),
        Ask("POST /console/admin/people/{principal_id}/end", admin, _padding(key, _FORM), (leaver.principal_id,)),
        Ask("GET /console/admin/people/{principal_id}/budgets", admin, [], (owner.principal_id,)),
        Ask(
            "POST /console/admin/people/{principal_id}/budgets/{budget_id}/freeze",
            admin, _padding([], _FORM), (owner.principal_id, world.spare_budget),
        ),
        Ask(
            "POST /console/admin/people/{principal_id}/budgets/{budget_id}/owner",
            admin, _padding([*key, ("to", long)], _FORM), (owner.principal_id, world.spare_budget),
        ),
        Ask("GET /console/datasets", analyst, []),
        Ask(f"GET {listed}", analyst, [("amount", "1" * _ADDRESS)], busy),
        Ask(f"GET {listed}", analyst, [], wide),
        Ask(f"POST {listed}/requests", analyst, _padding([("amount", long), ("purpose", "x " * 300_000)], _FORM), busy),
        Ask("POST /console/requests/{access_request_id}/withdraw", analyst, _padding([], _FORM), (world.request,)),
        Ask(f"GET {listed}/plan", analyst, guess, planned),
        Ask(f"GET {listed}/plan", analyst, [], wide),
        Ask(f"GET {listed}/quote", analyst, [*mechanism, ("once", "o" * 20), ("plan", "counts=" + "1_" * 9_999)], wide),
        Ask(f"POST {listed}/releases", analyst, _padding([*mechanism, *_CAP, ("plan", "x=1&" * 9_999)], _FORM), busy),
        Ask(f"GET {listed}/query", analyst, [("ask", "y"), ("once", "o" * 20), ("weights", weights[:30_000])], wide),
        Ask(f"POST {listed}/queries", analyst, [("weights", weights), ("half_width", "5"), *_CAP], wide),
        Ask("GET /console/queries/{release_id}", analyst, [], (world.answers,)),
        Ask(f"GET {listed}/margins", analyst, [*ticked, ("once", "o" * 20), ("table", "1" * 20_000)], busy),
        Ask(f"GET {listed}/margins", analyst, [*ticked, ("once", "o" * 20)], wide),
        Ask(f"POST {listed}/margins", analyst, _padding([*ticked, *[("table", "0-1")] * 20_000], _FORM), busy),
        Ask("GET /console/releases", analyst, []),
        Ask("POST /console/releases/{release_id}/public", owner, _padding([("public", "yes")], _FORM),
            (world.release,)),
    ]  # fmt: skip
    for who, place in ((analyst, "/console/releases"), (nobody, "/console/public/releases")):
        for of, more in ((world.release, _QUESTION), (world.wide_release, [])):
            found.append(Ask(f"GET {place}/{{release_id}}", who, more, (of,)))
            files = (
                "picture.svg",
                "shares.csv",
                "answers.csv",
                "data.json",
                "report.txt",
                "repeat.py",
                "repeat.R",
                "repeat.sh",
            )
            found += [Ask(f"GET {place}/{{release_id}}/{{file}}", who, more, (of, file)) for file in files]
    for who, place in ((analyst, "/console/margins"), (nobody, "/console/public/margins")):
        found += [
            Ask(
                f"GET {place}/{{release_id}}",
                who,
                [("table", "9" * 9_999), ("confidence", "9" * 9_999)],
                (world.margins,),
            ),
            Ask(f"GET {place}/{{release_id}}/tables.csv", who, [], (world.margins,)),
            Ask(f"GET {place}/{{release_id}}/{{number}}", who, [], (world.margins, "0")),
            Ask(f"GET {place}/{{release_id}}/{{number}}/{{file}}", who, [], (world.margins, "0", "data.json")),
        ]
    return [*found, Ask("POST /console/sign-out", leaver, _padding([], _FORM))]


async def _send_ask(world: World, ask: Ask) -> httpx.Response:
    world.service.http.cookies.clear()
    method, headers = ask.route.partition(" ")[0], {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
    if ask.who is not None:
        headers["Cookie"] = f"posterior_session={ask.who.key}"
    if method == "GET":
        return await world.service.http.get(ask.path, params=urlencode(ask.fields), headers=headers)
    if ask.who is None:
        page = await world.service.http.get("/console/sign-in", headers=headers)
        headers["Cookie"] = page.headers["set-cookie"].partition(";")[0]
        found = re.search(r'name="form_token" value="([^"]+)"', page.text)
        assert found is not None
        marks = [("form_token", found[1])]
    else:
        session = (await world.service.http.get("/console/session", headers=headers)).json()
        marks = [("form_token", session["form_token"]), ("whose", session["person"])]
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    content = await asyncio.to_thread(urlencode, [*marks, *ask.fields])
    return await world.service.http.post(ask.path, content=content, headers=headers)


def _routes() -> set[str]:
    return {
        f"{method} {route.path}"
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }


class Watch:
    """The longest time for which the event loop computed without coming back to a waiting task, in seconds of its
    thread's processor time: waiting for a busy machine does not count.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    async def keep_looking(self) -> None:
        while True:
            began = time.thread_time()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, time.thread_time() - began)


def _peak_memory() -> int:
    """The largest resident memory since `_forget_peak`, in kilobytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def _forget_peak() -> int:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak_memory()


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_every_route_of_the_console_takes_its_largest_input(
    migrated_sqlite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> list[str]:
        lines = []
        async with _running(tmp_path, migrated_sqlite, _LARGEST_SIZES) as world:
            asks = _asks(world)
            assert {each.route for each in asks} == _routes()
            for ask in asks:
                watch, before = Watch(), _forget_peak()
                looking = asyncio.create_task(watch.keep_looking())
                began = time.perf_counter()
                answer = await _send_ask(world, ask)
                seconds = time.perf_counter() - began
                looking.cancel()
                assert answer.status_code < 500 or "Ask once more in a minute" in answer.text, (ask, answer.text)
                assert answer.status_code != 413, ask
                lines.append(
                    f"{ask.route:78} {answer.status_code} {seconds:7.3f} s {1000 * watch.longest:7.1f} ms"
                    f" {(_peak_memory() - before) / 1024:6.1f} MB {len(answer.content) / 1000:8.1f} kB"
                )
        return lines

    lines = asyncio.run(story())
    with capsys.disabled():
        sys.stdout.write(
            "\n".join(["", "route, status, time, longest hold of the event loop, memory, answer", *lines, ""])
        )


_BROKEN: Final = (
    '{"kind": "share", "labels": ["x"], "above": NaN}',
    '{"kind": "share", "labels": ["x"], "above": 1e999}',
    '{"kind": "share", "labels": ["\\ud800"]}',
    '["\\ud800", "0"]',
    '{"epsilon": NaN, "kind": "laplace"}',
    "[" * 3_000,
    "1e9999999",
    "sNaN",
    "\x00\x1f\x7f\u202e",
)
"""Texts of fields that the console's pages do not make."""
_NO_IDS: Final = ("\x00", "\n", "a?b=c", "#", "%", "..", "\u00e9", "dat_x y")


def _mangled_asks(ask: Ask) -> list[Ask]:
    """The request with each of the broken texts in all its fields, and in all its identifiers."""
    names = dict.fromkeys([name for name, _ in ask.fields if name not in {"x", "once"}] + ["q", "removed", "count"])
    found = []
    for text in _BROKEN:
        fields = [(name, text) for name in names]
        size = max(1, _ADDRESS // (len(quote(text)) + 100))  # as many as an address can have
        found += [ask._replace(fields=fields[at : at + size]) for at in range(0, len(fields), size)]
    if ask.ids:
        found += [ask._replace(fields=[], ids=(quote(text, safe=""),) * len(ask.ids)) for text in _NO_IDS]
    return found


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_text_of_a_field_or_of_an_address_makes_a_page_fail(migrated_sqlite: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with _running(tmp_path, migrated_sqlite, _SMALL_SIZES) as world:
            for ask in (
                each for whole in _asks(world) for each in _mangled_asks(whole) if "sign-out" not in each.route
            ):
                answer = await _send_ask(world, ask)
                assert answer.status_code < 500 or "Ask once more in a minute" in answer.text, (ask, answer.text)

    asyncio.run(story())


def test_broken_questions_and_addresses_are_refused(migrated_sqlite: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with _running(tmp_path, migrated_sqlite, _SMALL_SIZES) as world:
            for text in _NO_IDS:
                answer = await _send_ask(
                    world, Ask("GET /console/public/releases/{id}", None, [], (quote(text, safe=""),))
                )
                assert answer.status_code == 404, (text, answer.text)
            page = Ask("GET /console/public/releases/{id}", None, [], (world.release,))
            assert (await _send_ask(world, page._replace(fields=_QUESTION))).status_code == 200
            for text in _BROKEN:
                for fields in ([("kind", text)], [("kind", "share"), ("outcome_1", text)]):
                    answer = await _send_ask(world, page._replace(fields=fields))
                    assert answer.status_code == 422, (fields, answer.text)
            listed, paid = "POST /console/datasets/{id}", [("cap", "{}"), ("mechanism", "{}")]
            for text in _BROKEN:
                letter = Ask("GET /console/datasets/{id}", world.analyst, [("amount", text)], (world.busy,))
                assert (await _send_ask(world, letter)).status_code == 200, text
                for name in ("cap", "mechanism"):
                    fields = [*((each, value) for each, value in paid if each != name), (name, text)]
                    answer = await _send_ask(world, Ask(f"{listed}/releases", world.analyst, fields, (world.busy,)))
                    assert answer.status_code in {303, 422}, (name, text, answer.text)
                new = [("table", "a,b,count\nx,y,1\nz,w,2"), *_PUBLIC_FACTS, ("impossible", text)]
                answer = await _send_ask(world, Ask("POST /console/data/new/register", world.owner, new))
                assert answer.status_code in {303, 409, 422}, (text, answer.text)

    asyncio.run(story())


def test_the_page_of_a_data_set_shows_the_newest_releases_and_leads_to_older_ones(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.console.owner._ROWS", 2)

    async def story() -> None:
        async with _running(tmp_path, migrated_sqlite, _SMALL_SIZES) as world:
            page = Ask("GET /console/data/{id}", world.owner, [], (world.busy,))
            first = (await _send_ask(world, page)).text
            made = await world.service.send(
                world.owner, "GET", f"/v1/releases?dataset_id={world.busy}&kind=counts&kind=margins"
            )
            newest_first = [each["id"] for each in reversed(made.json()["items"])]
            publishing = re.compile(r'action="/console/releases/([^"/]+)/public"')
            assert publishing.findall(first) == newest_first[:2]
            assert first.count('data-label="Sum') == 2
            older = re.search(r'\?releases=([^"#]+)#releases">Older releases', first)
            assert older is not None
            second = (await _send_ask(world, page._replace(fields=[("releases", older[1])]))).text
            assert publishing.findall(second) == newest_first[2:]
            assert "Older releases" not in second

    asyncio.run(story())


@pytest.mark.long
def test_anybody_reads_the_page_and_the_files_of_a_public_release_with_many_categories(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    async def story() -> None:
        async with _running(tmp_path, migrated_sqlite, _SMALL_SIZES._replace(cells=3_000)) as world:
            for file in ("", "/shares.csv", "/picture.svg", "/report.txt"):
                ask = Ask(f"GET /console/public/releases/{{id}}{file}", None, [], (world.wide_release,))
                assert (await _send_ask(world, ask)).status_code == 200, file

    asyncio.run(story())
