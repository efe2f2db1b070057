"""Noisy tables that somebody published, as callers have them, become the request that the service reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from private_posterior.errors import NotATable
from private_posterior.noisy_table import NoisyTable, cells_of

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


def test_a_series_and_data_frames_give_the_same_cells_as_a_dictionary() -> None:
    values = {"yes": 41.0, "no": -2.0, "other": float("nan")}
    columns = {"answer": list(values), "count": list(values.values())}
    frame = pd.DataFrame(columns)
    tables = (pd.Series(values), frame, frame.set_index("answer"), pl.DataFrame(columns), pa.table(columns))
    for table in tables:
        assert cells_of(table, NOISE) == cells_of(values, NOISE)


def test_a_cross_table_has_the_levels_of_both_its_sides() -> None:
    people = pd.DataFrame({"arm": ["a", "a", "b"], "ill": ["yes", "no", "no"]})
    found = cells_of(pd.crosstab(people["arm"], people["ill"]), NOISE)
    assert found["attributes"] == [{"name": "arm", "levels": ["a", "b"]}, {"name": "ill", "levels": ["no", "yes"]}]
    assert [each["value"] for each in found["cells"]] == [1, 1, 1, 0]
    counted = people.value_counts(["arm", "ill"]).sort_index()
    assert cells_of(counted, NOISE)["attributes"] == found["attributes"]


def test_several_columns_of_names_are_attributes_and_scales_are_of_cells(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("sex,age,value,scale\nf,old,1250,2.5\nf,young,3.5,\nm,old,*,\nm,young,7,1\n")
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


def test_a_cell_of_a_file_says_the_interval_that_is_known(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("area;count\na;<5\nb;≤5\nc;1-9\nd;>30\ne;>=30\nf;[c]\n", "utf-8")
    cells = cells_of(file, {"law": "none"})["cells"]
    known = [[None, 4], [None, 5], [1, 9], [31, None], [30, None], None]
    assert [each.get("between") for each in cells] == known
    assert cells_of(file, {"law": "laplace", "scale": 1})["cells"][0]["between"] == [None, 5]


def test_a_perturbation_table_is_a_file_or_a_list(tmp_path: Path) -> None:
    file = tmp_path / "changes.csv"
    file.write_text("count,change,probability\n0,0,1\n1,-1,0.333\n1,0,0.667\n", "utf-8")
    rows: list[dict[int, float]] = [{0: 1.0}, {-1: 0.333, 0: 0.667}]
    found = [NoisyTable({"a": 3, "b": 9}, "table", changes=changes).source["noise"] for changes in (file, rows)]
    assert found == [{"law": "table", "changes": [{"0": 1.0}, {"-1": 0.333, "0": 0.667}]}] * 2
    for text, words in (
        ("count,change\n0,0\n", "has the columns count, change"),
        ("count,change,probability\n0,0,nan\n", "with numbers"),
        ("count,change,probability\n1,0,1\n", "rows for each count from 0"),
    ):
        file.write_text(text, "utf-8")
        with pytest.raises(NotATable, match=words):
            NoisyTable({"a": 3, "b": 9}, "table", changes=file)


def test_what_is_not_a_table_is_refused_with_what_to_change(tmp_path: Path) -> None:
    def of_file(text: str) -> Callable[[], Any]:
        file = tmp_path / f"{abs(hash(text))}.csv"
        file.write_text(text)
        return lambda: cells_of(file, NOISE)

    refused: dict[str, Callable[[], Any]] = {
        "one column `value`": of_file("a,b,c\nx,1,2\n"),
        "not a number": of_file("a,value\nx,many\n"),
        "not finite": lambda: cells_of({"x": float("inf")}, NOISE),
        "line 2 has 3 values": of_file("a,value\nx,1,2\n"),
        "'1.204' can be read in two ways: write 1204, or 1.2040": of_file("a;value\nx;1.204\n"),
        "'1 204' can be read in two ways: write 1204$": of_file("a;value\nx;1 204\n"),
        "write -5, with a hyphen": of_file("a;value\nx;−5\n"),
        "write 1.5, not 1,5": of_file("a;value\nx;1,5\n"),
        "row 2 does not name its cell": of_file("a,value\nx,1\n,2\n"),
        "index of a data frame needs a name": lambda: cells_of(pd.DataFrame({"value": [1]}, index=["x"]), NOISE),
        "a series needs the labels": lambda: cells_of(pd.Series([41, 112]), NOISE),
        "each level of the index needs a name": lambda: cells_of(pd.Series({("a", "b"): 1}), NOISE),
        "column of labels": lambda: cells_of(pd.DataFrame({"value": [1]}), NOISE),
        "two ends": lambda: cells_of({"a": (1, 2, 3)}, NOISE),
        "a dictionary": lambda: cells_of([1, 2], NOISE),
        "can't be read": lambda: cells_of(tmp_path / "absent.csv", NOISE),
    }
    for words, make in refused.items():
        with pytest.raises(NotATable, match=words):
            make()
