"""The proof of a registration: one file with the commitment and the nonce, offered while the service keeps the nonce.

The service keeps a nonce encrypted for a day; only the key and the Idempotency-Key of its request open it. A cookie of
the session has the Idempotency-Keys of its registrations, so that the page of the data set can offer the proof.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from service.console.api import Refused
from service.console.page_request import Visit, posted, visit
from service.console.pages import attachment, file_name, in_thread, root_of
from service.console.typed_table import TableError, read_table
from service.schemas.cell_names import SEPARATOR

router = APIRouter(include_in_schema=False)
COOKIE: Final = "posterior_proofs"
_KEPT: Final = timedelta(days=1)
_MOST: Final = 20
"""Largest number of registrations that the cookie names."""
_ENTRY: Final = re.compile(r"(dat_[a-z2-7]{26}):([A-Za-z0-9_-]{16,64}):([0-9]{1,12})")
_LONGEST: Final = 3_000
_COMMITMENT: Final = "private-posterior commitment 1"
_NONCE: Final = re.compile(r"\b[0-9a-f]{64}\b")
_NONCE_LINE: Final = re.compile(r"Nonce \(secret\):\s*([0-9a-f]{64})\b")
_PROVEN: Final = re.compile(r"Commitment \(public\):\s*([0-9a-f]{64})\b")
_OTHER: Final = (
    "This proof is of another registration: its commitment is not that of this data set now. If the table was "
    "replaced, paste the proof that you got then."
)
_EXPLAINED: Final = (
    "With the nonce and the table this proves which counts were registered: the commitment is a hash of nonce, "
    "categories and counts, and stands in the ledger (docs/reference/formats.md, Hashes)."
)


def _entries(request: Request) -> dict[str, tuple[str, datetime]]:
    """Return the Idempotency-Keys of the session's registrations, and when they were sent, by data set."""
    found = _ENTRY.findall(request.cookies.get(COOKIE, "")[:_LONGEST])
    return {each: (once, datetime.fromtimestamp(int(at), UTC)) for each, once, at in found[-_MOST:]}


def keep_proof(request: Request, answer: Response, dataset_id: str, once: str) -> None:
    """Note in the cookie that this Idempotency-Key opens the proof of a data set."""
    _set_entries(request, answer, _entries(request) | {dataset_id: (once, datetime.now(UTC))})


def forget_proof(request: Request, answer: Response, dataset_id: str) -> None:
    """Delete the entry of a data set whose table was replaced: its earlier proof is not valid any more."""
    entries = _entries(request)
    if entries.pop(dataset_id, None):
        _set_entries(request, answer, entries)


def _set_entries(request: Request, answer: Response, entries: Mapping[str, tuple[str, datetime]]) -> None:
    kept = list(entries.items())[-_MOST:]
    value = "|".join(f"{each}:{key}:{int(at.timestamp())}" for each, (key, at) in kept)
    answer.set_cookie(
        COOKIE,
        value,
        max_age=int(_KEPT.total_seconds()),
        path=f"{root_of(request)}/console",
        secure=request.app.state.console.has_tls or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def forget_proofs(request: Request, answer: Response) -> None:
    """Delete the cookie: without the key of the session it opens nothing."""
    answer.delete_cookie(COOKIE, path=f"{root_of(request)}/console", httponly=True, samesite="strict")


def kept_proofs(here: Visit) -> dict[str, str]:
    """Return the data sets whose proof is kept for this session, and until when."""
    ends = here.me["key"]["expires_at"]
    found = {}
    for each, (_, at) in _entries(here.request).items():
        until = min(at + _KEPT, datetime.fromisoformat(ends)) if ends else at + _KEPT
        if until > datetime.now(UTC):
            found[each] = until.isoformat()
    return found


async def proof_of(here: Visit, dataset_id: str) -> dict[str, Any] | None:
    """Return the commitment and the nonce of a data set, or None if the nonce is not kept for this session."""
    once, _ = _entries(here.request).get(dataset_id, ("", None))
    if not once:
        return None
    answer = await here.api.send("GET", f"/v1/datasets/{dataset_id}/proof", once=once)
    proof: dict[str, Any] = answer.json
    return proof if proof["nonce"] else None


@router.get("/console/data/{dataset_id}/proof.txt")
async def save_proof(request: Request, dataset_id: str) -> Response:
    """Return the proof as a file."""
    here = await visit(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    proof = await proof_of(here, dataset_id)
    if proof is None:
        detail = "The proof is not kept any more. It was offered until the session ended, for a day at most."
        back = f"/console/data/{dataset_id}"
        return await here.refused(Refused(HTTPStatus.NOT_FOUND, {"detail": detail}), back, "Back to the data set")
    text = proof_text(data, proof["nonce"])
    return attachment(text, file_name("proof", data["name"], "txt"), "text/plain; charset=utf-8")


def proof_text(data: Mapping[str, Any], nonce: str) -> str:
    """Return the content of proof.txt."""
    lines = (
        ("Data set", data["name"]),
        ("Id", data["id"]),
        ("Commitment (public)", data["commitment"]),
        ("Nonce (secret)", nonce),
    )
    return "".join(f"{title}: {value}\n" for title, value in lines) + f"{_EXPLAINED}\n"


@router.get("/console/data/{dataset_id}/proof")
async def show_check(request: Request, dataset_id: str) -> Response:
    """Show the form that takes a proof and a table back."""
    here = await visit(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    return await here.page("check_proof.html", data=data, proof="", table="", result=None)


@router.post("/console/data/{dataset_id}/proof")
async def check_proof(request: Request, dataset_id: str) -> Response:
    """Say whether a proof and a table are those of the registration."""
    here = await posted(request)
    here.require("owner")
    data = await here.api.get(f"/v1/datasets/{dataset_id}")
    proof, table = here.form.text("proof"), here.form.text("table")
    errors: dict[str, str] = {}
    result = None
    counts = list[int]()
    nonces = set(_NONCE_LINE.findall(proof)) or set(_NONCE.findall(proof)) - {data["commitment"]}
    proven = set(_PROVEN.findall(proof))
    if proven and data["commitment"] not in proven:
        errors["proof"] = _OTHER
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
    table = read_table(text, totals_are_values=True, numbers_are_values=True)
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
