"""The proof of a registration: one file with the commitment and the nonce.

A cookie has the nonces of the session's registrations, encrypted for the session, so that the page of the data set can
offer the proof for a day at most, to the owner who pastes their key.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.page_request import Visit, posted, visit
from service.console.pages import in_thread, root_of
from service.console.plain_table import TableError
from service.console.session import opened, seal, set_cookie
from service.console.typed_table import read_table
from service.schemas.cell_names import SEPARATOR

router = APIRouter(include_in_schema=False)
COOKIE: Final = "posterior_proofs"
_COOKIE_LIFETIME: Final = timedelta(days=1)
_MAX_ENTRIES: Final = 20
"""Largest number of registrations that the cookie names."""
_ENTRY: Final = re.compile(r"(dat_[a-z2-7]{26}):([0-9]{1,10})(s?):([A-Za-z0-9_-]{100,140})")
_SAVED_MARK: Final = "s"
_MAX_COOKIE_LENGTH: Final = 3_800
_COMMITMENT: Final = "private-posterior commitment 1"
_NONCE: Final = re.compile(r"\b[0-9a-f]{64}\b")
_NONCE_LINE: Final = re.compile(r"Nonce \(secret\):\s*([0-9a-f]{64})\b")
_PROVEN: Final = re.compile(r"Commitment \(public\):\s*([0-9a-f]{64})\b")
_TABLE: Final = "Table (secret):"
_OTHER_PROOF: Final = (
    "This proof is of another registration: its commitment is not that of this data set now. If the table was "
    "replaced, paste the proof that you got then."
)
_EXPLANATION: Final = (
    "With the nonce and the table, this file proves which counts were registered: the commitment is a hash of nonce, "
    "categories and counts, and is in the ledger (docs/reference/formats.md, Hashes).\n"
    "Keep this file like the counts. Anybody who has it can try counts until their commitment is the one above. For a "
    "small table that takes a moment."
)


class _Entry(NamedTuple):
    """The second at which a nonce was kept, a mark if its proof was saved, and the encrypted nonce."""

    at: str
    mark: str
    sealed: str


def _entries(request: Request) -> dict[str, _Entry]:
    found = _ENTRY.findall(request.cookies.get(COOKIE, "")[:_MAX_COOKIE_LENGTH])
    return {each: _Entry(*entry) for each, *entry in found[-_MAX_ENTRIES:]}


def _keep(request: Request, answer: Response, entries: Mapping[str, _Entry]) -> None:
    """Keep the last entries, and of more than fit, those whose proof was not saved."""
    ordered = sorted(entries.items(), key=lambda item: not item[1].mark)
    value = "|".join(f"{each}:{entry.at}{entry.mark}:{entry.sealed}" for each, entry in ordered[-_MAX_ENTRIES:])
    set_cookie(answer, request, value, seconds=int(_COOKIE_LIFETIME.total_seconds()), name=COOKIE)


def is_full(here: Visit, datasets: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a further proof would take the place of one that was not saved."""
    return sum(not proof.is_saved for proof in kept_proofs(here, datasets).values()) >= _MAX_ENTRIES


def mark_saved(request: Request, answer: Response, dataset_id: str) -> None:
    """Mark the proof of a data set as saved. It can be saved again."""
    entries = _entries(request)
    entries[dataset_id] = entries[dataset_id]._replace(mark=_SAVED_MARK)
    _keep(request, answer, entries)


def keep_proof(request: Request, answer: Response, data: Mapping[str, Any]) -> None:
    """Keep the nonce of a new registration, or of a replaced table. Do nothing if the service returned none."""
    if data["nonce"] is None:
        return
    at = str(int(datetime.now(UTC).timestamp()))
    entries = _entries(request)
    entries.pop(data["id"], None)
    entries[data["id"]] = _Entry(at, "", seal(request, data["nonce"], data["id"], data["commitment"], at))
    _keep(request, answer, entries)


def forget_proofs(request: Request, answer: Response) -> None:
    """Delete the cookie: without the key of the session it opens nothing."""
    answer.delete_cookie(COOKIE, path=f"{root_of(request)}/console", httponly=True, samesite="strict")


class KeptProof(NamedTuple):
    """The nonce of a registration, until when it is kept, and whether its proof was saved."""

    nonce: str
    until: str
    is_saved: bool


