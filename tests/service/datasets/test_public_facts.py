"""Each fact that an owner states at registration is shown wherever the data set is described. A new one is added in:

- `service/schemas/datasets.py`: `DatasetCreate`, and `ListedDataset` or `Dataset`
- `service/database/rows.py`: `DatasetRow`, with a column in the newest of `migrations/versions`
- `service/datasets/datasets.py`: the row, and the entry that binds it (`_registered_detail`)
- `service/datasets/public_facts.py`: the answers
- `service/reports/statement_text.py`, `size_and_unit` of `service/console/templates/parts.html`, and `fact_rows` of
  `client/private_posterior/dataset.py`: its words
- `service/console/new_data.py` with its template, and `client/private_posterior/commands/datasets.py`: a field and an
  option to state it
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.console.new_data import PLACES
from service.schemas.datasets import DatasetCreate
from tests.client.people import someone
from tests.harness.bodies import budget_body
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server

STATED: dict[str, Any] = {
    "name": "The name Quillon",
    "attributes": [
        {"name": "attribute Bexley", "levels": ["level Corvo", "level Dunlin"]},
        {"name": "attribute Erskine", "levels": ["level Fulmar", "level Garrow"]},
    ],
    "impossible": [{"attribute Bexley": ["level Dunlin"], "attribute Erskine": ["level Garrow"]}],
    "counts": [4_000_000, 300_000, 21_357],
    "unit": "one unit Hobby",
    "records_per_unit": 17,
    "n_is_public": True,
    "relation": "replace_one",
    "budget": {"kind": "new", "budget": budget_body(name="The budget Ibis", epsilon="3.75", delta="3e-7")},
}
OTHERWISE = {"labels", "named_counts", "one_record_per_unit"}
"""Fields that a test registration leaves out, because it states others in their place."""
WORDS = {
    "name": ("The name Quillon",),
    "attributes": ("attribute Bexley", "level Corvo", "level Dunlin", "attribute Erskine", "level Fulmar"),
    "unit": ("one unit Hobby",),
    "records_per_unit": ("17",),
    "counts": ("4321357",),
    "budget": ("3.75",),
}
"""Words that show a field to people. Counts show as their sum; other fields are part of other texts."""


def test_each_fact_that_an_owner_states_is_shown_wherever_the_data_set_is_described(
    sqlite_server: Server, tmp_path: Path
) -> None:
    assert STATED.keys() | OTHERWISE == DatasetCreate.model_fields.keys(), "a new field is stated here, too"
    owner, analyst = sqlite_server.new("owner"), sqlite_server.new("analyst")
    made = owner.post("/v1/datasets", STATED)
    assert made.status_code == 201, made.text
    dataset = made.json()["id"]
    assert owner.patch(f"/v1/datasets/{dataset}", {"listed": True}).status_code == 200
    of_owner, of_analyst = browser_of(owner), browser_of(analyst)
    to_all = WORDS.keys() - {"budget"}
    places = [
        (owner.get(f"/v1/datasets/{dataset}").text, to_all),
        (owner.get("/v1/datasets").text, to_all),
        (owner.get(f"/v1/datasets/{dataset}/statement.txt").text, WORDS.keys()),
        (of_owner.get(f"/console/data/{dataset}/statement").text, WORDS.keys()),
        (of_owner.get(f"/console/data/{dataset}").text, WORDS.keys()),
        (someone(tmp_path, sqlite_server, owner).run("datasets", "show", dataset).stdout, WORDS.keys()),
        (analyst.get(f"/v1/listed-datasets/{dataset}").text, to_all),
        (analyst.get("/v1/listed-datasets").text, to_all),
        (of_analyst.get(f"/console/datasets/{dataset}").text, to_all),
        (someone(tmp_path, sqlite_server, analyst).run("datasets", "listed").stdout, {"name", "unit", "counts"}),
    ]
    for place, (text, fields) in enumerate(places):
        plain = " ".join(text.split())
        figures = plain.replace("\u202f", "").replace(" ", "")
        for field in fields:
            for words in WORDS[field]:
                assert words in plain or words in figures, (field, place, plain)


def test_the_form_and_the_command_have_each_fact_that_an_owner_states(tmp_path: Path, sqlite_server: Server) -> None:
    in_form = {place.partition(".")[0] for place in PLACES}
    assert in_form == DatasetCreate.model_fields.keys() - {"labels", "named_counts"}
    options = someone(tmp_path, sqlite_server, sqlite_server.new("owner")).run("datasets", "create", "--help").stdout
    of_table = {"labels", "attributes", "impossible", "counts", "named_counts"}
    for field in DatasetCreate.model_fields.keys() - of_table - {"name", "relation"}:
        assert f"--{field.replace('_', '-')}" in options, field
