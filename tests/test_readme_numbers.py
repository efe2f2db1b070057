"""Each number of README is that of the product. Its output and its picture are computed again from what was released,
and its limits and defaults are read from the code; `test_epsilon_page` has the widths.

After a change of the picture: `python -m tests.test_readme_numbers > docs/vaccinated.svg`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from core.limits import MAX_CATEGORIES, MAX_CELLS
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.cli.demo.published_tables import published_table
from service.pictures.scales import grouped
from service.posteriors import comparisons
from service.posteriors.read_releases import ReadRelease
from service.releases.spec import posterior_document
from service.schemas import posteriors as schema
from service.settings.settings import Settings
from tests.harness.asked import picture_of, summarised
from tests.harness.bodies import of_releases

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LABELS = ["paralytic polio", "no paralytic polio"]
RELEASED = {"Vaccinated": (33, 200_712), "Placebo": (117, 201_112)}
"""The noisy counts of one run of the demo. They may equal the true ones by chance."""


def arm(name: str) -> ReadRelease:
    counts, its = RELEASED[name], name[0].lower() * 26
    n, epsilon = sum(counts), Epsilon.parse("0.25")
    return ReadRelease(
        id=f"rel_{its}",
        dataset_id=f"dat_{its}",
        budget_id=f"bud_{its}",
        event=SimplexGeometric(n=n, m=2, epsilon=epsilon),
        labels=LABELS,
        prior=[1.0, 1.0],
        counts=NoisyCounts(counts, counts),
        title=name,
        subtitle=f"{grouped(n)} records; simplex geometric mechanism; proven: ε = 0.25, δ = 0",
    )


def picture() -> str:
    return picture_of(arm("Vaccinated"))


def per_100_000(low: float, high: float, mean: float) -> tuple[str, str]:
    return f"{1e5 * mean:.1f}", f"{1e5 * low:.1f} - {1e5 * high:.1f}"


def test_the_output_is_computed_from_the_released_counts() -> None:
    shown = README.split("```console\n")[1].split("```")[0]
    published = published_table("polio_vaccine_trial_1954").counts
    rows = [re.split(r" {2,}", line.strip()) for line in shown.splitlines() if re.search(r"\d - \d", line)]
    computed = []
    for name in RELEASED:
        posterior = summarised(arm(name))
        assert posterior.kind == "noise_aware"
        aware = posterior.categories[0]
        naive = posterior_document(arm(name).event, LABELS, [1, 1], 0.95, arm(name).counts)["categories"][0]
        ends = naive["naive_interval"]
        rate = f"{1e5 * published[name][0] / sum(published[name]):.1f}"
        computed += [
            [name, *per_100_000(aware.interval.low or 0, aware.interval.high or 0, aware.mean), rate],
            ["noise ignored", *per_100_000(ends["low"], ends["high"], naive["mean"])],
        ]
    assert rows == computed
    sides = [of_releases(arm(name).id) | {"of": {"labels": LABELS[:1]}} for name in ("Placebo", "Vaccinated")]
    request = schema.ComparisonCreate.model_validate({"first": sides[0], "second": sides[1]})
    probability = comparisons.compare([arm("Placebo")], [arm("Vaccinated")], request).probability
    assert probability is not None
    assert probability > float(re.findall(r"with probability above ([\d.]+)\n", shown)[0])


def test_the_picture_is_the_one_that_the_service_draws() -> None:
    assert (ROOT / "docs" / "vaccinated.svg").read_text(encoding="utf-8") == picture()


def test_no_number_is_left_that_no_test_holds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    settings = Settings()
    held = [
        f"Version {project['version']} is released",
        f"Python {project['requires-python'].removeprefix('>=')} or newer",
        f"http://{settings.host}:{settings.port}",
        f"has 2 to {MAX_CATEGORIES:,} categories".replace(",", " "),
        f"up to {MAX_CELLS:,} cells".replace(",", " "),
        f"A release takes at least {settings.response_time_quantum_ms} ms",
        "1954 polio vaccine trial",
        "charged ε = 0.25",  # by the demo, as the output
        "16.4 per 100 000, with a 95 % interval from 8.6 to 24.9",  # of the output
        "A noise-aware interval of level 95 % contains the true share with probability 95 %",
    ]
    held_by_the_worked_example = [
        "A category with 4 of 2 000 records has an interval 1.7 times as wide at ε = 0.5",
        "Among 2 000 records in four cells, geometric noise makes the 95 % interval of a cell of 40 wider",
        "by 5 % at ε = 1, by 20 % at ε = 0.5, and by 72 % at ε = 0.25",
    ]
    text = " ".join(
        re.sub(r"```.*?```|\]\([^)]*\)|Apache-2.0|^\d+\. ", "", README, flags=re.DOTALL | re.MULTILINE).split()
    )
    for phrase in held + held_by_the_worked_example:
        assert phrase in text, phrase
        text = text.replace(phrase, "")
    assert re.findall(r".{20}\d.{20}", text) == []


if __name__ == "__main__":
    sys.stdout.write(picture())
