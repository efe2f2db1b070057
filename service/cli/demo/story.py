"""The steps of the demonstration, one function each. Every number that it prints came over HTTP or from a published
table.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from core.dirichlet import hellinger_of_posteriors
from private_posterior import models
from private_posterior.client import Client
from private_posterior.errors import ClientError, ProblemError
from service.cli.demo.published_tables import PublishedTable, published_table
from service.cli.demo.server import DemoError, hire, prepare_database, running_service
from service.cli.demo.terminal import fact, gap, say, step, table, title, waiting_for
from service.ledger.files import read_checkpoints
from service.ledger.verification import verify_export

_PEOPLE_PER_RATE: Final = 100_000
_RATE_EPSILON: Final = "0.25"
_CONFIDENCE: Final = 0.95
_Mechanism: TypeAlias = (
    models.SimplexGeometric
    | models.Laplace
    | models.Gaussian
    | models.Exponential
    | models.ExponentialPublished
    | models.ExponentialGlobal
)
_SEARCHED_MECHANISM: Final[models.Exponential] = {"kind": "exponential", "calibration": "proven", "epsilon": "0.8"}
_MECHANISMS: Final[tuple[_Mechanism, ...]] = (
    {"kind": "simplex_geometric", "epsilon": "0.8"},
    {"kind": "laplace", "epsilon": "0.8"},
    {"kind": "gaussian", "rho": "0.011", "delta": "1e-8"},
    _SEARCHED_MECHANISM,
    {"kind": "exponential_published", "nominal_epsilon": "0.8", "delta": "1e-8"},
    {"kind": "exponential_global", "epsilon": "0.8"},
)


@dataclass(frozen=True, slots=True)
class Cast:
    """The parties."""

    owner: Client
    analyst: Client
    analyst_id: str


def tell(directory: Path, pictures: Path) -> None:
    """Run the whole demonstration on a database in `directory`, and write its pictures to `pictures`.

    Raises DemoError if the service gives an unexpected answer.
    """
    title("Private Posterior: Bayesian posteriors of secret counts, with a proven guarantee")
    say(
        "An owner registers counts about people, with a privacy budget. Analysts ask for a rate. The "
        "service answers with a "
        "posterior with enough noise to hide any one person, proves its privacy loss, and charges the budget that loss."
    )
    try:
        _play(directory, pictures)
    except ClientError as error:
        raise DemoError(str(error)) from error
    step(9, "The service and its tables are gone")
    say(
        f"The pictures are in {pictures}. To start a service that keeps its tables: make serve. Then "
        "docs/tutorials/first-release.md registers the first one, in ten minutes."
    )


def _play(directory: Path, pictures: Path) -> None:
    with contextlib.ExitStack() as stack:
        cast = start(directory, stack)
        arms = register_trial(cast)
        ask_ahead(cast)
        rates = release_rates(cast, arms)
        compare_rates(cast, rates, pictures)
        groups = register_blood_groups(cast)
        releases = compare_mechanisms(cast, groups, pictures)
        release_admissions(cast, pictures)
        release_margins(cast)
        spend_the_rest(cast, groups, releases)
        verify_offline(cast, groups, directory, pictures)


def start(directory: Path, stack: contextlib.ExitStack) -> Cast:
    step(1, "An operator starts a service")
    url = f"sqlite:///{directory / 'private-posterior.db'}"
    with waiting_for("database") as said:
        admin_key = prepare_database(url)
        said.append("SQLite, made by the migrations")
    with waiting_for("service") as said:
        address = stack.enter_context(running_service(url, directory))
        admin = stack.enter_context(Client.open(address, admin_key))
        admin.check_version()
        said.append(f"{address}, spoken to over HTTP from here on")
    _, owner = hire(admin, address, "owner", "Field Trial Office")
    analyst_id, analyst = hire(admin, address, "analyst", "Epidemiologist")
    fact("keys", "for a data owner (Field Trial Office) and for an analyst (Epidemiologist)")
    return Cast(stack.enter_context(owner), stack.enter_context(analyst), analyst_id)


def register_trial(cast: Cast) -> dict[str, models.Dataset]:
    """Register both arms of the trial, each on a separate budget, because no child is in both."""
    step(2, "The owner registers counts. No response ever contains them")
    trial = published_table("polio_vaccine_trial_1954")
    _source(trial)
    arms = {}
    for name, counts in trial.counts.items():
        arms[name] = _register(cast, trial, name, epsilon="1")
        fact(name, f"{sum(counts):,} children, {counts[0]} with paralytic polio; budget epsilon 1, delta 1e-6")
    seen = cast.analyst.dataset(arms["Vaccinated"]["id"])
    fact(
        "analysts see",
        (
            f"{len(seen['labels'])} labels, {seen['record_count']:,} records of {seen['unit']} each, and a "
            "commitment; no count"
        ),
    )
    return arms


def ask_ahead(cast: Cast) -> None:
    """Request the one slow certificate in advance, so that it is computed while the demonstration continues."""
    groups = published_table("blood_groups_1937")
    size, prior = sum(groups.counts["Blood groups"]), [1.0] * len(groups.labels)
    wanted = {"record_count": size, "prior": prior, "mechanism": _SEARCHED_MECHANISM}
    cast.analyst.send("POST", "/v1/certificates", json=wanted)  # becomes a job, for which nobody waits here
    fact(
        "meanwhile",
        f"the service computes a certificate for step 5 from sizes alone: {size:,} records, {len(prior)} labels",
    )


def release_rates(cast: Cast, arms: Mapping[str, models.Dataset]) -> dict[str, models.CountsRelease]:
    """Release a private posterior for each arm of the trial."""
    step(
        3,
        f"The analyst pays for a posterior of each rate, at epsilon {_RATE_EPSILON}, under a uniform prior",
    )
    releases = {}
    mechanism: models.SimplexGeometric = {"kind": "simplex_geometric", "epsilon": _RATE_EPSILON}
    for name, dataset in arms.items():
        with waiting_for(name) as said:
            release = _release(cast, dataset, mechanism, idempotency_key=f"rate-{name}")
            said.append(f"Beta({', '.join(f'{a:g}' for a in release['posterior']['concentration'])}),")
            said.append(
                f"charged epsilon {_epsilon(release['charged'])}, {_epsilon(release['remaining_after'])} remains"
            )
        releases[name] = release
    certificate, receipt = releases["Vaccinated"]["certificate"], releases["Vaccinated"]["receipt"]
    fact("certificate", certificate["statement"])
    odds = math.exp(float(certificate["loss"]["epsilon"]))
    fact(
        "in words",
        (
            f"This result is at most {odds:.2f} times as likely as it would be if the record of any one child were "
            "different."
        ),
    )
    fact(
        "receipt",
        (
            f"entry {receipt['body']['sequence']} of the ledger, signed by key {receipt['key_id']}: "
            f"{_shortened_text(receipt['signature'])}"
        ),
    )
    return releases


def compare_rates(cast: Cast, releases: Mapping[str, models.CountsRelease], pictures: Path) -> None:
    """Answer the question of the trial from two releases only."""
    step(4, "Does the vaccine work? What is computed from releases is free")
    published = published_table("polio_vaccine_trial_1954").counts
    prior: models.Interval = {"level": 0.95, "low": 0.025, "high": 0.975}
    rows = [_rate_row("prior", 0.5, prior)]
    for name, release in releases.items():
        posterior = cast.analyst.posterior(release["id"])
        if posterior["kind"] == "unavailable":
            raise DemoError(posterior["reason"])
        aware = posterior["categories"][0]
        naive = release["posterior"]["categories"][0]
        rows.append(
            _rate_row(
                name,
                aware["mean"],
                aware["interval"],
                f"{_PEOPLE_PER_RATE * published[name][0] / sum(published[name]):.1f}",
            )
        )
        ends = naive["naive_interval"]
        assert ends is not None, "two categories have one"
        rows.append(_rate_row("  noise ignored", naive["mean"], ends))
    table(["ill of 100,000", "mean", "95 % interval", "published"], rows, alignment="<>>>")
    gap()
    compared = cast.analyst.compare(
        {
            "first": {"sources": [_source_of(releases["Placebo"])], "of": {"labels": ["paralytic polio"]}},
            "second": {"sources": [_source_of(releases["Vaccinated"])], "of": {"labels": ["paralytic polio"]}},
        }
    )
    fact(
        "the vaccine works",
        (
            f"with probability {_probability(compared['probability'])}; each child is in one arm, charged "
            f"epsilon {_RATE_EPSILON}"
        ),
        colour="green",
    )
    for name, release in releases.items():
        _picture(cast, release, pictures / f"{name.lower()}.svg")


def _rate_row(name: str, mean: float, ends: models.Interval, published: str = "") -> list[str]:
    low, middle, high = (_PEOPLE_PER_RATE * each for each in (ends["low"] or 0.0, mean, ends["high"] or 1.0))
    digits = 1 if middle < _PEOPLE_PER_RATE / 1000 else 0
    interval = f"{low:,.{digits}f} - {high:,.{digits}f}"
    return [name, f"{middle:,.{digits}f}", interval, published]


def _probability(value: float) -> str:
    return f"{value:.4f}" if value < 0.9999 else f"above {math.floor(min(value, 1 - 1e-9) * 1e6) / 1e6:.6f}"


def _picture(
    cast: Cast,
    release: models.CountsRelease,
    path: Path,
    *,
    by: Sequence[str] = (),
    of: models.Cells | None = None,
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cast.analyst.plot(release["id"], by=by, of=of))
    fact("picture", str(path))


def register_blood_groups(cast: Cast) -> models.Dataset:
    """Register a table of three categories, on a budget that all mechanisms are charged to."""
    groups = published_table("blood_groups_1937")
    step(5, "Every mechanism on one table of three categories, at the strength its calibration calls 0.8")
    _source(groups)
    return _register(cast, groups, "Blood groups", epsilon="5")


def _release_groups(cast: Cast, dataset: models.Dataset, mechanism: _Mechanism) -> models.CountsRelease:
    return _release(cast, dataset, mechanism, idempotency_key=mechanism["kind"])


def compare_mechanisms(cast: Cast, dataset: models.Dataset, pictures: Path) -> list[models.CountsRelease]:
    groups = published_table("blood_groups_1937")
    counts = groups.counts["Blood groups"]
    with waiting_for("releases") as said, ThreadPoolExecutor() as pool:
        releases = list(pool.map(partial(_release_groups, cast, dataset), _MECHANISMS))
        said.append(f"{len(releases)} at once, from one prior, Dirichlet(1, 1, 1)")
    rows = [["published table", "", "", "", *(f"{100 * c / sum(counts):.1f} %" for c in counts)]]
    for mechanism, release in zip(_MECHANISMS, releases, strict=True):
        distance = hellinger_of_posteriors([1.0, 1.0, 1.0], counts, release["posterior"]["released_counts"])
        asked = next(f"{name} {value}" for name, value in mechanism.items() if "epsilon" in name or name == "rho")
        shares = [f"{100 * category['mean']:.1f} %" for category in release["posterior"]["categories"]]
        rows.append([mechanism["kind"], asked, _epsilon(release["charged"]), f"{abs(distance):.2f}", *shares])
    table(["mechanism", "asked for", "charged", "distance", *groups.labels], rows, alignment="<<>>>>>")
    gap()
    say(
        "The charge is the epsilon that is proven for the mechanism as it ran; its paper may claim another. "
        "Distance is Hellinger's, from 0 to 1, between the released posterior and the one without privacy. The service "
        "discloses the latter to nobody; it is known here because the table was published."
    )
    _picture(cast, releases[0], pictures / "blood-groups.svg")
    return releases


def release_admissions(cast: Cast, pictures: Path) -> None:
    """Release a cross table: one release answers questions about all departments together and about each one."""
    admissions = published_table("berkeley_admissions_1973")
    step(6, "A cross table: were women admitted less than men?")
    _source(admissions)
    dataset = _register(cast, admissions, "Admissions", epsilon="1")
    fact("cells", f"{dataset['category_count']}: " + " × ".join(each["name"] for each in admissions.attributes))
    release = _release(cast, dataset, {"kind": "simplex_geometric", "epsilon": "1"}, idempotency_key="admissions")
    counts = np.array(admissions.counts["Admissions"]).reshape([len(each["levels"]) for each in admissions.attributes])
    departments = admissions.attributes[0]["levels"]
    asked = {"all together": departments} | {f"department {each}": [each] for each in departments}
    questions = [_admission_odds(within) for within in asked.values()]
    # Two requests: all seven in one may take so long that they become a job.
    answers = [answer for some in (questions[:4], questions[4:]) for answer in _answers_of(cast, release, some)]
    rows = []
    for (name, within), answer in zip(asked.items(), answers, strict=True):
        chosen = counts[[departments.index(each) for each in within]].sum(axis=0)
        published = (chosen[1, 0] * chosen[0, 1]) / (chosen[1, 1] * chosen[0, 0])
        low, high = answer["interval"]["low"], answer["interval"]["high"]
        assert answer["above"] is not None, "without a threshold, the question is about equal odds"
        above = answer["above"]["probability"]
        rows.append([name, f"{low:.2f} - {high:.2f}", f"{published:.2f}", f"{above:.2f}"])
    table(
        ["women's odds of admission / men's", "95 % interval", "published", "above 1 with probability"],
        rows,
        alignment="<<<<",
    )
    gap()
    say(
        "Across the university women's odds were far below men's; within departments they were not, and in A they were "
        "far above: women applied to the departments that reject most applicants. One release answered all of it, at "
        f"epsilon {_epsilon(release['charged'])}."
    )
    of: models.Cells = {"where": {"decision": ["admitted"]}}
    _picture(cast, release, pictures / "admissions.svg", by=["department", "sex"], of=of)


def _source_of(release: models.CountsRelease) -> models.ReleaseSource:
    return {"kind": "release", "release_id": release["id"]}


def _answers_of(
    cast: Cast, release: models.CountsRelease, questions: Sequence[models.ContrastQuestion]
) -> list[models.AnsweredDistribution]:
    posterior = cast.analyst.posterior(release["id"], questions=list(questions))
    if posterior["kind"] != "noise_aware":
        raise DemoError("there is no posterior of the release")
    return posterior["answers"]


def _admission_odds(departments: Sequence[str]) -> models.ContrastQuestion:
    """Return the question for the odds of admission of women against those of men, in these departments."""

    def admitted(sex: str) -> models.Share:
        return {
            "of": {"where": {"decision": ["admitted"]}},
            "within": {"where": {"sex": [sex], "department": list(departments)}},
        }

    return {"kind": "odds_ratio", "first": admitted("woman"), "second": admitted("man")}


def release_margins(cast: Cast) -> None:
    """Release all pairs of a table of five attributes, for one charge."""
    survey = published_table("chile_1988")
    step(7, "A table of five attributes: all its pairs for one charge")
    _source(survey)
    dataset = _register(cast, survey, "Voting intentions", epsilon="1")
    sizes = " × ".join(f"{len(each['levels'])} {each['name']}" for each in survey.attributes)
    fact("cells", f"{dataset['category_count']}: {sizes}")
    wanted: models.MarginsCreate = {"kind": "margins", "all": 2, "epsilon": "1"}
    quote = cast.analyst.quote(dataset["id"], wanted)
    measured = "; ".join(", ".join(each["attributes"]) for each in quote["measured"])
    fact("quote", f"{len(quote['tables'])} tables for epsilon {_epsilon(quote['would_charge'])}, from {measured}")
    made = cast.analyst.create_release(dataset["id"], wanted)
    found = next(each for each in made["tables"] if each["attributes"] == ["education", "vote"])
    half_width = next(each["half_width"] for each in found["intervals"] if each["confidence"] == _CONFIDENCE)
    education, vote = survey.attributes[3]["levels"], survey.attributes[4]["levels"]
    counts = np.array(survey.counts["Voting intentions"]).reshape([len(each["levels"]) for each in survey.attributes])
    published, estimates = counts.sum(axis=(0, 1, 2)), np.array(found["estimates"]).reshape(len(education), len(vote))
    rows = [
        [name, *(f"{estimate:.0f} ({true})" for estimate, true in zip(line, of_line, strict=True))]
        for name, line, of_line in zip(education, estimates, published, strict=True)
    ]
    table([f"each ± {half_width:.0f} (published)", *vote], rows, alignment="<>>>>")
    gap()
    say(
        "All ten tables agree with each other. Each is combined from all measured margins, and each count is within "
        f"{half_width:.0f} of the true one with probability 95 %."
    )


def spend_the_rest(cast: Cast, dataset: models.Dataset, releases: Sequence[models.CountsRelease]) -> None:
    """Show the remaining budget, a refusal, a free retry, and the ledger that contains them."""
    step(8, "Charges are not refunded, and never exceed the budget")
    before = cast.owner.budget(dataset["budget_id"])
    fact(
        "budget",
        (
            f"epsilon {_epsilon(before['total'])}, of which {_epsilon(before['spent'])} is spent and "
            f"{_epsilon(before['remaining'])} remains"
        ),
    )
    problem = _refusal(cast, dataset, {"kind": "simplex_geometric", "epsilon": "2"}).document
    if problem["type"] != "/problems/budget-exhausted" or not (room := problem.get("largest_possible_charge")):
        raise DemoError(f"a release above the budget was refused with {problem['type']}")
    fact(
        "epsilon 2 more?",
        (
            f"{problem['status']} {problem['type']}, owner or not; charged: {str(problem['charged']).lower()}; "
            f"{_epsilon(room)} fits"
        ),
        colour="yellow",
    )
    body = {"prior": [1.0] * dataset["category_count"], "mechanism": _MECHANISMS[0]}
    again = cast.analyst.ask(
        "POST", f"/v1/datasets/{dataset['id']}/releases", body=body, idempotency_key=_MECHANISMS[0]["kind"]
    )
    after = cast.owner.budget(dataset["budget_id"])
    if again.content != cast.analyst.release_text(releases[0]["id"]) or after["spent"] != before["spent"]:
        raise DemoError("a retry was not free, or gave another release")
    fact(
        "the first again?",
        f"201, the same release byte for byte, free: {_epsilon(after['spent'])} is spent as before",
        colour="green",
    )
    rows = [
        [
            str(entry["sequence"]),
            entry["kind"],
            entry["detail"].get("mechanism", ""),
            _epsilon(entry["amount"]),
            entry["amount"]["delta"],
            _shortened_text(entry["hash"]),
        ]
        for entry in cast.owner.ledger(dataset["budget_id"])
    ]
    table(["", "ledger entry", "", "epsilon", "delta", "hash, chained"], rows, alignment="><<<<<")


def verify_offline(cast: Cast, dataset: models.Dataset, directory: Path, pictures: Path) -> None:
    """Verify the exported ledger against its signed head without the service."""
    ledger, head = directory / "ledger.jsonl", directory / "head.json"
    ledger.write_bytes(cast.owner.ledger_text(dataset["budget_id"]))
    head.write_text(json.dumps(cast.owner.head(dataset["budget_id"])))
    key = cast.owner.public_key()
    (finding,) = verify_export([ledger], read_checkpoints([head], {key["key_id"]: key["public_key"]}))
    gap()
    fact(
        "checked offline",
        str(finding).split("; ")[0].partition(": ")[2],
        colour="green" if finding.fault is None else "red",
    )
    statement = pictures / "statement.txt"
    statement.write_text(cast.owner.statement_text(dataset["id"]), encoding="utf-8")
    fact("for a regulator", f"{statement}: all of this in plain words")


def _register(cast: Cast, published: PublishedTable, name: str, *, epsilon: str) -> models.Dataset:
    """Register a data set on a new budget, all of which the analyst may spend."""
    dataset = cast.owner.create_dataset(
        {
            "name": name,
            "labels": list(published.labels) or None,
            "attributes": list(published.attributes) or None,
            "counts": list(published.counts[name]),
            "unit": published.unit,
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {"accountant": "basic", "name": name, "epsilon": epsilon, "delta": "1e-6"},
            },
        }
    )
    cast.owner.create_grant(dataset["id"], {"principal_id": cast.analyst_id, "epsilon": epsilon, "delta": "1e-6"})
    return dataset


def _release(
    cast: Cast, dataset: models.Dataset, mechanism: _Mechanism, *, idempotency_key: str
) -> models.CountsRelease:
    """Return the analyst's release under the uniform prior."""
    prior = [1.0] * dataset["category_count"]
    body: models.CountsCreate = {"kind": "counts", "prior": prior, "mechanism": mechanism}
    return cast.analyst.create_release(dataset["id"], body, idempotency_key)


def _refusal(cast: Cast, dataset: models.Dataset, mechanism: _Mechanism) -> ProblemError:
    """Return the problem with which the owner's own release is refused."""
    prior = [1.0] * dataset["category_count"]
    try:
        cast.owner.create_release(dataset["id"], {"kind": "counts", "prior": prior, "mechanism": mechanism})
    except ProblemError as problem:
        return problem
    raise DemoError("a release above the budget was made")


def _epsilon(amount: models.Amount) -> str:
    """Return the ε and δ of an amount as text. Every budget of the demonstration is `basic`."""
    if amount["accountant"] != "basic":
        raise DemoError("a budget does not have the accountant that it was opened with")
    return amount["epsilon"]


def _source(published: PublishedTable) -> None:
    fact("table", published.title)
    for source in published.sources:
        fact("", source)


def _shortened_text(text: str) -> str:
    return text[:10] + "..."
