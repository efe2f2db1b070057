"""In a notebook, a data set has its name, and each answer is a table with its picture inside; `to_frame` returns data
frames, and ArviZ gets the draws.
"""

from __future__ import annotations

import ast
import base64
import copy
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from private_posterior import Client, ClientError, NoisyTable, NoSuchName, answers, dataset
from private_posterior.answers import Answer, Listing
from private_posterior.connection import Connection
from private_posterior.figures import PosteriorAnswer
from private_posterior.quotes import QueriesAnswer
from private_posterior.released import MarginsAnswer, ReleaseAnswer
from tests.harness.bodies import budget_body, registration, unique
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from private_posterior.models import Cells, StratifiedQuestion
    from tests.harness.server import Server
    from tests.service.conftest import Study

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script> \" onerror='x'"
ATTRIBUTES = [{"name": "arm", "levels": ["new", "old"]}, {"name": HOSTILE, "levels": ["ill", "well"]}]
ILL: Cells = {"where": {HOSTILE: ["ill"]}}


def risk(arm: str) -> Any:
    return {"of": ILL, "within": {"where": {"arm": [arm]}}}


@pytest.fixture
def trial(server: Server) -> Study:
    """A cross table with a hostile name, which an analyst may ask."""
    return make_study(
        server.new("owner"), server.new("analyst"), name=unique("Trial"), labels=None, attributes=ATTRIBUTES,
        counts=[40, 960, 90, 910],
    )  # fmt: skip


def parsed(shown: str) -> tuple[str, list[ET.Element]]:
    """The text of HTML, and the roots of the pictures in it."""
    whole = ET.fromstring(f"<div>{shown}</div>")  # noqa: S314  our own
    pictures = [each.attrib["src"].removeprefix("data:image/svg+xml;base64,") for each in whole.iter("img")]
    return "".join(whole.itertext()), [ET.fromstring(base64.b64decode(each)) for each in pictures]  # noqa: S314


def test_a_data_set_is_named_and_a_release_shows_noise_aware_shares_first(trial: Study, server: Server) -> None:
    with Client.open(server.url, trial.analyst.key) as client:
        name = client.dataset(trial.dataset_id)["name"]
        found = client[f" {name.upper()}"]
        assert (found.id, found.name) == (client[trial.dataset_id].id, name)
        assert "1 000" in parsed(client[name]._repr_html_())[0].replace("2 000", "1 000")
        release = found.release(epsilon="0.25")
        text, [picture] = parsed(release._repr_html_())
        assert text.index("mean share") < text.index("naive share")
        assert f"Charged ε 0.25: {release['id']}" in text
        assert "new · ill" in text
        assert len(picture.findall(".//{http://www.w3.org/2000/svg}circle")) == 4
        again = found.release(epsilon=0.25, prior=np.int64(1))
        assert "free: " in parsed(again._repr_html_())[0]
        assert found.released(release["id"]) == release
        assert found.release(epsilon="0.25", dry_run=True)["paid_under_key"]["id"] == release["id"]
        assert (
            "simplex_geometric"
            in parsed(found.plan(["0.25", 0.5], counts=np.array([40, 960, 90, 910]))._repr_html_())[0]
        )
        by: StratifiedQuestion = {"attributes": ["arm"], "question": {"kind": "share", "of": ILL}}
        rows = found.plan("0.25", counts=[40, 960, 90, 910], by=by).rows()[:3]
        assert [each["question"].rpartition(", ")[2] for each in rows[1:]] == ["new", "old"]
        assert rows[1]["low"] < 0.04 < rows[1]["high"] < 0.15
        assert found.allowance()["can_release"]
        answered = found.estimate([{"of": {"where": {"arm": ["new"]}}}])
        assert answered.rows()[0]["estimate"] == pytest.approx(1000, abs=200)
    # After the client was closed, the release shows what it has.
    assert "naive share" in parsed(release._repr_html_())[0]


