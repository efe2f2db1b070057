"""An error of the client says what was sent in place of a label, and which label is nearest."""

from __future__ import annotations

from typing import Any

from private_posterior.errors import ProblemError
from private_posterior.nearest import NOT_A_LABEL, NOT_A_LEVEL, nearest

TRIAL = {
    "labels": ["new · ill", "new · well", "old · ill", "old · well"],
    "attributes": [{"name": "arm", "levels": ["new", "old"]}, {"name": "outcome", "levels": ["ill", "well"]}],
}


def refused(location: str, rule: str, body: dict[str, Any]) -> str:
    document: Any = {
        "type": "/problems/invalid-request",
        "detail": f"{location}: {rule}",
        "charged": False,
        "errors": [{"location": location, "rule": rule}],
    }
    return str(ProblemError(document, body=body, about=TRIAL))


def test_the_nearest_label_or_level_is_named() -> None:
    by_label = {"queries": [{"of": {"labels": ["New · Il"]}}]}
    said = refused("body.queries[0].of.labels[0]", NOT_A_LABEL, by_label)
    assert said.endswith(f"{NOT_A_LABEL} (“New · Il” was sent; did you mean “new · ill”?)")
    share = {"of": {"where": {"outcome": "wel"}}, "within": {"where": {"arm": ["xyz"]}}}
    by_level = {"questions": [{"kind": "share", **share}]}
    assert "“wel” was sent; did you mean “well”?" in refused(
        "body.questions[0].of.where.outcome[0]", NOT_A_LEVEL, by_level
    )
    assert refused("body.questions[0].within.where.arm[0]", NOT_A_LEVEL, by_level).endswith("(“xyz” was sent)")


def test_no_other_input_is_repeated() -> None:
    assert refused("body.counts[0]", "must be at least 0", {"counts": [-8675309]}).endswith("must be at least 0")
    assert refused("body.token", "must match the pattern x", {"token": "ppe_secret"}).endswith("pattern x")
    assert refused("body.of.labels[3]", NOT_A_LABEL, {}).endswith(NOT_A_LABEL)


def test_a_name_is_near_in_another_case_and_none_is_near_if_nothing_is_alike() -> None:
    assert nearest("POLIO", ["none", "polio"]) == "polio"
    assert nearest("zzz", ["none", "polio"]) is None
