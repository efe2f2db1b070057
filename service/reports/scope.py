"""The part of a statement for people who are responsible for the data: who is responsible for what, by the blocks of
NIST SP 800-226, and lines for a data protection impact assessment. Whether a result is personal data is a legal
judgement, which these texts leave to their reader.
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from core.privacy import Delta, Epsilon
from service.database.rows import BudgetRow, DatasetRow
from service.pictures.dates import day
from service.pictures.scales import grouped
from service.posteriors.odds import about_a_fact, odds_factor
from service.schemas.statements import Responsibility


def responsibilities(dataset: DatasetRow, budget: BudgetRow) -> list[Responsibility]:
    """Return a row for each block, from the top of the pyramid of SP 800-226 to its base."""
    k, epsilon, delta = dataset.records_per_unit, Epsilon(budget.guaranteed_epsilon), Delta(budget.guaranteed_delta)
    protected = "one record" if k == 1 else f"all {k} records of one unit"
    hidden = (
        "Presence in the table and what the records say are hidden."
        if dataset.relation == "add_remove"
        else "What a record says is hidden. Presence in the table is not: the number of records is public."
    )
    rows = {
        "Privacy parameters": (
            (
                f"All releases of the budget together stay within epsilon {epsilon}, delta {delta}. The amount never "
                "returns."
            ),
            "The choice of this limit.",
            "Whether the limit is small enough for these people.",
        ),
        "Unit of privacy": (
            (
                f"Every release protects {protected}, under one neighbour relation for the whole budget "
                f"({dataset.relation}). {hidden}"
            ),
            "The unit, how many records one unit has at most, and that data about the same people draw on one budget.",
            "People with more records than stated. Facts about groups, which are the purpose of a release.",
        ),
        "Utility": (
            "The expected error can be seen before a release is paid for.",
            "",
            "Whether a result is precise enough for its purpose.",
        ),
        "Algorithms and correctness": (
            (
                "Noise is drawn in whole numbers from the entropy of the operating system. Each release has a "
                "certificate of its loss, and evidence that others can check."
            ),
            "",
            "Errors in proofs or programs that nobody has found.",
        ),
        "Bias": (
            "The noisy counts are given as drawn, also below 0.",
            "",
            "Small groups get relatively larger errors. Bias in the data and in their use.",
        ),
        "Side channels": (
            "Responses to releases leave at set times. Errors and log lines do not depend on the counts.",
            "",
            "Other programs on the machine.",
        ),
        "Query model": (
            (
                "Every release is charged before it is drawn, and refused at the limit. The limit also holds if all "
                "analysts share what they see."
            ),
            "Who gets a grant, and its cap.",
            "",
        ),
        "Threat model": (
            "",
            "That the operator of the service, who holds the key of the counts, is trusted.",
            "An operator who does not deserve this trust.",
        ),
        "Security and access control": (
            "Counts are stored encrypted. Each key has one role. The ledger is a signed chain of all decisions.",
            "Who holds the owner's key.",
            "Control of the machine, its backups and the operator's keys.",
        ),
        "Data collection": (
            "",
            "How the data were collected and counted, and that the table is what it says.",
            "Everything before registration, and copies of the data elsewhere.",
        ),
    }
    return [
        Responsibility(block=block, enforced=enforced, affirmed=affirmed, not_covered=rest)
        for block, (enforced, affirmed, rest) in rows.items()
    ]


def assessment(dataset: DatasetRow, budget: BudgetRow, releases: int) -> list[str]:
    """Return lines that a data protection impact assessment can take over, each with its part of the assessment."""
    size = "a private number of" if dataset.record_count is None else grouped(dataset.record_count)
    epsilon, delta = about_a_fact(
        Decimal(str(Epsilon(budget.guaranteed_epsilon))),
        Decimal(str(Delta(budget.guaranteed_delta))),
        dataset.relation,
    )
    failing = f", except with a probability of {delta:f}" if delta else ""
    fate = (
        " and are stored encrypted"
        if dataset.deleted_at is None
        else f", and destroyed on {day_of(dataset.deleted_at)}"
    )
    released = "once" if releases == 1 else f"{grouped(releases)} times"
    return [
        (
            f"Description: counts of {size} records in {grouped(dataset.category_count)} categories were registered on "
            f"{day_of(dataset.created_at)}{fate}. Noisy results were released {released}."
        ),
        "Minimisation: the service gets counts and no rows. Its ledger names people by random ids.",
        (
            "Risk, inference about one person from what is released. Measure: the limit of the budget. Residual risk: "
            f"the odds of a fact about one person rise at most {odds_factor(epsilon)} times{failing}, for somebody who "
            f"knows every other record. Source: entry {budget.sequence} of the ledger."
        ),
        "Risk, control of the machine or of the operator's keys: not covered. Measures are the operator's.",
        "Risk, facts about groups: intended. They can affect people who are not in the table.",
        (
            "Not in this statement: legal basis, necessity, consultation, the rights of the people, and the decision. "
            "Whether the results are personal data is a legal judgement that this statement does not make."
        ),
    ]


def day_of(seconds: int) -> str:
    return day(datetime.fromtimestamp(seconds, UTC))