def test_the_noisy_count_of_a_release_is_the_one_that_was_drawn() -> None:
    """Released counts are not negative and add up to n: they have another name."""
    posterior = {
        "categories": [{"label": label, "mean": 0.5} for label in ("ill", "well")],
        "noisy_counts": [-3, 1_628],
        "released_counts": [0, 1_625],
    }
    release = ReleaseAnswer({"posterior": posterior}, text="")
    assert [each["noisy_count"] for each in release.rows()] == [-3, 1_628]
    assert release.table().headings[-2] == "noisy count"
    assert [row[-2] for row in release.table().rows] == ["-3", "1,628"]


def test_names_that_are_unknown_or_shared_are_explained(server: Server) -> None:
    analyst, name = server.new("analyst"), unique("Polio")
    studies = [make_study(server.new("owner"), analyst, name=name) for _ in range(2)]
    with Client.open(server.url, analyst.key) as client:
        with pytest.raises(NoSuchName, match=f"there is no data set named '{name}x'; the nearest is '{name}'"):
            client[f"{name}x"]
        with pytest.raises(LookupError) as told:
            client[name]
        for study in studies:
            assert f"{study.dataset_id} of " in str(told.value)
            assert client[study.dataset_id].name == name


def test_questions_are_rows_under_their_names(trial: Study, server: Server) -> None:
    with Client.open(server.url, trial.analyst.key) as client:
        release = client[trial.dataset_id].release(epsilon="0.5")
        questions: dict[str, Any] = {
            "risk, new": {"kind": "share", **risk("new"), "above": 0.05},
            "vaccine's ratio": {
                "kind": "ratio",
                "first": risk("new"),
                "second": risk("old"),
                "between": {"low": 0.5, "high": 1},
            },
            "difference": {"kind": "difference", "first": risk("new"), "second": risk("old")},
        }
        posterior = release.posterior(questions=questions, level=0.9)
        unnamed = release.posterior(questions=list(questions.values()))
        alone = release.posterior()
    kinds = [each["kind"] for each in posterior.rows()]
    assert kinds == ["share", "ratio", "probability", "difference"] + ["category"] * 4
    named = [each["name"] for each in posterior.rows() if each["kind"] not in {"probability", "category"}]
    assert named == list(questions)
    assert posterior.rows()[2]["name"] == "vaccine's ratio, at least 0.5 and at most 1"
    text, pictures = parsed(posterior._repr_html_())
    assert "0.9 from" in text
    assert "P(above 5 %) " in text
    assert "new · well" not in text
    assert "new · well" in parsed(alone._repr_html_())[0]
    assert [each.find("{http://www.w3.org/2000/svg}text").text for each in pictures] == [  # type: ignore[union-attr]
        "Shares", "Ratios", "Differences of shares",
    ]  # fmt: skip
    assert unnamed.rows()[1]["name"] == f"Risk ratio of {HOSTILE} ill: arm new against arm old"
    assert unnamed.rows()[0]["mean"] == posterior.rows()[0]["mean"]


def test_strata_and_trials_are_rows_with_pictures(trial: Study, server: Server) -> None:
    by: Any = {"attributes": ["arm"], "question": {"kind": "share", "of": ILL, "above": 0.05}}
    asked: Any = {"outcome": ILL, "first": {"where": {"arm": "new"}}, "second": {"where": {"arm": "old"}}}
    asked["effect"] = {"measure": "ratio", "below": 0.9}
    with Client.open(server.url, trial.analyst.key) as client:
        posterior = client[trial.dataset_id].release(epsilon="0.5").posterior(by=by, trial=asked)
    rows = {each["name"]: each for each in posterior.rows()}
    assert list(rows)[:3] == ["All", "new", "old"]
    assert 0 < rows["new"]["low"] < rows["new"]["median"] < rows["new"]["high"] < 0.2
    # Asked by itself, a risk has pieces of its own.
    assert rows["Risk, arm new"]["median"] == pytest.approx(rows["new"]["median"], rel=0.02)
    assert rows["Efficacy (1 − risk ratio)"]["median"] == pytest.approx(1 - rows["Risk ratio"]["median"])
    text, pictures = parsed(posterior._repr_html_())
    assert "Log odds ratio" in text
    # In one of a hundred runs noise widens the interval to both sides of no difference.
    assert ("Number needed to treat" in rows) == ("There is no number needed to treat" in text)
    assert rows["Ratio below 0.9"]["probability"] == posterior["trial"]["effect"]["probability"]
    titles = [each.find("{http://www.w3.org/2000/svg}text").text for each in pictures]  # type: ignore[union-attr]
    assert titles == ["Shares", "Ratios", "Differences of shares"]


