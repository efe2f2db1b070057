"""`posterior infer` and `client.infer` on a noisy table that somebody published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from private_posterior import Client, NoisyTable
from private_posterior.figures import TableAnswer
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


def test_counts_that_were_rounded_at_random_or_perturbed_are_those_of_the_service(
    server: Server, tmp_path: Path
) -> None:
    """The expected values are core's reference values, for a prior of 1 a cell."""
    person = someone(tmp_path, server, server.new("analyst"))
    file, changes = tmp_path / "table.csv", tmp_path / "changes.csv"
    file.write_text("age,value\na,0\nb,3\nc,9\n")
    changes.write_text(
        "count,change,probability\n0,0,1\n1,-1,0.6666666666666666\n1,2,0.3333333333333333\n"
        "2,-2,0.3333333333333333\n2,1,0.6666666666666666\n3,0,.4\n3,1,.2\n3,-1,.2\n3,2,.1\n3,-2,.1\n"
    )
    infer = ("infer", str(file), "--prior", "1")
    rounded = ("--noise", "none", "--round-to", "3")
    assert "--round-to needs --rounding" in person.refused(*infer, *rounded)
    for options, wanted in (
        ((*rounded, "--rounding", "at_random"), 0.5887444232213),
        (("--noise", "table", "--changes", str(changes)), 0.5859473582721),
    ):
        found = person.answer(*infer, *options)
        assert found["categories"][0]["count"]["mean"] == pytest.approx(wanted, abs=1e-9)


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
    refused = person.refused(*infer, code=3)
    assert "the values of “000” are close to the sums of the others. Leave out such rows, or set --no-totals" in refused
    assert "000" in person.run(*infer, "--no-totals").stdout
    file.write_text("health,value\nhealthy,1260\nmild,145\nsevere,20\ndead,<10\nTotal,1430\n")
    assert "“Total”" in person.refused("infer", str(file), "--noise", "none", code=3)
    said = person.run("infer", str(file), "--noise", "none", "--no-totals").stderr
    assert "are taken as exact counts. If they were rounded, set --round-to and --rounding." in said
    file.write_text("area,value\nnorth,90\nsouth,*\n")
    assert "“south” is suppressed: give --shown-from" in person.refused(*infer)
