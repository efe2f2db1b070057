"""Categories that no question tells apart are merged before the noise: one public partition, the same guarantee."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np
import pytest

from core.cells import CellsError, groups_of
from core.inference import infer
from core.inference.contrast_scales import Contrast
from core.inference.events import Share, contrast_distribution, share_distribution
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.merging import merged
from core.mechanisms.unsealing import HistogramError, unseal
from core.privacy import Epsilon
from core.private import Private
from core.samplers.reproducible import Reproducible
from private_posterior import Client, NoSuchName
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import keys_in
from service.drawing.draw import FAILED, handle_order
from tests.client.people import someone
from tests.harness.bodies import budget_body, of_releases, querying, registration, release_body, share, unique
from tests.harness.orders import KEYS, PaidDraw
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Party, Server

ATTRIBUTES = [
    {"name": "arm", "levels": ["vaccine", "placebo"]},
    {"name": "outcome", "levels": ["well", "mild", "severe"]},
]
COUNTS = [900, 60, 40, 800, 120, 80]
ILL = [["vaccine · severe", "vaccine · mild"], ["placebo · mild", "placebo · severe"]]
TRIAL: Any = {
    "outcome": {"where": {"outcome": ["mild", "severe"]}},
    "first": {"where": {"arm": ["vaccine"]}},
    "second": {"where": {"arm": ["placebo"]}},
}
GROUPS = ["vaccine · well", "vaccine · mild + vaccine · severe", "placebo · well", "placebo · mild + placebo · severe"]


class Trial:
    """A cross table of six cells, whose owner releases."""

    def __init__(self, server: Server) -> None:
        self.owner: Party = server.new("owner")
        budget = {"kind": "new", "budget": budget_body(epsilon="200")}
        body = registration(COUNTS, labels=None, attributes=ATTRIBUTES, budget=budget, name=unique("Trial"))
        self.dataset = self.owner.post("/v1/datasets", body).json()
        self.path = f"/v1/datasets/{self.dataset['id']}"

    def released(self, *, key: str = "", status: int = 201, **body: Any) -> dict[str, Any]:
        body = release_body("50", 6) | {"merged": ILL} | body
        made = self.owner.post(f"{self.path}/releases", body, idempotency_key=key or unique("key").replace(" ", "-"))
        assert made.status_code == status, made.text
        found: dict[str, Any] = made.json()
        return found

    def asked(self, release: dict[str, Any], **request: Any) -> Any:
        return self.owner.post("/v1/posteriors", of_releases(release["id"]) | request)


@pytest.fixture
def trial(sqlite_server: Server) -> Trial:
    return Trial(sqlite_server)


def test_merged_categories_are_counted_as_one_and_the_release_names_them(trial: Trial) -> None:
    made = trial.released(prior=[1, 2, 3, 0.5, 0.25, 0.125])
    assert made["event"]["m"] == 4
    assert made["event"]["merged"] == [[1, 2], [4, 5]]
    assert (len(made["labels"]), made["category_count"]) == (6, 6)
    assert [each["label"] for each in made["posterior"]["categories"]] == GROUPS
    assert made["prior"] == [1, 5, 0.5, 0.375], "the parameters of a set add"
    assert made["posterior"]["noisy_counts"] == [900, 100, 800, 200], "at ε 50 there is practically no noise"
    assert made["certified"]["epsilon"] == "50"


def test_groups_are_asked_by_the_names_of_the_table(trial: Trial) -> None:
    made = trial.released()
    ill = {"where": {"outcome": ["mild", "severe"]}}
    by = {"attributes": ["arm"], "question": {"kind": "share", "of": ill}}
    found = trial.asked(made, trial=TRIAL, by=by, questions=[share(*ILL[0]) | {"kind": "share"}]).json()
    assert found["trial"]["first"]["mean"] == pytest.approx(100.5 / 1001)
    assert [each["label"] for each in found["categories"]] == GROUPS
    assert found["answers"][0]["mean"] == pytest.approx(100.5 / 2001)
    assert [each["levels"] for each in found["by"]["strata"]] == [{"arm": "vaccine"}, {"arm": "placebo"}]
    picture = trial.asked(made, picture={"by": ["arm"], "of": ill})
    assert "<svg" in picture.json()["picture"], picture.text


def test_priors_of_merged_categories_add(trial: Trial, tmp_path: Path) -> None:
    made = trial.released()
    asked = {"questions": [share(*ILL[0]) | {"kind": "share"}]}

    def answered(prior: Any) -> Any:
        found = trial.asked(made, prior=prior, **asked).json()
        return found["prior"], found["answers"][0]["mean"], found["answers"][0]["interval"]

    assert answered([1, 2, 3, 0.5, 0.25, 0.125]) == answered([1, 5, 0.5, 0.375])
    assert answered({"each": 2, "of": "cell"}) == answered([2, 4, 2, 4]) == answered([2] * 6)
    for wrong, rule in (([1] * 5, "one number for each cell"), ([6e5] * 6, "sum to at most")):
        refused = trial.asked(made, prior=wrong, **asked)
        assert rule in refused.json()["errors"][0]["rule"], refused.text
    person, browser = someone(tmp_path, trial.owner.server, trial.owner), browser_of(trial.owner)
    command = person.answer("posterior", made["id"], "--where", "arm=vaccine,outcome=mild,severe", "--prior", "2")
    assert (command["prior"], command["answers"][0]["mean"]) == answered([2] * 6)[:2]
    page = browser.http.get(f"/console/releases/{made['id']}/data.json?prior=2").json()
    assert page["posterior"]["prior"] == [2, 4, 2, 4]


def test_the_console_plans_and_releases_groups(trial: Trial) -> None:
    analyst = trial.owner.server.new("analyst")
    granted = {"principal_id": analyst.principal_id, "epsilon": "9", "delta": "0"}
    assert trial.owner.post(f"{trial.path}/grants", granted).status_code == 201
    browser, path = browser_of(analyst), f"/console/datasets/{trial.dataset['id']}/plan"
    counts = [("count", each) for each in COUNTS]
    asked = urlencode([*counts, ("kind", "ratio"), ("outcome_1", "mild"), ("outcome_1", "severe"),
                       ("first_0", "vaccine"), ("second_0", "placebo")])  # fmt: skip
    whole = browser.get(f"{path}?{asked}")
    groups = browser.get(whole.link("Plan it"))
    assert "Nothing within these sets can be asked" in groups.text
    steps = [next(each for each in page.root.all("a") if each.get("data-charge") == "0.1") for page in (groups, whole)]
    assert float(steps[0].text) < float(steps[1].text), "the upper end over the lower one"
    quote = browser.get(steps[0].get("href"))
    assert "Nothing within these sets can be asked" in quote.text
    release = browser.send(quote, "/releases")
    made = trial.owner.get(f"/v1/releases/{release.path.rpartition('/')[2]}").json()
    assert (made["event"]["merged"], made["event"]["m"]) == ([[1, 2], [4, 5]], 4)
    again = browser.send(browser.get(steps[0].get("href")), "/releases", again="yes")
    assert trial.owner.get(f"/v1/releases/{again.path.rpartition('/')[2]}").json()["event"]["merged"]
    asked = urlencode([*counts, ("kind", "share"), ("outcome_1", "well"), ("merge", "attributes")])
    one = browser.get(f"{path}?{asked}")
    step = next(each for each in one.root.all("a") if each.get("data-charge") == "0.1")
    quote = browser.get(step.get("href"))
    assert "vaccine · well" in quote.text
    made = trial.owner.get(f"/v1/releases/{browser.send(quote, '/releases').path.rpartition('/')[2]}").json()
    assert made["event"]["merged"] == [[0, 3], [1, 4], [2, 5]]


def test_commands_plan_and_release_groups(trial: Trial, tmp_path: Path) -> None:
    person, name = someone(tmp_path, trial.owner.server, trial.owner), trial.dataset["name"]
    asked = ("--dataset", name, "--epsilon", "0.1", "--counts", ",".join(map(str, COUNTS)), "--where")
    merge = ("--merge", "arm=vaccine,outcome=mild,severe", "--merge", "arm=placebo,outcome=mild,severe")

    def width(found: Any) -> float:
        return float(found["points"][0]["options"][0]["intervals"][0]["width"])

    share_of_ill = (*asked, "outcome=mild,severe", "--given", "arm=vaccine")
    whole, groups = (person.answer("plan", *share_of_ill, *each) for each in ((), merge))
    assert width(groups) < 0.95 * width(whole)
    assert "--merge" in person.run("plan", *share_of_ill).stderr
    assert width(person.answer("plan", *asked, "outcome=well", "--only", "outcome")) < width(
        person.answer("plan", *asked, "outcome=well")
    )
    assert "outcome" in person.refused("plan", *asked, "outcome=well", "--only", "age", code=2)
    made = person.answer("release", name, "--epsilon", "0.1", "--only", "outcome")
    assert made["event"]["merged"] == [[0, 3], [1, 4], [2, 5]]
    with Client.open(person.url, person.key) as client:
        found = client[name].plan("0.1", counts=COUNTS, trial=TRIAL, merged=ILL)
        assert width(found) == width(client[name].plan("0.1", counts=COUNTS, trial=TRIAL, merged=ILL[::-1]))
        assert width(found) < 0.95 * width(client[name].plan("0.1", counts=COUNTS, trial=TRIAL))
        again = client[name].release(merged=client[name].only("outcome"), epsilon="0.1")
        assert (again["id"], again.replayed) == (made["id"], True)
        every = [each["name"] for each in client[name].facts["attributes"] or []]
        whole = client[name].release(merged=client[name].only(*every), epsilon="0.1", dry_run=True)
        assert whole["granted"]
        with pytest.raises(NoSuchName, match="no attribute 'age'"):
            client[name].only("age")


def test_a_question_about_a_part_of_a_group_is_refused_by_name(trial: Trial) -> None:
    made = trial.released()
    for question in (share("vaccine · mild"), share(outcome=["mild"])):
        refused = trial.asked(made, questions=[question | {"kind": "share"}])
        assert refused.status_code == 422, refused.text
        assert GROUPS[1] in refused.json()["errors"][0]["rule"]
    other = trial.released(merged=ILL[:1])
    pooled = trial.owner.post("/v1/posteriors", of_releases(made["id"], other["id"]))
    assert "the same cells" in pooled.json()["errors"][0]["rule"]
    estimates = trial.owner.post(f"{trial.path}/estimates", {"queries": [share("vaccine · mild")]}).json()
    assert {each["release_id"] for each in estimates["excluded_releases"]} == {made["id"], other["id"]}
    exact = trial.owner.post(
        f"{trial.path}/releases", querying(share("vaccine · mild") | {"half_width": 20}), idempotency_key="measured"
    )
    assert exact.status_code == 201, exact.text


def test_a_request_is_bound_to_its_partition(trial: Trial) -> None:
    made = trial.released(key="one")
    assert trial.released(key="one", merged=[each[::-1] for each in ILL[::-1]])["id"] == made["id"]
    trial.released(key="one", merged=ILL[:1], status=422)
    trial.released(key="one", merged=None, status=422)


def test_a_list_that_is_no_partition_is_refused_uncharged(trial: Trial) -> None:
    every = [label for arm in ("vaccine", "placebo") for label in (f"{arm} · {each}" for each in ("well", "mild"))]
    for wrong, place in (
        ([["vaccine · mild", "vaccine · dead"]], "merged[0][0]"),
        ([ILL[0], ILL[0]], "merged"),
        ([[*every, "vaccine · severe", "placebo · severe"]], "merged"),
        ([["vaccine · mild", "vaccine · mild"]], "merged"),
        ([["vaccine · mild"]], "merged[0]"),
        ([], "merged"),
    ):
        for path in ("releases", "quotes"):
            body = release_body("1", 6) | {"kind": "counts", "merged": wrong}
            refused = trial.owner.post(f"{trial.path}/{path}", body, idempotency_key="wrong")
            assert refused.status_code == 422, refused.text
            assert refused.json()["charged"] is False
            assert refused.json()["errors"][0]["location"].startswith(f"body.{place}"), refused.text


def test_a_quote_is_that_of_the_groups(trial: Trial) -> None:
    body = release_body("0.3", 6) | {"kind": "counts", "merged": ILL}
    merged, whole = (trial.owner.post(f"{trial.path}/quotes", each).json() for each in (body, {**body, "merged": None}))
    assert merged["certified"]["epsilon"] == whole["certified"]["epsilon"] == "0.3"
    assert float(merged["certified"]["rho"]) > float(whole["certified"]["rho"]), "the same ε, not the same ρ"


def test_a_plan_names_what_no_question_tells_apart_and_plans_the_groups(trial: Trial) -> None:
    body = {
        "data": {"kind": "counts", "counts": COUNTS},
        "attributes": ATTRIBUTES,
        "epsilons": ["0.05"],
        "trial": TRIAL,
        "smaller_tables": True,
    }
    whole = trial.owner.post("/v1/plans", body).json()
    (smaller,) = whole["smaller_tables"]
    assert (smaller["attributes"], smaller["category_count"]) == (None, 4), "both attributes are in the question"
    assert sorted(map(sorted, smaller["merged"])) == sorted(map(sorted, ILL))
    groups = trial.owner.post("/v1/plans", {**body, "merged": smaller["merged"]}).json()
    assert groups["smaller_tables"] == []
    option = groups["points"][0]["options"][0]
    assert smaller["same_charge"] == option
    assert smaller["whole"] in whole["points"][0]["options"]
    for place, (here, there) in enumerate(zip(option["intervals"], smaller["whole"]["intervals"], strict=True)):
        assert here["width"] < 0.95 * there["width"]
        assert smaller["same_width"]["intervals"][place]["width"] <= there["width"]
    made = trial.released(mechanism=smaller["same_width"]["mechanism"], merged=smaller["merged"])
    assert float(made["charged"]["epsilon"]) < 0.05
    merged = {name: each for name, each in body.items() if name != "trial"} | {"merged": ILL}
    labels = [
        each["question"]["of"]["labels"] for each in trial.owner.post("/v1/plans", merged).json()["without_noise"]
    ]
    assert sorted(ILL[1]) in map(sorted, labels)
    apart = {**body, "merged": [["vaccine · well", "vaccine · mild"]]}
    assert "must not tell apart" in trial.owner.post("/v1/plans", apart).json()["errors"][0]["rule"]


def test_a_plan_names_the_table_of_the_attributes_in_its_questions(trial: Trial) -> None:
    attributes = [*ATTRIBUTES, {"name": "sex", "levels": ["women", "men"]}]
    body = {
        "data": {"kind": "shape", "shape": "even", "record_count": 2000},
        "attributes": attributes,
        "accountant": "zcdp",
        "rhos": ["0.001"],
        "delta": "1e-6",
        "trial": TRIAL,
        "smaller_tables": True,
    }
    margin, groups = trial.owner.post("/v1/plans", body).json()["smaller_tables"]
    assert (margin["attributes"], margin["category_count"]) == (["arm", "outcome"], 6)
    assert ["vaccine · mild · women", "vaccine · mild · men"] in margin["merged"]
    assert (groups["attributes"], groups["category_count"]) == (None, 4)
    charges = [float(each["same_width"]["certified"]["rho"]) for each in (groups, margin)] + [0.001]
    assert charges == sorted(charges)
    every = {"questions": [share(sex=["men"], outcome=["well"], arm=["vaccine"]) | {"kind": "share"}]}
    (only,) = trial.owner.post("/v1/plans", {**body, "trial": None, **every}).json()["smaller_tables"]
    assert (only["attributes"], only["category_count"]) == (None, 2)
    well = {"kind": "share", "of": {"where": {"outcome": ["well"]}}}
    by = {"by": {"attributes": ["sex"], "question": well}}
    found = trial.owner.post("/v1/plans", {**body, "trial": None, **by}).json()
    assert [each["attributes"] for each in found["smaller_tables"]] == [["outcome", "sex"], None]
    assert trial.owner.post("/v1/plans", {**body, "trial": None}).json()["smaller_tables"] == []


def test_the_ledger_and_the_public_text_agree_with_a_merged_release(trial: Trial, sqlite_server: Server) -> None:
    made, owner = trial.released(), trial.owner
    keys = keys_in(owner.get("/v1/public-key").json())
    ledger = verify_ledger(owner.get(f"/v1/budgets/{trial.dataset['budget_id']}/ledger.jsonl").content, keys)
    assert list(faults_of_release(made, ledger, keys)) == []
    event = made["event"]
    for changed in ([[1, 2]], [[1, 2], [2, 5]], [[1, 2], [4, 5], [0, 3]]):
        other = made | {"event": event | {"merged": changed}}
        assert list(faults_of_release(other, ledger, keys)), changed
    owner.patch(f"/v1/releases/{made['id']}", {"public": True})
    public = sqlite_server.http.get(f"/v1/public/releases/{made['id']}").json()
    assert public["event"] == event
    evidence = sqlite_server.http.get(f"/v1/public/releases/{made['id']}/evidence").json()
    assert json.loads(evidence["spec"])["event"] == event


def test_the_console_shows_groups_and_asks_the_table(trial: Trial) -> None:
    made, browser = trial.released(), browser_of(trial.owner)
    page = browser.get(f"/console/releases/{made['id']}?kind=share&outcome_1=mild&outcome_1=severe&first_0=vaccine")
    assert page.status == 200, page.text
    assert GROUPS[1] in page.text
    lines = browser.http.get(f"/console/releases/{made['id']}/shares.csv").text.splitlines()
    assert lines[0].startswith("category,noisy_count")
    assert len(lines) == 5
    apart = browser.get(f"/console/releases/{made['id']}?kind=share&outcome_1=mild")
    assert "Must not tell apart the categories" in apart.response.text


def test_the_client_buys_groups_once_and_not_in_place_of_the_table(trial: Trial, tmp_path: Path) -> None:
    server, name = trial.owner.server, trial.dataset["name"]
    person = someone(tmp_path, server, trial.owner)
    whole = trial.released(merged=None, mechanism={"kind": "simplex_geometric", "epsilon": "1"})["id"]
    merge = ("--merge", "arm=vaccine,outcome=mild,severe", "--merge", "arm=placebo,outcome=mild,severe")
    groups = person.answer("release", name, "--epsilon", "1", *merge)
    assert groups["event"]["merged"] == [[1, 2], [4, 5]]
    with Client.open(person.url, person.key) as client:
        again = client[name].release(epsilon="1", merged=[each[::-1] for each in ILL[::-1]])
        assert again["id"] == groups["id"]
        assert client[name].release(epsilon="1")["id"] == whole
    shown = person.run("posterior", groups["id"], "--where", "outcome=mild,severe", "--by", "arm").stdout
    assert "placebo" in shown
    assert GROUPS[1] in person.refused("posterior", groups["id"], "--where", "outcome=mild", code=3)


class MergedDraw(PaidDraw):
    """A charge for a draw after categories 1 and 2 of three were merged."""

    together: tuple[tuple[int, ...], ...] = ((1, 2),)

    @property
    def spec(self) -> str:
        spec = json.loads(super().spec)
        return json.dumps(spec | {"labels": ["a", "b", "c"], "event": spec["event"] | {"merged": self.together}})


def test_a_draw_opens_the_registered_counts_and_merges_by_a_partition_alone() -> None:
    paid = MergedDraw(SimplexGeometric(100, 2, Epsilon.parse("50")), [70, 20, 10])
    assert handle_order(paid.message, KEYS)["drawn"]["noisy"] == (70, 30)
    for wrong in (((0, 1), (1, 2)), ((1, 3),), ((1,),), ((0, 1, 2),), ()):
        other = replace(paid)
        object.__setattr__(other, "together", wrong)
        assert handle_order(other.message, KEYS) == FAILED, wrong
    assert handle_order(MergedDraw(SimplexGeometric(100, 3, Epsilon.parse("50")), [70, 20, 10]).message, KEYS) == FAILED


def test_counts_are_summed_by_group() -> None:
    assert groups_of(5, [(4, 1), (3, 0)]) == ((0, 3), (1, 4), (2,))
    counts = np.array([5, 7, 11, 13, 17], dtype=np.int64)
    assert unseal(merged(Private(counts), groups_of(5, [(4, 1), (3, 0)]))).tolist() == [18, 24, 11]
    for wrong in ([(0,)], [(0, 1), (1, 2)], [(0, 5)], [(-1, 0)], [(0, 1, 2, 3, 4)]):
        with pytest.raises(CellsError):
            groups_of(5, wrong)
    with pytest.raises(HistogramError):
        merged(Private(counts), ((0, 1), (2, 3)))


@pytest.mark.parametrize(
    ("counts", "prior", "cells", "pair", "width", "odds_ratio"),
    [
        pytest.param(
            *([20] * 50, [1.0] * 50, range(25), ((range(5), range(10)), (range(10, 15), range(10, 20))), 0.121, 1.609),
            marks=pytest.mark.long,
        ),
        ([500] * 2, [25.0] * 2, [0], None, 0.063, 0.0),
        pytest.param(
            *([100] * 4 + [600], [5.0] * 4 + [30.0], [0], (([0], [0, 1]), ([2], [2, 3])), 0.0451, 0.988),
            marks=pytest.mark.long,
        ),
    ],
)
def test_intervals_of_groups_are_those_of_the_reference(
    counts: list[int], prior: list[float], cells: Any, pair: Any, width: float, odds_ratio: float
) -> None:
    """1 000 records in 50 cells, a prior of 1 a cell, ε = 0.3: half of the cells, and four sets of five."""
    rng = Reproducible(1)
    entropy, event = rng.entropy(), SimplexGeometric(sum(counts), len(counts), Epsilon.parse("0.3"))
    widths, ratios = [], []
    for released in rehearse(event, np.array(counts), 40, entropy):
        posterior = infer(event, released, prior)
        low, high = share_distribution(posterior, Share(frozenset(cells))).distribution.interval(0.95)
        widths.append(high - low)
        if pair is not None:
            first, second = (Share(frozenset(of), frozenset(within)) for of, within in pair)
            found = contrast_distribution(posterior, first, second, Contrast.ODDS_RATIO).distribution
            low, high = found.interval(0.95)
            ratios.append(np.log(high / low))
    assert np.mean(widths) == pytest.approx(width, abs=0.0006)
    assert pair is None or np.mean(ratios) == pytest.approx(odds_ratio, rel=0.02)
