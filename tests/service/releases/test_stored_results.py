"""One result of a release is kept, the first, and everybody is answered with it."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, update

from service.database.engine import writing
from service.database.tables import releases
from service.errors import Problem
from service.ledger.debit import DebitHandler, Paid
from service.releases.results import Drawn, store_results
from tests.harness.installation import SIGNER, epsilon, install


def pay(engine: Engine, count: int) -> list[str]:
    """The ids of so many paid, undrawn releases."""
    world = install(engine, total=epsilon(1000))
    with writing(engine) as connection:
        debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(count)]
        outcomes = DebitHandler(SIGNER)(connection, debits)
    return [outcome.row.id for outcome in outcomes if isinstance(outcome, Paid)]


def store(engine: Engine, *drawn: tuple[str, str | None]) -> list[str]:
    """What is stored for each, or the code of the problem that is told of it."""
    with writing(engine) as connection:
        stored = store_results(connection, [Drawn(release_id, result) for release_id, result in drawn])
    return [each.code if isinstance(each, Problem) else each for each in stored]


@pytest.mark.parametrize("count", [1, 2, 3, 64])
def test_each_release_gets_its_own_result(engine: Engine, count: int) -> None:
    ids = pay(engine, count)
    expected = [f"result of {each}" for each in ids]
    assert store(engine, *zip(ids, expected, strict=True)) == expected
    assert store(engine, *((each, "another") for each in reversed(ids))) == expected[::-1]


def test_what_failed_stays_failed_and_what_was_stored_stays(engine: Engine) -> None:
    one, two, three, four = pay(engine, 4)
    assert store(engine, (one, "first"), (two, None)) == ["first", "release-failed"]
    assert store(engine, (one, None), (two, "late"), (three, "third"), (four, None)) == [
        "first",
        "release-failed",
        "third",
        "release-failed",
    ]


def test_a_result_that_comes_after_its_release_was_called_lost_is_told_as_lost(engine: Engine) -> None:
    one, two = pay(engine, 2)
    with writing(engine) as connection:
        connection.execute(update(releases).where(releases.c.id == one).values(state="lost"))
    assert store(engine, (one, "late"), (two, "in time"), ("rel_forgotten", "of nothing")) == [
        "release-lost",
        "in time",
        "outcome-unknown",
    ]


def test_two_draws_of_one_release_in_a_batch_are_answered_alike(engine: Engine) -> None:
    (one,) = pay(engine, 1)
    first, second = store(engine, (one, "a"), (one, "b"))
    assert first == second
    assert first in ("a", "b")
