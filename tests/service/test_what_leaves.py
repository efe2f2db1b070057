"""A field is planted in each object of each stored document. Every operation is then read by everybody: the field
leaves only in the texts that repeat the document, never in a text for others.
"""

from __future__ import annotations

import asyncio
import csv
import json
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from pydantic import BaseModel
from sqlalchemy import Column, Engine, String, delete, select, update

from core.mechanisms.catalogue import BLOCKS, MECHANISMS
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.private_size import KIND as PRIVATE_SIZE
from service.database.engine import reading, writing
from service.database.rows import JobRow
from service.database.tables import metadata, public_texts, releases
from service.ledger.files import CSV_COLUMNS
from service.ledger.outcomes import sign_outcome
from service.ledger.receipts import ComputedJob, Signer
from service.logs.log import FIELDS, Lines
from service.releases.public_text import public_text
from service.schemas.budgets import LedgerEntry
from service.schemas.datasets import Dataset, ListedDataset
from service.schemas.evidence import AnswerSignatureContent, EvidenceContent, PublicDrawn, PublicSpec, SpecRequest
from service.schemas.margins import PublicRelease
from service.schemas.posteriors import NoiseAwarePosterior
from service.schemas.principals import Role
from service.schemas.releases import Certificate, ReceiptContent, ReleaseSummary
from service.schemas.statements import StatedRelease, Statement
from tests.harness.bodies import of_releases, querying, registration, release_body
from tests.harness.guards import without_guards
from tests.harness.in_process import Service, embedded, running
from tests.harness.people import Person, person
from tests.harness.process import RECEIPT_KEY, ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

CANARY = "canary"
SIGNER = Signer.parse(RECEIPT_KEY)


def planted(value: Any, where: str) -> Any:
    """The value with a field in each of its objects, which names the object."""
    if isinstance(value, list):
        return [planted(each, f"{where}/{number}") for number, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    return {name: planted(each, f"{where}/{name}") for name, each in value.items()} | {CANARY: f"{CANARY}:{where}/"}


def document_of(text: object) -> Any:
    """The parsed text if it is JSON with an object, or None."""
    if not isinstance(text, str) or "{" not in text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def planted_text(text: str, where: str) -> str:
    return json.dumps(planted(json.loads(text), where), separators=(",", ":"))


class World(NamedTuple):
    """A listed data set, and a release of each kind from it."""

    people: dict[str, Person]
    ids: dict[str, str]
    paid: dict[str, str]
    """Release ids, by the collection of their public text."""


def names_of(kind: type[BaseModel], *path: str) -> list[str]:
    """The names that a dictionary of a public text may have."""
    schema = kind.model_json_schema(mode="serialization")
    found = schema["$defs"].get(path[0]) or schema["properties"][path[0]]
    for name in path[1:]:
        found = found["properties"][name]
    names: list[str] = found["x-names"]
    return names


def members_of(kind: type[BaseModel] | Collection[str]) -> Collection[str]:
    return kind.model_fields if isinstance(kind, type) else kind


async def tell(service: Service, engine: Engine) -> World:
    people = {role.value: person(engine, role) for role in Role} | {"stranger": person(engine, Role.ANALYST)}
    owner, analyst = people["owner"], people["analyst"]
    sex, ill = {"name": "sex", "levels": ["f", "m"]}, {"name": "ill", "levels": ["no", "yes"]}
    body = registration([5, 2, 4, 1], attributes=[sex, ill])
    del body["labels"]
    dataset = await service.made(owner, "/v1/datasets", body)
    path = f"/v1/datasets/{dataset['id']}"
    grant = {"principal_id": analyst.principal_id, "epsilon": "0.8", "delta": "0"}
    grant_id = (await service.made(owner, f"{path}/grants", grant))["id"]
    assert (await service.send(owner, "PATCH", path, {"listed": True})).status_code == 200
    wanted = {"epsilon": "0.1", "delta": "0", "purpose": "A report"}
    asked = await service.made(people["stranger"], f"{path}/access-requests", wanted)
    key_id = (await service.made(owner, "/v1/keys", {}))["id"]
    counts = await service.made(analyst, f"{path}/releases", release_body("0.1", 4), "counts")
    certified = {"kind": "exponential", "calibration": "certified", "epsilon": "0.1", "delta": "0"}
    exponential = await service.made(
        analyst, f"{path}/releases", {"prior": [1, 1, 1, 1], "mechanism": certified}, "exponential"
    )
    margins = await service.made(analyst, f"{path}/releases", {"margins": [["sex"], ["ill"]], "epsilon": "0.1"}, "of")
    queries = querying({"of": {"where": {"ill": ["yes"]}}, "half_width": 9.0})
    answers = await service.made(analyst, f"{path}/releases", queries, "queries")
    with reading(engine) as connection:
        job_id = connection.execute(select(metadata.tables["jobs"].c.id).limit(1)).scalar_one()
    ids = {
        "dataset_id": dataset["id"], "budget_id": dataset["budget_id"], "grant_id": grant_id, "key_id": key_id,
        "access_request_id": asked["id"], "job_id": job_id, "certificate_id": job_id, "release_id": counts["id"],
        "principal_id": analyst.principal_id, "code": "not-found",
    }  # fmt: skip
    paid = {counts["id"]: "releases", exponential["id"]: "releases", margins["id"]: "margins", answers["id"]: "queries"}
    return World(people, ids, paid)


# Requests that a computation process answers, which starts slowly: only where the release itself was planted in.
COMPUTED = {"plot_release", "plot_public_release", "compute_public_posterior"}


def columns_with_documents(engine: Engine) -> Iterator[Column[Any]]:
    """Every column of the database in which some row has a JSON object."""
    with reading(engine) as connection:
        for table in metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, String):
                    texts = connection.execute(select(column)).scalars().all()
                    if any(document_of(text) is not None for text in texts):
                        yield column