def test_a_comparison_of_two_releases_is_shown(trial: Study, server: Server) -> None:
    other = make_study(
        server.new("owner"),
        trial.analyst,
        name=unique("Trial"),
        labels=None,
        attributes=ATTRIBUTES,
        counts=[9, 9, 9, 9],
    )
    with Client.open(server.url, trial.analyst.key) as client:
        first, second = (client[each.dataset_id].release(epsilon="0.25") for each in (trial, other))
        compared = first.compare(second, ILL, within={"where": {"arm": ["new"]}}, contrast="ratio")
        figures = first.trial(second, ILL, effect={"measure": "efficacy", "above": 0.3})
    text, [_] = parsed(compared._repr_html_())
    assert "People: different." in text
    names = [each["name"] for each in compared.rows()]
    assert names == ["First share", "Second share", "Risk ratio", "First share greater"]
    names = [each["name"] for each in figures.rows()]
    assert names[:4] == ["First share greater", "Efficacy (1 − risk ratio)", "Risk, first group", "Risk, second group"]
    assert names[-1] == "Efficacy above 30 %"
    text, pictures = parsed(figures._repr_html_())
    assert len(pictures) == 3
    assert "Number needed to treat" in text


def test_no_name_runs_a_script(trial: Study, server: Server) -> None:
    with Client.open(server.url, trial.owner.key) as client:
        found = client[trial.dataset_id]
        release = found.release(epsilon="0.1")
        made_up: Any = {
            "prior": [1, 1],
            "data": {"kind": "counts", "counts": [1, 2]},
            "epsilons": ["0.5"],
            "delta": "0",
        }
        shown: list[Any] = [found, release, client.datasets(), client.releases(), found.statement(), release.plot()]
        shown.append(release.posterior(questions={HOSTILE: {"kind": "share", "of": ILL}}))
        shown.append(client.plan(made_up))
        shown.append(found.estimate([{"of": {"where": {HOSTILE: ["ill"]}}}]))
        for each in shown:
            html = each._repr_html_()
            assert "<script" not in html
            assert " onerror='" not in html.replace("&quot; onerror=&#x27;", "")
            for picture in parsed(html)[1]:
                assert not [part for part in picture.iter() if part.tag.endswith("script")]


def test_an_answer_is_its_dictionary_and_keeps_its_text(trial: Study, server: Server) -> None:
    with Client.open(server.url, trial.owner.key) as client:
        release = client[trial.dataset_id].release(epsilon="0.1")
    assert release == dict(release) == copy.deepcopy(dict(release))
    assert json.loads(release.text) == release


def pages(*sizes: int) -> Any:
    """Pages of numbered items, and the numbers of the pages that were requested."""
    asked: list[int] = []

    def requested() -> Any:
        first = 0
        for page, size in enumerate(sizes):
            asked.append(page)
            yield Answer({"items": [{"number": first + each} for each in range(size)]}, text="")
            first += size

    return requested, asked


