"""`posterior infer` and `client.infer` on a noisy table that somebody published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from private_posterior import Client, NoisyTable
from private_posterior.answers import TableAnswer
from tests.client.people import someone

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server


def test_a_file_and_a_dictionary_have_the_same_posterior(server: Server, tmp_path: Path) -> None:
    party = server.new("analyst")
    person = someone(tmp_path, server, party)
    file, picture = tmp_path / "table.csv", tmp_path / "table.svg"
    file.write_text("answer,value\nyes,41\nno,112\nother,*\n")
    options = ("--noise", "geometric", "--epsilon", "1", "--shown-from", "20", "--total", "170")
    done = person.run("infer", str(file), *options, "--picture", str(picture))
    assert "all records" in done.stdout
    assert picture.read_text().startswith("<svg")
    shown = person.answer("infer", str(file), *options)
    with Client.open(server.url, party.key) as client:
        values = {"yes": 41, "no": 112, "other": None}
        found = client.posterior(NoisyTable(values, "geometric", epsilon=1, shown_from=20, total=170), quantiles=[0.5])
        assert isinstance(found, TableAnswer)
        assert dict(found) == shown
        assert [each["count"]["mean"] for each in found["categories"]] == pytest.approx([41, 112, 17], abs=1.5)
        assert "records in yes" in found._repr_html_()
        assert len(found.rows()) == 7


def test_a_wrong_file_and_a_wrong_noise_are_refused_in_words(server: Server, tmp_path: Path) -> None:
    person = someone(tmp_path, server, server.new("analyst"))
    file = tmp_path / "table.csv"
    file.write_text("answer,value\nyes,many\nno,112\n")
    refused = person.run("infer", str(file), "--noise", "geometric", "--epsilon", "1", code=2)
    assert "not a number" in refused.stderr
    file.write_text("answer,value\nyes,4.5\nno,112\n")
    refused = person.run("infer", str(file), "--noise", "geometric", "--epsilon", "1", code=3)
    assert "must be a whole number" in refused.stderr


def test_values_that_add_up_and_a_suppressed_cell_without_a_threshold_are_named(server: Server, tmp_path: Path) -> None:
    person, file = someone(tmp_path, server, server.new("analyst")), tmp_path / "table.csv"
    infer = ("infer", str(file), "--noise", "geometric", "--epsilon", "1")
    file.write_text("area,value\nnorth,90\nsouth,105\n000,195\n")
    assert "'000' in 'area' are about the sums of the others. Leave out a row of totals" in person.refused(*infer)
    assert "000" in person.run(*infer, "--no-totals").stdout
    file.write_text("area,value\nnorth,90\nsouth,*\n")
    assert "“south” is suppressed: give --shown-from" in person.refused(*infer)