def plant(engine: Engine, column: Column[Any]) -> list[tuple[Any, dict[str, Any]]]:
    """Plant in each row of a column, signed as a service signs that stores this. Return what undoes it."""
    table, undo = column.table, []
    with writing(engine) as connection, without_guards(connection, table.name):
        for row in connection.execute(select(table)).mappings().all():
            if document_of(row[column.name]) is None:
                continue
            at = [each == row[each.name] for each in table.primary_key]
            new = {column.name: planted_text(row[column.name], str(column))}
            if column in (releases.c.drawn, releases.c.result):
                both = dict(row) | new
                new["signature"] = sign_outcome(SIGNER, row["id"], both["drawn"], both["result"])
            if table.name == "jobs" and column.name != "signature":
                job = JobRow(**{name: (dict(row) | new)[name] for name in JobRow._fields})
                new["signature"] = SIGNER.signed_text(ComputedJob.of(job))
            undo.append((at, {name: row[name] for name in new}))
            connection.execute(update(table).where(*at).values(new))
    return undo


def restore(engine: Engine, column: Column[Any], undo: list[tuple[Any, dict[str, Any]]]) -> None:
    """Restore a column, and withdraw what was published."""
    with writing(engine) as connection, without_guards(connection, column.table.name):
        for at, old in undo:
            connection.execute(update(column.table).where(*at).values(old))
    with writing(engine) as connection, without_guards(connection, "public_texts"):
        connection.execute(delete(public_texts))
    with writing(engine) as connection, without_guards(connection, "releases"):
        connection.execute(update(releases).values(public_since=None))


async def publish(service: Service, world: World) -> None:
    for release_id, collection in world.paid.items():
        if collection != "queries":
            await service.send(world.people["owner"], "PATCH", f"/v1/releases/{release_id}", {"public": True})


async def texts(service: Service, world: World, *, computed: bool) -> dict[tuple[str, str], str]:
    """The answer of each reading operation to each reader, and of those that anyone may compute with."""
    document = (await service.http.get("/openapi.json")).json()
    readers = world.people | {"anyone": Person("", "")}
    found = dict[tuple[str, str], str]()
    for path, operations in document["paths"].items():
        every = [world.ids]
        if "{release_id}" in path or path == "/v1/public/posteriors":
            every = [world.ids | {"release_id": each} for each in world.paid]
        for (method, described), places in product(operations.items(), every):
            operation, anyone = described["operationId"], "anyone, without a key" in described["description"]
            if (method != "get" and operation not in COMPUTED) or (operation in COMPUTED and not computed):
                continue
            body = {"level": 0.9} | (of_releases(places["release_id"]) if method != "get" else {})
            for name, reader in readers.items():
                if (name == "anyone") is anyone:
                    answer = await service.settled(reader, method.upper(), path.format_map(places), body)
                    found[name, operation] = found.get((name, operation), "") + answer.text + str(answer.headers)
    return found


AS_STORED = {
    "releases.result": ("get_release",),
    "releases.drawn": ("get_release_evidence",),
    "entries.detail": ("list_ledger", "export_ledger_csv", "export_ledger_json_lines"),
    "principal_entries.detail": ("list_principal_entries",),
}
"""The operations that repeat a stored document as it is, by its column. Nobody needs no key for one."""


