"""Whatever paid under an earlier version keeps its payload hash and its request key, with and without `kind`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from private_posterior.payload import Paid, request_key
from service.releases.spec import hash_payload
from service.schemas.margins import MarginsCreate
from service.schemas.model import PaidBody
from service.schemas.paid import PaidRequestBody
from service.schemas.queries import QueryCreate
from service.schemas.releases import CountsCreate
from tests.released.recording import FOLDER

VECTORS: Final = Path(__file__).parents[2] / "vectors"
BODY: Final[TypeAdapter[PaidBody]] = TypeAdapter(PaidRequestBody)
KINDS: Final[dict[str, tuple[str, Paid]]] = {
    "releases": ("counts", "release"), "margins": ("margins", "margins"), "queries": ("queries", "queries")
}  # fmt: skip
"""By the collection of 0.2.0: the kind of a body, and that in the key made from a request. Later, the body names it."""
EXAMPLES: Final = [
    example for model in (CountsCreate, MarginsCreate, QueryCreate) for example in model.model_json_schema()["examples"]
]
PAID_BEFORE: Final = [
    (exchange["body"].get("kind", path.split("/")[-1]), exchange["body"], json.loads(exchange["answer"]))
    for file in sorted(FOLDER.glob("*/*/answers.json"))
    for exchange in json.loads(file.read_text())["exchanges"]
    if exchange["method"] == "POST" and (path := exchange["path"]) and exchange["key"] and exchange["answer"]
]
KEYS: Final = json.loads((VECTORS / "request_keys.json").read_text())
assert len(PAID_BEFORE) == 92


def forms(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The body with its kind at both ends, and without it."""
    bare = {name: each for name, each in body.items() if name != "kind"}
    return [bare, {"kind": kind, **bare}, {**bare, "kind": kind}]


@pytest.mark.parametrize(("collection", "body", "answer"), PAID_BEFORE, ids=range(len(PAID_BEFORE)))
def test_a_recorded_body_has_the_hash_of_its_receipt(
    collection: str, body: dict[str, Any], answer: dict[str, Any]
) -> None:
    kind, in_key = next(each for name, each in KINDS.items() if collection in (name, each[0]))
    for form in forms(body, kind):
        key = request_key(in_key, answer["dataset_id"], form)
        read = BODY.validate_python(form)
        assert read.kind == kind
        assert hash_payload(answer["dataset_id"], read) == answer["receipt"]["body"]["payload_hash"]
        assert key == request_key(in_key, answer["dataset_id"], body)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_an_example_has_one_hash_with_and_without_kind(example: dict[str, Any]) -> None:
    hashes = {hash_payload("dat", BODY.validate_python(each)) for each in forms(example, example["kind"])}
    assert len(hashes) == 1
    assert BODY.validate_python(forms(example, example["kind"])[0]).kind == example["kind"]


def test_a_key_made_from_a_request_does_not_depend_on_kind() -> None:
    for each in KEYS:
        kind = next(name for name, in_key in KINDS.values() if in_key == each["kind"])
        sent = [form for request in each["requests"] for form in forms(request, kind)]
        assert {request_key(each["kind"], each["dataset_id"], form) for form in sent} == {each["key"]}
