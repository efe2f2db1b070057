"""A trial of a rare outcome in a table of 80 cells has the same figures in a terminal, the console, a notebook and R.
Each says where the prior matters, and a plan suggests a charge at which the interval contains the guess.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import numpy as np
import pytest

from private_posterior import Client
from tests.client.people import someone
from tests.harness.bodies import budget_body, registration, release_body, unique
from tests.service.console.conftest import browser_of

if TYPE_CHECKING:
    from private_posterior.figures import PosteriorAnswer
    from tests.harness.server import Party, Server

STRATA: Final = 20
ATTRIBUTES: Final = [
    {"name": "site", "levels": [f"site {place + 1}" for place in range(STRATA)]},
    {"name": "arm", "levels": ["vaccine", "placebo"]}, {"name": "outcome", "levels": ["ill", "well"]},
]  # fmt: skip
ARMS: Final = ((8, 18_198), (162, 18_325))
"""Cases and people of each arm."""
FIGURES: Final = ("first", "second", "difference", "ratio", "odds_ratio")
ROOT: Final = Path(__file__).parents[2]


def counts() -> list[int]:
    """Both arms spread as evenly as whole numbers can be over the sites."""

    def spread(total: int) -> list[int]:
        return [total // STRATA + (place < total % STRATA) for place in range(STRATA)]

    (ill, well), (ill_placebo, well_placebo) = ((spread(cases), spread(people - cases)) for cases, people in ARMS)
    return [each for site in zip(ill, well, ill_placebo, well_placebo, strict=True) for each in site]


class RareTrial:
    """The release, and what the notebook says about it."""

    def __init__(self, server: Server, party: Party, release: Mapping[str, Any]) -> None:
        self.server, self.party, self.id = server, party, release["id"]
        with Client.open(server.url, party.key) as client:
            self.answer: PosteriorAnswer = client.release(self.id).posterior(trial=TRIAL)  # type: ignore[union-attr]
        self.trial = self.answer["trial"]


TRIAL: Any = {
    "outcome": {"where": {"outcome": ["ill"]}},
    "first": {"where": {"arm": ["vaccine"]}},
    "second": {"where": {"arm": ["placebo"]}},
}


@pytest.fixture(scope="module")
def rare(sqlite_server: Server) -> RareTrial:
    """A release whose noise hides whether the vaccinated have any cases: about 19 of 20 do, and one of six is taken."""
    party = sqlite_server.new("owner")
    budget = {"kind": "new", "budget": budget_body(epsilon="6")}
    body = registration(counts(), name=unique("Trial"), labels=None, attributes=ATTRIBUTES, budget=budget)
    made = party.post("/v1/datasets", body).json()
    for _ in range(6):
        found = RareTrial(sqlite_server, party, party.release(made["id"], release_body("1", 80)).json())
        if found.trial["ratio"]["prior_matters"] is not None:
            return found
    pytest.fail("no release says that the prior matters")


def figures(rare: RareTrial) -> dict[str, tuple[float, float, float]]:
    """Estimate and ends of each figure of the notebook: the mean of a risk, the median of others."""
    found = {}
    for name in FIGURES:
        figure = rare.trial[name]
        estimate = figure["mean"] if name in {"first", "second"} else figure["median"]
        found[name] = (estimate, figure["interval"]["low"], figure["interval"]["high"])
    efficacy = rare.trial["efficacy"]
    found["efficacy"] = (efficacy["median"], efficacy["interval"]["low"], efficacy["interval"]["high"])
    return found


def notes(rare: RareTrial) -> list[str]:
    """The sentences about the prior: the noise hides whether the vaccinated have any cases."""
    found = [rare.trial[name]["prior_matters"] for name in FIGURES]
    assert found[FIGURES.index("ratio")] is not None
    return [each["note"] for each in found if each is not None]


def test_the_notebook_says_where_the_prior_matters(rare: RareTrial) -> None:
    shown = rare.answer.remark()
    assert all(note in shown for note in notes(rare))


def test_the_command_prints_the_figures_of_the_notebook(rare: RareTrial, tmp_path: Path) -> None:
    person = someone(tmp_path, rare.server, rare.party)
    asked = ("trial", rare.id, "--outcome", "outcome=ill", "--first", "arm=vaccine", "--second", "arm=placebo")
    answer = person.answer(*asked)["trial"]
    for name in FIGURES:
        assert answer[name] | {"quantiles": []} == rare.trial[name] | {"quantiles": []}, name
    done = person.run(*asked)
    printed, said = (" ".join(text.split()) for text in (done.stdout, done.stderr))
    rows = rare.answer.table().rows
    assert len(rows) >= len(FIGURES)
    for row in rows:
        assert " ".join(" ".join(map(str, row)).split()) in printed, row
    assert all(note in said for note in notes(rare))


def test_the_console_shows_the_figures_of_the_notebook(rare: RareTrial) -> None:
    browser = browser_of(rare.party)
    asked = {"kind": "trial", "outcome_2": "ill", "first_1": "vaccine", "second_1": "placebo"}
    page = browser.get(f"/console/releases/{rare.id}?{urlencode(asked)}")
    assert page.status == 200, page.text
    assert all(note in page.text for note in notes(rare))
    file = browser.http.get(next(each for each in page.links if "/answers.csv" in each)).text
    rows = {row["question"]: row for row in csv.DictReader(io.StringIO(file))}
    labels = {row["path"].removeprefix("/trial/"): row["name"] for row in rare.answer["rows"]}
    for name, expected in figures(rare).items():
        row = rows[labels[name]]
        assert [float(row[each]) for each in ("estimate", "low", "high")] == pytest.approx(expected, rel=1e-5), name


@pytest.mark.long
def test_r_reads_the_figures_of_the_notebook(rare: RareTrial, tmp_path: Path, rscript: str) -> None:
    shutil.copy(ROOT / "docs" / "tutorials" / "posterior.R", tmp_path)
    (tmp_path / "trial.R").write_text(
        'source("posterior.R")\n'
        'ill <- list(where = list(outcome = list("ill")))\n'
        "arm <- function(name) list(where = list(arm = list(name)))\n"
        f'found <- posterior_shares("{rare.id}", trial = list(outcome = ill, first = arm("vaccine"), '
        'second = arm("placebo")))\n'
        f"for (name in c({', '.join(f'{each!r}' for each in FIGURES)})) {{\n"
        "  figure <- found$trial[[name]]\n"
        '  cat(name, format(c(figure$median, figure$interval$low, figure$interval$high), digits = 17), "\\n")\n'
        "}\n"
        'cat(unlist(found$notes), sep = "\\n")\n',
        encoding="utf-8",
    )
    environment = {
        "PRIVATE_POSTERIOR_SERVER": rare.server.url, "PRIVATE_POSTERIOR_KEY": rare.party.key, "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path), "LANG": "C.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        [rscript, "trial.R"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    printed = {line.split()[0]: [*map(float, line.split()[1:])] for line in done.stdout.splitlines()[: len(FIGURES)]}
    for name in FIGURES:
        figure = rare.trial[name]
        expected = [figure["median"], figure["interval"]["low"], figure["interval"]["high"]]
        assert printed[name] == pytest.approx(expected, rel=1e-12), name
    assert all(note in done.stdout for note in notes(rare))


def test_draws_for_the_ratio_have_its_quantiles(rare: RareTrial) -> None:
    """What a notebook or R computes from draws for a question is near what is printed."""
    ratio: Any = {"kind": "ratio"} | {
        side: {"of": TRIAL["outcome"], "within": TRIAL[side]} for side in ("first", "second")
    }
    with Client.open(rare.server.url, rare.party.key) as client:
        release: Any = client.release(rare.id)
        found = release.posterior(questions=[ratio], draws=2_500, draws_for=ratio)
    assert found["draws_of"]["question"]["kind"] == "ratio"
    # Site, arm, outcome: the last one is the fastest.
    drawn = np.array(found["draws"]).reshape(-1, STRATA, 2, 2).sum(axis=1)
    risks = drawn[:, :, 0] / drawn.sum(axis=2)
    ratios = risks[:, 0] / risks[:, 1]
    answer = found["answers"][0]
    median, high = np.quantile(ratios, [0.5, 0.975])
    width = answer["interval"]["high"] - answer["interval"]["low"]
    assert abs(median - answer["median"]) < width
    assert abs(high - answer["interval"]["high"]) < width


def test_a_plan_suggests_a_charge_at_which_the_interval_contains_the_guess(rare: RareTrial) -> None:
    guess: Any = {"kind": "counts", "counts": counts()}
    asked: Any = {
        "data": guess, "attributes": ATTRIBUTES, "trial": TRIAL, "epsilons": ["0.01", "0.1", "1"],
        "mechanisms": ["simplex_geometric"],
    }  # fmt: skip
    with Client.open(rare.server.url, rare.party.key) as client:
        plan: Any = client.plan(asked)
    suggested = plan["suggested"]
    point = next(each for each in plan["points"] if each["epsilon"] == suggested["epsilon"])
    option = next(each for each in point["options"] if each["kind"] == suggested["kind"])
    ratio = next(place for place, each in enumerate(plan["without_noise"]) if each["question"]["kind"] == "ratio")
    assert suggested["epsilon"] == "1"
    assert option["intervals"][ratio]["contains"] >= 0.9
    assert option["intervals"][ratio]["decides"] >= 0.9
    at_least = plan["points"][0]["options"][0]["intervals"][ratio]
    assert at_least["decides"] < 0.1, "the noise of the smallest charge hides the effect"
