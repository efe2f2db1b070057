"""The service writes exactly the bytes of the test vectors, which other implementations rely on, and every entry of a
running service has the form that the page on formats gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.ledger.chain import EntryKind
from tests.harness.vectors import DIRECTORY, files
from tests.test_formats import documented_details

if TYPE_CHECKING:
    from tests.service.conftest import Study


@pytest.mark.parametrize("name", sorted(path.name for path in DIRECTORY.iterdir()))
def test_the_service_writes_what_the_vectors_say(name: str) -> None:
    assert files()[name] == (DIRECTORY / name).read_bytes()


def test_no_vector_is_missing() -> None:
    assert files().keys() == {path.name for path in DIRECTORY.iterdir()}


def test_the_page_lists_every_kind_of_entry() -> None:
    assert documented_details().keys() == set(EntryKind)


def test_entries_of_a_running_service_have_the_documented_details(study: Study) -> None:
    study.analyst.release(study.dataset_id)
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True, "name": "another", "low_budget_percent": 5})
    documented = documented_details()
    for entry in study.ledger():
        assert entry["detail"].keys() - {"api_key_id", "principal_head"} <= documented[entry["kind"]]