def kept_ids(here: Visit) -> set[str]:
    """Return the ids of the data sets whose proofs this session may keep."""
    return set(_entries(here.request))


def kept_proofs(here: Visit, datasets: Iterable[Mapping[str, Any]]) -> dict[str, KeptProof]:
    """Return the proofs that are kept for this session, by data set. Proofs from before a
    replacement are left out.
    """
    entries, ends = _entries(here.request), here.me["key"]["expires_at"]
    found = {}
    for data in datasets:
        at, mark, sealed = entries.get(data["id"], _Entry("0", "", ""))
        nonce = opened(here.request, sealed, data["id"], data["commitment"], at) if sealed else None
        until = datetime.fromtimestamp(int(at), UTC) + _COOKIE_LIFETIME
        until = min(until, datetime.fromisoformat(ends)) if ends else until
        if nonce is not None and until > datetime.now(UTC):
            found[data["id"]] = KeptProof(nonce, until.isoformat(), bool(mark))
    return found


def proof_text(data: Mapping[str, Any], nonce: str, table: str = "") -> str:
    """Return the content of proof.txt, with the table below it if this is the one that was registered."""
    lines = (
        ("Data set", data["name"]),
        ("Id", data["id"]),
        ("Commitment (public)", data["commitment"]),
        ("Nonce (secret)", nonce),
    )
    text = "".join(f"{title}: {value}\n" for title, value in lines) + f"{_EXPLANATION}\n"
    try:
        found = _commitment(nonce, data["labels"], _counts_in(table, data)) if table else ""
    except TableError:
        return text
    return f"{text}\n{_TABLE}\n{table}\n" if found == data["commitment"] else text


@router.get("/console/data/{dataset_id}/proof")
async def show_check(request: Request, dataset_id: str) -> Response:
    """Show the form that takes a proof and a table back."""
    here = await visit(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    return await here.page("check_proof.html", data=data, proof="", table="", result=None)


@router.post("/console/data/{dataset_id}/proof")
async def check_proof(request: Request, dataset_id: str) -> Response:
    """Show whether a proof and a table match the registration."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    proof, _, below = here.form.text("proof").partition(f"\n{_TABLE}\n")
    table = here.form.text("table") or below.strip()
    errors: dict[str, str] = {}
    result = None
    counts = list[int]()
    nonces = set(_NONCE_LINE.findall(proof)) or set(_NONCE.findall(proof)) - {data["commitment"]}
    proven = set(_PROVEN.findall(proof))
    if proven and data["commitment"] not in proven:
        errors["proof"] = _OTHER_PROOF
    elif len(nonces) > 1:
        errors["proof"] = "Paste the text of one proof.txt: this text has several nonces, of two registrations or more."
    elif not nonces:
        errors["proof"] = "Paste the whole text of proof.txt: it has a line that begins with “Nonce (secret)”."
    try:
        counts = await in_thread(request, partial(_counts_in, table, data))
    except TableError as error:
        errors["table"] = str(error)
    if not errors:
        [nonce] = nonces
        result = _commitment(nonce, data["labels"], counts) == data["commitment"]
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    return await here.page(
        "check_proof.html", status=status, errors=errors, data=data, proof=proof, table=table, result=result
    )


def _counts_in(text: str, data: Mapping[str, Any]) -> list[int]:
    """Return the counts of a typed table in the order of the registered categories. Raises TableError."""
    table = read_table(text, totals_are_values=True)
    names = [each["name"] for each in data["attributes"] or ()] or [name for name, _ in table.attributes]
    typed = [name for name, _ in table.attributes]
    if sorted(names) != sorted(typed):
        raise TableError(f"Its columns must be those of the data set: {', '.join(names)}.")
    order = [typed.index(name) for name in names]
    found = {
        SEPARATOR.join(cell[place] for place in order): count
        for cell, count in zip(table.cells, table.counts, strict=True)
    }
    strange = [label for label, count in found.items() if count and label not in set(data["labels"])]
    if strange:
        raise TableError(f"It has a category that the data set does not have: {strange[0]}.")
    return [found.get(label, 0) for label in data["labels"]]


def _commitment(nonce: str, labels: list[str], counts: list[int]) -> str:
    """Return the commitment as docs/reference/formats.md defines it."""
    content = json.dumps([_COMMITMENT, nonce, labels, counts], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()