def test_a_list_has_a_length_an_index_and_a_display_and_fetches_a_page_once() -> None:
    requested, asked = pages(2, 0, 3)
    listing: Listing[dict[str, int]] = Listing(requested)
    assert listing[0] == {"number": 0}
    assert asked == [0]
    assert [each["number"] for each in listing] == [0, 1, 2, 3, 4]
    assert (len(listing), listing[-1]["number"], [each["number"] for each in listing[1:3]]) == (5, 4, [1, 2])
    assert asked == [0, 1, 2]
    assert "5 in the list" in parsed(listing._repr_html_())[0]
    assert {"number": 3} in listing
    with pytest.raises(IndexError):
        listing[5]


def test_a_list_whose_page_fails_is_not_a_shorter_list() -> None:
    fails = [True]

    def failing() -> Any:
        yield Answer({"items": [1, 2]}, text="")
        if fails.pop() if fails else False:
            raise ClientError
        yield Answer({"items": [3]}, text="")

    listing: Listing[int] = Listing(failing)
    with pytest.raises(ClientError):
        len(listing)
    assert list(listing) == [1, 2, 3]


def test_optional_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "arviz", None)
    posterior = PosteriorAnswer({"kind": "noise_aware", "draws": [[0.5, 0.5]], "categories": []}, text="")
    with pytest.raises(ImportError, match=r"to_frame\(\) needs pandas: pip install pandas"):
        posterior.to_frame()
    with pytest.raises(ImportError, match=r"to_inference_data\(\) needs arviz: pip install arviz"):
        posterior.to_inference_data()
    with pytest.raises(ValueError, match=r"posterior\(draws=4000\)"):
        PosteriorAnswer({"kind": "noise_aware", "draws": None}, text="").to_inference_data()


def test_a_printed_posterior_is_a_table(trial: Study, server: Server) -> None:
    with Client.open(server.url, trial.analyst.key) as client:
        posterior = client[trial.dataset_id].release(epsilon="0.5").posterior()
    lines = str(posterior).splitlines()
    assert lines[0] == posterior.title
    assert lines[1].split() == ["estimate", "0.95", "from", "to"]
    assert lines[2].startswith(posterior["categories"][0]["label"])
    assert lines[2].split()[-3:] == list(posterior.table().rows[0][1:])
    assert len({len(line) for line in lines[1:-1]}) == 1
    assert lines[-1] == posterior.remark()


def test_a_printed_data_set_has_its_labels_however_many(server: Server) -> None:
    owner, labels, name = server.new("owner"), [f"category {number}" for number in range(300)], unique("Large")
    body = registration(range(1, 301), labels=labels, name=name, unit="one child")
    assert owner.post("/v1/datasets", body).status_code == 201
    with Client.open(server.url, owner.key) as client:
        found = client[name]
        assert found.labels == labels
        assert client[found.id].facts == found.facts
        lines = str(found).splitlines()
    assert lines[0] == name
    assert lines[-1].startswith("labels: category 0, category 1, ")
    assert lines[-1].endswith(f", category 11 and {len(labels) - 12} more")
    assert "one record is: one child" in lines


def shown(answer: Any) -> str:
    """The text of every display of an answer."""
    assert len(answer.rows()) >= len(answer.table().rows) > 0
    assert all(len(row) == len(answer.table().headings) for row in answer.table().rows)
    assert all(bar.value is not None for picture in answer.pictures() for bar in picture.bars)
    return f"{answer}\n{parsed(answer._repr_html_())[0]}"


