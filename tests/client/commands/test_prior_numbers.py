"""The console and the command line read the numbers of a prior by the same rule."""

from __future__ import annotations

import pytest
import typer
from starlette.datastructures import QueryParams

from private_posterior.commands import options
from service.console import prior_and_level
from service.console.forms import FormError

READ = {
    "1": [1.0, 1.0],
    "0.5": [0.5, 0.5],
    "1 5": [1.0, 5.0],
    "1, 5": [1.0, 5.0],
    "1 ,5": [1.0, 5.0],
    "0.5,2": [0.5, 2.0],
    "1.0,5.0": [1.0, 5.0],
    "1e-1, 5": [0.1, 5.0],
}
BOTH_READINGS = {
    "1,5": ("1.5", "1 and 5"),
    "0,5": ("0.5", "0 and 5"),
    "1,5, 2": ("1.5", "1 and 5"),
    "2 1,25": ("1.25", "1 and 25"),
}
"""Typed priors with a decimal comma, and the readings that the refusal names."""
REFUSED = ("one", "nan", "1 2 3", "1,2,3", "", ",", "1;5")


def in_console(text: str) -> list[float]:
    return prior_and_level.conditions_of(
        QueryParams({"prior": text or " , "}), {"labels": ["a", "b"], "attributes": None, "prior": [9.0, 9.0]}
    ).prior


def test_commas_and_spaces_separate_the_numbers_of_a_prior() -> None:
    for text, numbers in READ.items():
        assert (text, in_console(text)) == (text, numbers)
        assert (text, options.prior_of(text, 2)) == (text, numbers)


def test_a_free_answer_also_takes_a_prior_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert options.free_prior_of("part=1", 4) == {"each": 1.0, "of": "piece"}
    assert options.free_prior_of("part=.5", 4) == {"each": 0.5, "of": "piece"}
    assert options.free_prior_of("1 5", 2) == [1.0, 5.0]
    for text in ("cell=1", "part=", "part=1 2", "part=0,5"):
        with pytest.raises(typer.Exit):
            options.free_prior_of(text, 4)
    assert "part=1" in capsys.readouterr().err


def test_a_decimal_comma_is_refused_with_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    for text, readings in BOTH_READINGS.items():
        with pytest.raises(FormError) as told:
            in_console(text)
        with pytest.raises(typer.Exit):
            options.prior_of(text, 2)
        for sentence in (told.value.sentence, capsys.readouterr().err):
            assert all(each in sentence for each in readings), sentence


def test_what_is_not_a_prior_is_refused() -> None:
    for text in REFUSED:
        with pytest.raises(FormError):
            in_console(text)
        with pytest.raises(typer.Exit):
            options.prior_of(text, 2)
