"""Notebooks show releases, posteriors, plans and statements as tables and drawings, and `to_frame`
returns data frames.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from private_posterior import Client

if TYPE_CHECKING:
    from private_posterior.models import ReleaseCreate
    from tests.harness.server import Server
    from tests.service.conftest import Study

RELEASE: ReleaseCreate = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}


@pytest.fixture
def shown(study: Study, server: Server) -> dict[str, Any]:
    """One answer of each kind that a notebook shows."""
    with Client.open(server.url, study.owner.key) as client:
        release = client.create_release(study.dataset_id, RELEASE)
        return {
            "release": release,
            "posterior": client.posterior(release["id"], {"level": 0.9}),
            "plan": client.plan(
                {"prior": [1, 1], "data": {"kind": "counts", "counts": [50, 950]}, "epsilons": ["0.5"], "delta": "0"}
            ),
            "statement": client.statement(study.dataset_id),
        }


def test_each_is_a_table_and_a_drawing(shown: dict[str, Any]) -> None:
    words = {"release": "naive mean share", "posterior": "high", "plan": "simplex_geometric", "statement": "one child"}
    for name, answer in shown.items():
        table = ET.fromstring(f"<div>{answer._repr_html_()}</div>")  # noqa: S314  our own
        assert words[name] in "".join(table.itertext()), name
        drawing = ET.fromstring(answer._repr_svg_())  # noqa: S314  our own
        assert drawing.tag == "{http://www.w3.org/2000/svg}svg", name
        assert drawing.findall(".//{http://www.w3.org/2000/svg}circle"), name


def test_what_people_wrote_is_escaped(shown: dict[str, Any]) -> None:
    release = copy.deepcopy(shown["release"])
    release["posterior"]["categories"][0]["label"] = "<script>alert(1)</script>"
    assert "<script>" not in release._repr_html_() + release._repr_svg_()


def test_an_answer_is_its_dictionary_and_keeps_its_text(shown: dict[str, Any]) -> None:
    release = shown["release"]
    assert release == dict(release)
    assert release["id"] in release.text


@pytest.mark.long
def test_each_becomes_a_data_frame(shown: dict[str, Any], study: Study, server: Server) -> None:
    """pandas comes with `make generators`; without it this fails."""
    columns = {"release": "noisy count", "posterior": "mean share", "plan": "error", "statement": "charged"}
    for name, answer in shown.items():
        assert columns[name] in answer.to_frame().columns, name
    with Client.open(server.url, study.owner.key) as client:
        assert list(client.datasets().to_frame()["id"]) == [study.dataset_id]
