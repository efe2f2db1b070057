"""Sets of cells and shares have one shape in every request, and what 0.1.0 was sent is still found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from service.releases.spec import hash_payload
from service.schemas.cells import Cells, Share
from service.schemas.plans import PlanCreate
from service.schemas.posteriors import ComparisonCreate, PosteriorCreate
from service.schemas.queries import QueryCreate
from service.schemas.releases import CountsCreate
from tests.harness.bodies import of_releases, share
from tests.harness.published import DOCUMENT
from tests.released.recording import FOLDER

if TYPE_CHECKING:
    from pydantic import BaseModel

ILL = share(ill="yes", within={"vaccine": "yes"})
WELL = share("no · well", "yes · well")
OF_RELEASE = of_releases("rel_" + 26 * "a")
PLAN: dict[str, Any] = {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"]}
REQUESTS: dict[str, tuple[type[BaseModel], dict[str, Any]]] = {
    "a question about a posterior": (PosteriorCreate, OF_RELEASE | {"questions": [{"kind": "share", **ILL}]}),
    "a contrast": (PosteriorCreate, OF_RELEASE | {"questions": [{"kind": "ratio", "first": ILL, "second": WELL}]}),
    "a question with a value": (PosteriorCreate, OF_RELEASE | {"questions": [{"kind": "share", **ILL, "above": 0.5}]}),
    "a comparison": (
        ComparisonCreate,
        {"first": OF_RELEASE | ILL, "second": OF_RELEASE | WELL},
    ),
    "a plan": (PlanCreate, PLAN | {"questions": [{"kind": "ratio", "first": ILL, "second": WELL}]}),
    "a query": (QueryCreate, {"kind": "queries", "queries": [{"of": ILL["of"]}, {"of": WELL["of"]}]}),
}


def test_a_share_has_one_shape_in_every_request_and_a_text_is_a_list_of_one() -> None:
    for name, (model, body) in REQUESTS.items():
        written = json.dumps(model.model_validate(body).model_dump(mode="json"))
        assert '"of": {"where": {"ill": ["yes"]}}' in written, name
    assert Share.model_validate(share("ill")) == Share.model_validate({"of": {"labels": "ill"}, "within": None})


def test_no_request_names_cells_in_another_way() -> None:
    schemas: dict[str, Any] = DOCUMENT["components"]["schemas"]
    for name, schema in schemas.items():
        fields = set(schema.get("properties", {}))
        assert not fields & {"given", "category", "than"}, name
        assert "where" not in fields or name in {"Cells", "PaidQuery"}, name


@pytest.mark.parametrize(
    "cells", [{}, {"labels": ["a"], "where": {"b": ["c"]}}, {"labels": []}, {"where": {}}, ["a"], 0]
)
def test_cells_have_either_labels_or_a_predicate(cells: object) -> None:
    with pytest.raises(ValidationError):
        Cells.model_validate(cells)


def test_a_query_of_0_1_0_has_the_hash_under_which_it_was_paid() -> None:
    for kind in ("sqlite", "postgresql"):
        told = json.loads((FOLDER / "0.1.0" / kind / "answers.json").read_text())
        paid = [each for each in told["exchanges"] if each["method"] == "POST" and each["path"].endswith("/queries")]
        assert paid
        for each in paid:
            stored = json.loads(each["answer"])
            body = QueryCreate.model_validate(each["body"] | {"kind": "queries"})
            assert hash_payload(stored["dataset_id"], body) == stored["receipt"]["body"]["payload_hash"]
            assert body.broken_rule is not None


def test_both_forms_of_a_query_have_one_hash_and_only_the_earlier_is_marked() -> None:
    width = {"half_width": 40, "confidence": 0.9}
    for cells in ({"labels": ["a", "b"]}, {"where": {"ill": ["yes"]}}):
        earlier, later = (
            QueryCreate.model_validate({"kind": "queries", "queries": [each], "max_charge": {"epsilon": 1}})
            for each in (cells | width, {"of": cells} | width)
        )
        assert hash_payload("dat", earlier) == hash_payload("dat", later)
        assert (earlier.broken_rule is None, later.broken_rule) == (False, None)


def test_a_field_with_a_new_default_is_in_the_hash() -> None:
    def hashed(**mechanism: str) -> str:
        return hash_payload(
            "dat", CountsCreate.model_validate({"kind": "counts", "prior": [1, 1], "mechanism": mechanism})
        )

    said = hashed(kind="exponential", calibration="proven", epsilon="0.25")
    assert hashed(kind="exponential", epsilon="0.25") == said
    assert hashed(kind="exponential", calibration="certified", epsilon="0.25") != said
