"""The first draw and the first answer of a release are kept, and every caller gets them."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import DBAPIError

from service.database.engine import reading, writing
from service.database.tables import releases
from service.errors import Problem
from service.ledger.debit import DebitHandler, Paid
from service.releases.results import store_drawn, store_results
from tests.harness.installation import SIGNER, epsilon, install
from tests.harness.installation import composed as signed_answer
from tests.harness.installation import drawn as signed_values


def pay(engine: Engine, count: int) -> list[str]:
    """The ids of `count` paid, undrawn releases."""
    world = install(engine, total=epsilon(1000))
    with writing(engine) as connection:
        debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(count)]
        outcomes = DebitHandler(SIGNER)(connection, debits)
    return [outcome.row.id for outcome in outcomes if isinstance(outcome, Paid)]


def draw(engine: Engine, *drawn: tuple[str, str | None]) -> list[str]:
    """The state of each release after its drawn values were stored, or the code of its problem."""
    with writing(engine) as connection:
        stored = store_drawn(connection, [signed_values(*each) for each in drawn])
    return [each.code if isinstance(each, Problem) else each.state for each in stored]


def compose(engine: Engine, *composed: tuple[str, str]) -> list[str]:
    """The stored state of each, or the code of its problem."""
    with writing(engine) as connection:
        stored = store_results(connection, [signed_answer(*each) for each in composed])
    return [each.code if isinstance(each, Problem) else each for each in stored]


@pytest.mark.parametrize("count", [1, 2, 3, 64])
def test_each_release_gets_its_own_result(engine: Engine, count: int) -> None:
    ids = pay(engine, count)
    assert draw(engine, *((each, f"[{number}]") for number, each in enumerate(ids))) == ["drawn"] * count
    expected = [f"result of {each}" for each in ids]
    assert compose(engine, *zip(ids, expected, strict=True)) == expected
    assert compose(engine, *((each, "another") for each in reversed(ids))) == expected[::-1]
    assert draw(engine, *((each, "another") for each in ids)) == ["complete"] * count
    with reading(engine) as connection:
        kept = {row.id: row.drawn for row in connection.execute(select(releases.c.id, releases.c.drawn))}
    assert [kept[each] for each in ids] == [f"[{number}]" for number in range(count)]


def test_stored_failures_and_draws_are_final(engine: Engine) -> None:
    one, two, three, four = pay(engine, 4)
    assert draw(engine, (one, "[1]"), (two, None)) == ["drawn", "failed"]
    assert draw(engine, (one, None), (two, "[2]"), (three, "[3]"), (four, None)) == [
        "drawn",
        "failed",
        "drawn",
        "failed",
    ]
    assert compose(engine, (one, "first"), (two, "late")) == ["first", "release-failed"]


def test_nothing_is_composed_for_what_was_not_drawn(engine: Engine) -> None:
    (one,) = pay(engine, 1)
    assert compose(engine, (one, "too early")) == ["release-in-progress"]


def test_a_late_result_of_a_lost_release_is_answered_as_lost(engine: Engine) -> None:
    one, two = pay(engine, 2)
    with writing(engine) as connection:
        connection.execute(update(releases).where(releases.c.id == one).values(state="lost"))
    assert draw(engine, (one, "[1]"), (two, "[2]"), ("rel_forgotten", "[3]")) == ["lost", "drawn", "outcome-unknown"]
    assert compose(engine, (one, "late"), (two, "in time"), ("rel_forgotten", "of nothing")) == [
        "release-lost",
        "in time",
        "outcome-unknown",
    ]


def test_two_draws_of_one_release_in_a_batch_are_answered_alike(engine: Engine) -> None:
    (one,) = pay(engine, 1)
    with writing(engine) as connection:
        stored = store_drawn(connection, [signed_values(one, "[1]"), signed_values(one, "[2]")])
    assert stored[0] == stored[1]
    first, second = compose(engine, (one, "a"), (one, "b"))
    assert first == second
    assert first in ("a", "b")


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
    draw(engine, (one, "[1]"))
    with pytest.raises(DBAPIError, match="settled once"), writing(engine) as connection:
        connection.execute(update(releases).where(releases.c.id == one).values(change))