@pytest.mark.every(2)
@pytest.mark.parametrize("n_is_public", [True, False])
def test_each_kind_of_release_is_displayed_when_it_is_paid_for_and_when_it_is_read_again(
    server: Server, *, n_is_public: bool
) -> None:
    owner = server.new("owner")
    budget = {"kind": "new", "budget": budget_body(epsilon="9", delta="1e-5")}
    body = registration([40, 30, 20, 50], labels=None, attributes=ATTRIBUTES, n_is_public=n_is_public, budget=budget)
    made_set = owner.post("/v1/datasets", body).json()
    kinds = ["simplex_geometric"] if n_is_public else ["geometric", "gaussian"]
    with Client.open(server.url, owner.key) as client:
        found = client[made_set["id"]]
        paid = [found.release(kind, epsilon="0.5", delta="1e-6" if kind == "gaussian" else None) for kind in kinds]
        for made in paid:
            assert "new · ill" in shown(made)
            assert len(made.rows()) == 4
        assert "new · ill" in shown(found.released(paid[-1]["id"]))
        assert ("records in all" in shown(paid[-1].posterior())) is not n_is_public
        margins = found.margins(1, epsilon="0.5")
        assert "Measured: " in shown(margins)
        assert shown(found.released(margins["id"])) == shown(cast("MarginsAnswer", client.release(margins["id"])))
        assert ("records in all" in shown(margins.posterior(margins.measured[0]))) is not n_is_public
        answered = found.measure([{"of": {"where": {"arm": ["new"]}}, "half_width": 40.0}], max_charge="0.5")
        assert answered["id"] in shown(answered)
        assert "0.95" in shown(cast("QueriesAnswer", client.release(answered["id"])))


def test_a_noisy_table_is_displayed_with_its_shares_counts_and_number_of_records(server: Server) -> None:
    with Client.open(server.url, server.new("analyst").key) as client:
        text = shown(client.posterior(NoisyTable({"yes": 41, "no": 112}, "geometric", epsilon=1), quantiles=[0.5]))
    assert re.search(r"^yes +0\.\d+ ", text, re.MULTILINE)
    assert re.search(r"^records in yes +4\d\.", text, re.MULTILINE)
    assert "records in all" in text


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::FutureWarning")  # of ArviZ, about its next version
def test_draws_go_into_arviz_and_rows_into_pandas(trial: Study, server: Server) -> None:
    """Both come with `make generators`; without them this fails."""
    with Client.open(server.url, trial.analyst.key) as client:
        release = client[trial.dataset_id].release(epsilon="0.5")
        posterior = release.posterior(draws=50, seed=3)
        frames = [release.to_frame(), posterior.to_frame(), client.releases().to_frame(), client.datasets().to_frame()]
        frames.append(client[trial.dataset_id].plan(["0.5"]).to_frame())
    assert [len(each) for each in frames[:3]] == [4, 4, 1]
    assert list(frames[0].columns)[:2] == ["category", "mean"]
    share = posterior.to_inference_data().posterior["share"]
    assert share.dims == ("chain", "draw", "arm", HOSTILE)
    assert share.shape == (1, 50, 2, 2)
    assert np.allclose(share.sel({"arm": "old", HOSTILE: "ill"}).values[0], np.array(posterior["draws"])[:, 2])


CLASSES = (Client, Connection, dataset.DataSet, Answer, Listing, PosteriorAnswer, ReleaseAnswer, answers.SvgPicture)


def test_every_public_method_has_a_docstring_with_a_call_that_fits_it() -> None:
    checked = 0
    for owner in CLASSES:
        for name, member in vars(owner).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if name.startswith("_") or not (inspect.isfunction(function)):
                continue
            text = " ".join((inspect.getdoc(function) or "").split())
            calls = [ast.parse(code, mode="eval").body for code in re.findall(r"`([^`]+)`", text) if f".{name}" in code]
            assert calls, f"{owner.__name__}.{name}"
            fitting = [
                part
                for part in (part for call in calls for part in ast.walk(call))
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == name
            ]
            assert isinstance(member, property) or fitting, f"{owner.__name__}.{name}"
            for call in fitting:
                inspect.signature(function).bind(None, *call.args, **{each.arg or "": None for each in call.keywords})
            checked += 1
    assert checked > 60


@pytest.mark.long
def test_the_code_of_the_notebook_is_typed_strictly(tmp_path: Path) -> None:
    notebook = json.loads((ROOT / "docs" / "tutorials" / "polio.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(each["source"]) for each in notebook["cells"] if each["cell_type"] == "code"]
    code = tmp_path / "polio.py"
    code.write_text("\n".join(cells), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(code)]
    done = subprocess.run(command, env={"MYPYPATH": str(ROOT / "client")}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
