import ast
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from core.mechanisms import calibrations
from core.mechanisms.catalogue import KINDS, MECHANISMS, AnyEvent, Event, mechanism_of, rehearse
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.exponential.mechanism import weights_at
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts
from tests.core.inference.reference import events, release

ROOT = Path(__file__).parents[3]
ALL_EVENTS: list[Event] = [
    *events(80, 3, "0.5"),
    calibrate_published(12, (1.0, 1.0), Epsilon.parse("1"), Delta.parse("0.000001")),
]
"""One of each mechanism."""


def test_every_event_has_a_kind_and_every_kind_an_event() -> None:
    assert {each.event.__name__ for each in MECHANISMS} == {each.__name__ for each in get_args(Event)}
    assert {each.event.__name__ for each in KINDS} == {each.__name__ for each in get_args(AnyEvent)}
    assert {type(event).__name__ for event in ALL_EVENTS} == {each.__name__ for each in get_args(Event)}


@pytest.mark.parametrize("event", ALL_EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_finds_the_mechanism_that_is_about_it(event: Event) -> None:
    assert mechanism_of(event).event is type(event)
    assert mechanism_of(event) in MECHANISMS


def test_no_code_asks_of_what_kind_an_event_is_but_finds_its_record() -> None:
    kinds = {each.__name__ for each in get_args(AnyEvent)}
    asked = {
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for room in ("core", "service")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (classes := _asked_classes(node)) and kinds & {name for each in classes for name in _names_in(each)}
    }
    assert not asked, "a field of the record in core/mechanisms/catalogue.py answers it"


def _asked_classes(node: ast.AST) -> list[ast.expr]:
    """The classes that an `isinstance` or a pattern compares a value with."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
            return [classes]
        case ast.MatchClass(cls=cls):
            return [cls]
        case _:
            return []


def _names_in(of: ast.expr) -> set[str]:
    return {name for each in ast.walk(of) if (name := getattr(each, "attr", getattr(each, "id", None))) is not None}


def test_the_tags_of_stored_events_stay() -> None:
    mechanisms = ["simplex_geometric", "laplace", "gaussian", "exponential"]
    assert [each.kind for each in KINDS] == [*mechanisms, "private_size", "margins", "blocks", "linear"]


def test_every_calibration_belongs_to_one_mechanism_or_to_private_sizes() -> None:
    known = [each for each in vars(calibrations).values() if isinstance(each, Calibration)]
    listed = [*calibrations.AT_PRIVATE_N, *(each for mechanism in MECHANISMS for each in mechanism.calibrations)]
    assert sorted(each.kind for each in listed) == sorted(each.kind for each in known)
    assert len({each.kind for each in listed}) == len(listed)


def test_a_calibration_within_an_epsilon_returns_an_event_of_its_mechanism() -> None:
    for mechanism in MECHANISMS:
        for calibration in mechanism.calibrations:
            if calibration.within is not None:
                event = calibration.within(40, (1.0, 2.0), Epsilon.parse("0.7"), Delta.parse("0.000001"))
                assert type(event) is mechanism.event


COUNTS = np.array([30, 0, 50])


@pytest.mark.parametrize("event", [*events(80, 3, "0.5"), SimplexGeometric(20, 3, Epsilon.parse("0.5"))])
def test_a_rehearsal_is_what_a_release_of_the_made_up_counts_would_be(event: SimplexGeometric) -> None:
    counts = COUNTS if event.n == 80 else np.array([5, 0, 15])
    assert rehearse(event, counts, 1, SeededEntropy(3)) == (release(event, counts, SeededEntropy(3)),)


def test_the_exponential_mechanism_is_rehearsed_from_its_own_weights() -> None:
    event = calibrate_published(12, (1.0, 1.0), Epsilon.parse("1"), Delta.parse("0.000001"))
    weights = weights_at(event, np.array([3, 9])).astype(float)
    drawn = [run.noisy[0] for run in rehearse(event, np.array([3, 9]), 4000, SeededEntropy(1))]
    assert_accepts(drawn, dict(enumerate(weights / weights.sum())))


def test_a_large_space_is_rehearsed_without_enumeration() -> None:
    event = calibrate_published(3000, (1.0, 1.0, 1.0), Epsilon.parse("1"), Delta.parse("0.000001"))
    runs = rehearse(event, np.array([1000, 500, 1500]), 3, SeededEntropy(1))
    assert all(sum(run.on_simplex) == 3000 and min(run.on_simplex) >= 0 for run in runs)
