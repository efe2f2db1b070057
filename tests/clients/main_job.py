"""Does the main job of the service with a client that openapi-python-client generated from its description:
`python main_job.py <address> <owner key> <analyst key> <analyst id> <recorded texts>`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TypeVar

from generated_client import AuthenticatedClient
from generated_client.api.budgets import export_ledger_json_lines, list_ledger
from generated_client.api.datasets import create_dataset
from generated_client.api.grants import create_grant
from generated_client.api.plans import create_plan
from generated_client.api.posteriors import compute_posterior, plot_release
from generated_client.api.releases import create_quote, create_release
from generated_client.models.accountant_name import AccountantName
from generated_client.models.amount import Amount
from generated_client.models.answered_strata import AnsweredStrata
from generated_client.models.attribute import Attribute
from generated_client.models.budget_create import BudgetCreate
from generated_client.models.cells import Cells
from generated_client.models.counts_create import CountsCreate
from generated_client.models.counts_quote import CountsQuote
from generated_client.models.counts_release import CountsRelease
from generated_client.models.dataset import Dataset
from generated_client.models.dataset_create import DatasetCreate
from generated_client.models.existing_budget import ExistingBudget
from generated_client.models.grant import Grant
from generated_client.models.grant_create import GrantCreate
from generated_client.models.hypothetical_counts import HypotheticalCounts
from generated_client.models.ledger_entry_page import LedgerEntryPage
from generated_client.models.margins_create import MarginsCreate
from generated_client.models.margins_release import MarginsRelease
from generated_client.models.max_charge import MaxCharge
from generated_client.models.new_budget import NewBudget
from generated_client.models.noise_aware_posterior import NoiseAwarePosterior
from generated_client.models.plan import Plan
from generated_client.models.plan_create import PlanCreate
from generated_client.models.posterior_create import PosteriorCreate
from generated_client.models.problem_document import ProblemDocument
from generated_client.models.query import Query
from generated_client.models.query_create import QueryCreate
from generated_client.models.query_release import QueryRelease
from generated_client.models.release_source import ReleaseSource
from generated_client.models.share_question import ShareQuestion
from generated_client.models.simplex_geometric import SimplexGeometric
from generated_client.models.stratified_question import StratifiedQuestion
from generated_client.models.where import Where
from generated_client.types import Unset

T = TypeVar("T")
PAID: dict[str, type[CountsRelease | MarginsRelease | QueryRelease]] = {
    "CountsRelease": CountsRelease,
    "MarginsRelease": MarginsRelease,
    "QueryRelease": QueryRelease,
}


def told(answer: object, kind: type[T]) -> T:
    """The answer, which must be of this kind."""
    assert isinstance(answer, kind), answer
    return answer


def of_release(release_id: str) -> ReleaseSource:
    return ReleaseSource(kind="release", release_id=release_id)


def read(recorded: str) -> None:
    """Each line has a schema and a paid text, which the class reads and writes without a loss."""
    for line in Path(recorded).read_text(encoding="utf-8").splitlines():
        schema, _, text = line.partition("\t")
        paid = json.loads(text)
        written = PAID[schema].from_dict(paid).to_dict()
        assert written | {"created_at": paid["created_at"]} == paid, text  # the class writes +00:00 for Z


def main(address: str, owner_key: str, analyst_key: str, analyst_id: str, recorded: str) -> None:
    read(recorded)
    with AuthenticatedClient(address, owner_key) as owner, AuthenticatedClient(address, analyst_key) as analyst:
        # Register, and once more as after a lost answer.
        budget = BudgetCreate(
            accountant=AccountantName.BASIC, name="Polio 1954, from Python", epsilon="1", delta="1e-6"
        )
        body = DatasetCreate(
            name="Vaccinated, from Python",
            labels=["paralytic polio", "none"],
            counts=[33, 200712],
            unit="one child",
            one_record_per_unit=True,
            n_is_public=True,
            budget=NewBudget(kind="new", budget=budget),
        )
        dataset = told(create_dataset.sync(client=owner, body=body, idempotency_key="registration-1"), Dataset)
        repeated = create_dataset.sync_detailed(client=owner, body=body, idempotency_key="registration-1")
        assert told(repeated.parsed, Dataset) == dataset
        assert repeated.headers["Idempotency-Replayed"] == "true"

        # Grant.
        cap = GrantCreate(principal_id=analyst_id, epsilon="0.5", delta="0")
        grant = told(create_grant.sync(dataset.id, client=owner, body=cap), Grant)
        assert told(grant.cap, Amount).epsilon == "0.5"

        # Release, replay, and a refusal as a typed problem.
        geometric = SimplexGeometric(kind="simplex_geometric", epsilon="0.4")
        wanted = CountsCreate(kind="counts", prior=[1, 1], mechanism=geometric)
        answers = [
            create_release.sync(dataset.id, client=analyst, body=wanted, idempotency_key=key)
            for key in ("vaccinated-1", "vaccinated-1", "vaccinated-2")
        ]
        first, again = told(answers[0], CountsRelease), told(answers[1], CountsRelease)
        refused = told(answers[2], ProblemDocument)
        assert first == again
        assert refused.type_ == "/problems/grant-exhausted"
        assert refused.charged is False
        assert not refused.retryable
        assert told(refused.largest_possible_charge, Amount).epsilon == "0.1"

        # Pages.
        kinds: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = told(list_ledger.sync(dataset.budget_id, client=owner, limit=2, cursor=cursor), LedgerEntryPage)
            kinds += [entry.kind for entry in page.items]
            cursor = page.next_cursor
        assert kinds == ["budget_opened", "dataset_registered", "grant_opened", "release_charged"]

        # The posterior by its defaults; the picture; the ledger.
        posterior = told(
            compute_posterior.sync(client=analyst, body=PosteriorCreate(sources=[of_release(first.id)])),
            NoiseAwarePosterior,
        )
        assert posterior.categories[0].interval.level == 0.95
        assert not isinstance(posterior.error, Unset)
        assert b"<svg" in plot_release.sync_detailed(first.id, client=analyst).content
        exported = export_ledger_json_lines.sync_detailed(dataset.budget_id, client=owner).content
        assert len(exported.splitlines()) == len(kinds) + 1
        # A plan, a quote and a release of a cross table; one question in each stratum; a wrong one, as a typed problem.
        cells = [f"{sex} · {admitted}" for sex in ("men", "women") for admitted in ("yes", "no")]
        levels = [Attribute(name="sex", levels=["men", "women"]), Attribute(name="admitted", levels=["yes", "no"])]
        table = DatasetCreate(
            name="Admissions, from Python",
            attributes=levels,
            counts=[1198, 1493, 557, 1278],
            unit="one person",
            one_record_per_unit=True,
            n_is_public=True,
            budget=ExistingBudget(kind="existing", id=dataset.budget_id),
        )
        admissions = told(create_dataset.sync(client=owner, body=table, idempotency_key="registration-2"), Dataset)
        assert admissions.labels == cells
        told(create_grant.sync(admissions.id, client=owner, body=cap), Grant)
        where = Where()
        where["admitted"] = ["yes"]
        admitted = ShareQuestion(kind="share", of=Cells(where=where))
        by = StratifiedQuestion(attributes=["sex"], question=admitted)
        guess = HypotheticalCounts(kind="counts", counts=[1200, 1500, 560, 1280])
        planned = PlanCreate(prior=[1] * 4, data=guess, epsilons=["0.4"], attributes=levels, by=by)
        plan = told(create_plan.sync(client=analyst, body=planned), Plan)
        assert [each.stratum for each in plan.without_noise] == [None, "men", "women"]
        bought = CountsCreate(kind="counts", prior=[1] * 4, mechanism=geometric)
        quoted = told(create_quote.sync(admissions.id, client=analyst, body=bought), CountsQuote)
        assert told(quoted.would_charge, Amount).epsilon == "0.4"
        second = told(
            create_release.sync(admissions.id, client=analyst, body=bought, idempotency_key="admissions-1"),
            CountsRelease,
        )
        # Margins and queries at the same address.
        pairs = MarginsCreate(kind="margins", all_=1, epsilon="0.05")
        made = create_release.sync(admissions.id, client=analyst, body=pairs, idempotency_key="margins-1")
        assert len(told(made, MarginsRelease).tables[0].estimates) == 2
        asked = QueryCreate(
            kind="queries",
            queries=[Query(of=Cells(where=where), half_width=30.0)],
            max_charge=MaxCharge(epsilon="0.05"),
        )
        counted = create_release.sync(admissions.id, client=analyst, body=asked, idempotency_key="queries-1")
        assert told(counted, QueryRelease).answers[0].interval.half_width <= 30
        answered = compute_posterior.sync(client=analyst, body=PosteriorCreate(sources=[of_release(second.id)], by=by))
        strata = told(told(answered, NoiseAwarePosterior).by, AnsweredStrata)
        assert [each.label for each in strata.strata] == ["men", "women"]
        unknown = PosteriorCreate(
            sources=[of_release(second.id)], by=StratifiedQuestion(attributes=["age"], question=admitted)
        )
        wrong = told(compute_posterior.sync(client=analyst, body=unknown), ProblemDocument)
        assert wrong.type_ == "/problems/invalid-request"
        assert not isinstance(wrong.errors, Unset)
        assert "by.attributes" in wrong.errors[0].location
        sys.stdout.write(f"released {first.id}\n")


main(*sys.argv[1:])
