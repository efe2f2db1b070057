"""A release of every mechanism can be read: its posterior, comparisons, known groups, page, file, and in Python."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from private_posterior import Client
from tests.harness.bodies import budget_body, of_releases, registration, share, unique
from tests.service.channels.test_mechanisms import AT_PRIVATE_N, REQUESTS
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from service.schemas.mechanisms import Mechanism
    from tests.harness.server import Server

FILES = ("shares.csv", "data.json", "picture.svg", "repeat.py", "repeat.R", "repeat.sh", "report.txt")


@pytest.mark.parametrize(
    ("wanted", "counts", "relation"),
    [
        *((each, [12, 30], "replace_one") for each in REQUESTS),
        *((each, [12, 30, 0, 5], "replace_one") for each in REQUESTS if not each.kind.startswith("exponential")),
        *((each, [12, 30, 0, 5], "add_remove") for each in AT_PRIVATE_N),
    ],
    ids=lambda each: getattr(each, "kind", None),
)
def test_a_release_of_each_mechanism_is_read_everywhere(
    sqlite_server: Server, wanted: Mechanism, counts: list[int], relation: str
) -> None:
    owner = sqlite_server.new("owner")
    budget = {"kind": "new", "budget": budget_body(epsilon="20", delta="1e-3")}
    labels = ["a", "b", "c", "d"][: len(counts)]
    is_public = relation == "replace_one"
    body = registration(counts, labels=labels, name=unique("Read"), budget=budget, n_is_public=is_public)
    dataset = owner.post("/v1/datasets", body).json()["id"]
    paid = {"kind": "counts", "mechanism": wanted.model_dump(mode="json")}
    path = f"/v1/datasets/{dataset}/releases"
    first, second = (
        owner.wait_for(partial(owner.post, path, paid, idempotency_key=key), status=201).json()["id"]
        for key in ("read-1", "read-2")
    )
    asked = of_releases(first)
    known = [{"of": {"labels": labels[:-1]}, "count": sum(counts[:-1])}]
    for more in ({}, {"questions": [{"kind": "share", **share("a")}]}, {"known": known}):
        if "known" in more and wanted.kind.startswith("exponential"):
            continue
        found = owner.post("/v1/posteriors", asked | more)
        assert found.json()["kind"] == "noise_aware", found.text
    sides = {"first": asked | share("a"), "second": of_releases(second) | share("b")}
    compared = owner.post("/v1/comparisons", sides)
    assert compared.status_code == 200, compared.text
    assert 0.0 < compared.json()["probability"] < 1.0
    browser, page = browser_of(owner), f"/console/releases/{first}"
    assert browser.get(page).status == 200
    for file in FILES:
        assert browser.http.get(f"{page}/{file}").status_code == 200, file
    with Client.open(sqlite_server.url, owner.key) as client:
        read = client[dataset].released(first)
        assert len(read.rows()) == len(counts)
        assert "noisy count" in str(read)
        assert "<table" in read._repr_html_()