def test_a_planted_field_leaves_only_where_a_document_is_repeated(
    owner_engine: Engine,
    owner_database_url: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen before: whatever a version added to a release was in the public text."""
    # A public text never changes, so the service would answer with that of the column before.
    monkeypatch.setattr("service.limits.limits.TTLCache.keep", lambda *_: None)
    left: dict[str, set[tuple[str, str]]] = {}

    async def story() -> None:
        async with running(embedded(owner_database_url, tmp_path / "witness")) as service:
            world = await tell(service, owner_engine)
            for column in columns_with_documents(owner_engine):
                undo = plant(owner_engine, column)
                await publish(service, world)
                read = await texts(service, world, computed=column is releases.c.result)
                left[str(column)] = {where for where, text in read.items() if f"{CANARY}:" in text}
                if column is releases.c.result:
                    assert '"certificate"' in read["anyone", "get_public_release"]
                    assert '"measured"' in read["anyone", "get_public_release"]
                restore(owner_engine, column, undo)

    caplog.set_level("DEBUG", "posterior")
    asyncio.run(story())
    assert {column: {operation for _, operation in where} for column, where in left.items() if where} == {
        column: set(operations) for column, operations in AS_STORED.items()
    }
    assert "anyone" not in {reader for where in left.values() for reader, _ in where}
    assert len(left) > len(AS_STORED) + 5, "documents of every kind were planted in"
    lines = Lines(as_json=True)
    assert not [line for record in caplog.records if CANARY in (line := lines.format(record))]


def stored_releases() -> Iterator[dict[str, Any]]:
    """Every complete release that a released version recorded, as its payer got it."""
    for path in (ROOT / "tests" / "released").glob("*/*/answers.json"):
        for exchange in json.loads(path.read_text(encoding="utf-8"))["exchanges"]:
            found = document_of(exchange["answer"])
            if isinstance(found, dict) and {"id", "receipt", "certified"} <= found.keys():
                yield found


def test_a_public_text_lacks_nothing_but_payer_remaining_amount_and_receipt() -> None:
    """Of every mechanism: a parameter that is added is listed, too."""
    kinds = set()
    for release in stored_releases():
        public = json.loads(public_text(json.dumps(release), SIGNER))
        del public["signature"]
        assert public == {
            name: part for name, part in release.items() if name not in {"principal_id", "remaining_after", "receipt"}
        }
        kinds.add(release["event"]["event"])
    assert kinds == {*(each.kind for each in MECHANISMS), PRIVATE_SIZE, MARGINS, BLOCKS.kind}


RECORD = ROOT / "tests" / "service" / "what_leaves.csv"
EVIDENCE = {*EvidenceContent.model_fields, "key_id", "signature"}
TEXTS: list[tuple[str, str, type[BaseModel] | Collection[str]]] = [
    ("Public text of a release, and its public page", "anyone", PublicRelease),
    ("Event in a public text", "anyone", names_of(PublicRelease, "CalibratedEvent")),
    ("Certificate in a public text", "anyone", Certificate),
    ("Its `details`", "anyone", names_of(PublicRelease, "Certificate", "details")),
    ("Its `requested`", "anyone", names_of(PublicRelease, "requested")),
    ("Posterior of a public release, and its picture", "anyone", NoiseAwarePosterior),
    ("Listed data set", "every analyst", ListedDataset),
    ("Release in a list", "who may read the release", ReleaseSummary),
    ("Statement of a data set", "its owner, who hands it on", Statement),
    ("Data set in a statement", "its owner, who hands it on", Dataset),
    ("Release in a statement", "its owner, who hands it on", StatedRelease),
    ("Ledger as CSV", "the owner of the budget", CSV_COLUMNS.values()),
    ("Ledger entry, alone and in an export", "the owner of the budget", LedgerEntry),
    ("Receipt", "the payer, the owner", {*ReceiptContent.model_fields, "key_id", "signature"}),
    ("Signature of a release", "the payer, the owner", {*AnswerSignatureContent.model_fields, "key_id", "signature"}),
    ("Signature in evidence of a release", "the payer, the owner; anyone of a public release", EVIDENCE),
    ("Spec in public evidence", "anyone", PublicSpec),
    ("Its `request`", "anyone", SpecRequest),
    ("Drawn values in public evidence", "anyone", PublicDrawn),
    ("Line of the log", "the operator", ["time", "level", "logger", "message", *FIELDS]),
]
"""The texts that are made from stored documents for others: who reads each, and the list of its members."""


def test_the_record_and_the_page_have_what_leaves_in_which_text() -> None:
    rows = [(text, readers, ", ".join(sorted(members_of(kind)))) for text, readers, kind in TEXTS]
    with RECORD.open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == [("text", "read_by", "members"), *rows]
    page = (ROOT / "docs" / "explanation" / "guarantees.md").read_text(encoding="utf-8")
    section = page.partition("## What leaves in which text")[2].partition("\n## ")[0]
    for column, operations in AS_STORED.items():
        assert f"| `{column}` | {', '.join(f'`{each}`' for each in operations)} |" in section
    assert section.count("\n|") == len(AS_STORED) + 2
