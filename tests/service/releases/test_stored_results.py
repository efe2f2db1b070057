"""The first draw and the first answer of a release are kept, and every caller gets them."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import DBAPIError

from service.database.engine import reading, writing
from service.database.rows import ReleaseRow
from service.database.tables import datasets, releases
from service.database.writer import begin_events
from service.errors import Problem
from service.ledger.debit import DebitHandler, Paid
from service.ledger.witness import ResultStored
from service.releases.results import Outcome, store_outcomes
from tests.harness.installation import SIGNER, epsilon, install, outcome


def pay(engine: Engine, count: int) -> list[str]:
    """The ids of `count` paid, undrawn releases."""
    world = install(engine, total=epsilon(1000))
    with writing(engine) as connection:
        debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(count)]
        outcomes = DebitHandler(SIGNER)(connection, debits)
    return [outcome.row.id for outcome in outcomes if isinstance(outcome, Paid)]


def store(engine: Engine, *outcomes: Outcome) -> list[str]:
    """`stored` for each outcome that was stored, else the state of the release or the code of its problem."""
    with writing(engine) as connection:
        found = store_outcomes(connection, outcomes)
    return ["stored" if row is None else row.code if isinstance(row, Problem) else row.state for row in found]


def rows(engine: Engine) -> dict[str, tuple[str, str | None, str | None]]:
    query = select(releases.c.id, releases.c.state, releases.c.drawn, releases.c.result)
    with reading(engine) as connection:
        return {row.id: (row.state, row.drawn, row.result) for row in connection.execute(query)}


@pytest.mark.parametrize("count", [1, 2, 3, 64])
def test_each_release_gets_its_own_result(engine: Engine, count: int) -> None:
    ids = pay(engine, count)
    first = [outcome(each, f"[{number}]", f"answer {number}") for number, each in enumerate(ids)]
    assert store(engine, *first) == ["stored"] * count
    assert store(engine, *(outcome(each, "[0]", "another") for each in reversed(ids))) == ["complete"] * count
    assert store(engine, *(outcome(each, None) for each in ids)) == ["complete"] * count
    assert rows(engine) == {each: ("complete", f"[{number}]", f"answer {number}") for number, each in enumerate(ids)}


def test_stored_failures_and_draws_are_final(engine: Engine) -> None:
    one, two, three, four = pay(engine, 4)
    assert store(engine, outcome(one, "[1]"), outcome(two, None)) == ["stored", "stored"]
    late = [outcome(one, None), outcome(two, "[2]", "late"), outcome(three, "[3]"), outcome(four, None)]
    assert store(engine, *late) == ["drawn", "failed", "stored", "stored"]
    assert rows(engine) == {
        one: ("drawn", "[1]", None),
        two: ("failed", None, None),
        three: ("drawn", "[3]", None),
        four: ("failed", None, None),
    }


def test_an_answer_is_stored_only_with_the_values_that_it_was_composed_from(engine: Engine) -> None:
    one, two = pay(engine, 2)
    store(engine, outcome(one, "[1]"), outcome(two, "[2]"))
    assert store(engine, outcome(one, "[1]", "answer"), outcome(two, "[3]", "of other values")) == ["stored", "drawn"]
    assert rows(engine) == {one: ("complete", "[1]", "answer"), two: ("drawn", "[2]", None)}


def test_a_release_from_a_data_set_that_was_deleted_before_its_outcome_is_stored_has_failed(engine: Engine) -> None:
    one, two = pay(engine, 2)
    store(engine, outcome(two, "[2]"))
    with writing(engine) as connection:
        connection.execute(update(datasets).values(deleted_at=1))
        events = begin_events(connection)
        (found,) = store_outcomes(connection, [outcome(one, "[1]", "answer")])
        assert isinstance(found, ReleaseRow)
        assert found.state == "failed"
        assert ResultStored(one) in events, "the failure is returned, and never drawn again"
    assert store(engine, outcome(two, "[2]", "of values that were stored before")) == ["stored"]
    assert rows(engine)[one] == ("failed", None, None)


def test_a_late_result_of_a_lost_release_is_answered_as_lost(engine: Engine) -> None:
    one, two = pay(engine, 2)
    with writing(engine) as connection:
        connection.execute(update(releases).where(releases.c.id == one).values(state="lost"))
    late = [outcome(each, "[1]", "late") for each in (one, two, "rel_forgotten")]
    assert store(engine, *late) == ["lost", "stored", "outcome-unknown"]


def test_of_two_draws_of_one_release_in_a_batch_one_is_stored(engine: Engine) -> None:
    (one,) = pay(engine, 1)
    assert store(engine, outcome(one, "[1]", "a"), outcome(one, "[2]", "b")) == ["stored", "complete"]
    assert rows(engine)[one] == ("complete", "[1]", "a")


@pytest.mark.parametrize(
    "change",
    [
        {"drawn": "[2]"},
        {"state": "paid", "drawn": None},
        {"state": "failed", "drawn": None},
        {"state": "complete", "drawn": "[2]", "result": "{}", "signature": "s"},
    ],
)
def test_the_database_refuses_another_draw(engine: Engine, change: dict[str, str | None]) -> None:
    (one,) = pay(engine, 1)
    store(engine, outcome(one, "[1]"))
    with pytest.raises(DBAPIError, match="settled once"), writing(engine) as connection:
        connection.execute(update(releases).where(releases.c.id == one).values(change))
