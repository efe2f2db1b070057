"""Noisy tables that somebody published, as callers have them, become the request that the service reads."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from private_posterior.noisy_table import NotATable, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOISE = {"law": "geometric", "epsilon": 1}


def test_a_dictionary_and_a_file_give_the_same_cells(tmp_path: Path) -> None:
    values = {"yes": 41, "no": -2, "other": None}
    file = tmp_path / "table.csv"
    file.write_text("answer,value\nyes,41\nno,-2\nother,*\n")
    wanted = [{"label": "yes", "value": 41}, {"label": "no", "value": -2}, {"label": "other", "value": None}]
    for table in (values, {"yes": 41.0, "no": -2.0, "other": float("nan")}, file, str(file)):
        assert cells_of(table, NOISE) == {"cells": wanted}


@pytest.mark.long
def test_a_series_and_a_data_frame_give_the_same_cells_as_a_dictionary() -> None:
    """pandas comes with `make generators`."""
    pandas = import_module("pandas")
    values = {"yes": 41.0, "no": -2.0, "other": float("nan")}
    frame = pandas.DataFrame({"answer": list(values), "count": list(values.values())})
    for table in (pandas.Series(values), frame):
        assert cells_of(table, NOISE) == cells_of(values, NOISE)


def test_several_columns_of_names_are_attributes_and_scales_are_of_cells(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text('sex,age,value,scale\nf,old,"1,250",2.5\nf,young,3.5,\nm,old,<10,\nm,young,7,1\n')
    found = cells_of(file, NOISE)
    assert found["attributes"] == [{"name": "sex", "levels": ["f", "m"]}, {"name": "age", "levels": ["old", "young"]}]
    assert found["cells"][0] == {
        "levels": {"sex": "f", "age": "old"},
        "value": 1250,
        "noise": {"law": "geometric", "scale": 2.5},
    }
    assert [each["value"] for each in found["cells"]] == [1250, 3.5, None, 7]


def test_a_pair_is_an_interval() -> None:
    assert cells_of({"a": (1, 9), "b": (None, 4)}, NOISE)["cells"] == [
        {"label": "a", "value": None, "between": [1, 9]},
        {"label": "b", "value": None, "between": [None, 4]},
    ]


def test_what_is_not_a_table_is_refused_with_what_to_change(tmp_path: Path) -> None:
    def of_file(text: str) -> Callable[[], Any]:
        file = tmp_path / f"{abs(hash(text))}.csv"
        file.write_text(text)
        return lambda: cells_of(file, NOISE)

    refused: dict[str, Callable[[], Any]] = {
        "one column `value`": of_file("a,b,c\nx,1,2\n"),
        "not a number": of_file("a,value\nx,many\n"),
        "not finite": of_file("a,value\nx,inf\n"),
        "row 1 has 3 fields": of_file("a,value\nx,1,2\n"),
        "column of labels": of_file("value\n1\n"),
        "two ends": lambda: cells_of({"a": (1, 2, 3)}, NOISE),
        "a dictionary": lambda: cells_of([1, 2], NOISE),
        "can't be read": lambda: cells_of(tmp_path / "absent.csv", NOISE),
    }
    for words, make in refused.items():
        with pytest.raises(NotATable, match=words):
            make()
