"""A report on a release in words, for the supplement of a paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from textwrap import fill
from typing import Any, Final

from service.console.answers import Answered
from service.console.pages import amount, date_of, number, records
from service.console.prior_and_level import Conditions
from service.console.spending import amount_in_words, odds_sentences
from service.posteriors.odds import odds_factor

_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class Report:
    """A release, and how it was read. `address` is the address of its page."""

    release: Mapping[str, Any]
    name: str
    conditions: Conditions
    mechanism: Mapping[str, Any]
    address: str

    def text(self, answered: Answered | None) -> str:
        """Return the report, on the answer to a question if there is one."""
        parts = [
            ("What was asked", self._question_text(answered)),
            ("Mechanism", self._mechanism()),
            ("What is proven", self._proven()),
            ("Prior and intervals", self._intervals(answered)),
            ("How to cite", self._citation()),
            ("How to check", self._check()),
        ]
        title = f"A differentially private release of {self.name}"
        sections = "\n".join(f"{head}\n{'-' * len(head)}\n{body}\n" for head, body in parts)
        return f"{title}\n{'=' * len(title)}\n\n{sections}"

    def _question_text(self, answered: Answered | None) -> str:
        most = self.release["records_per_unit"]
        size = (
            f"{records(self.release['record_count'], most)}{',' if most > 1 else ''} in "
            f"{number(self.release['category_count'])} categories. One record is "
            f"“{self.release['certificate']['unit']}”."
        )
        if answered is None:
            return _fill_paragraphs(size, "The posterior distribution of the share of each category.")
        rows = [answered.texts(each) for each in answered.rows]
        width = max(len(row["label"]) for row in rows)
        lines = []
        for each, row in zip(answered.rows, rows, strict=True):
            interval = f" ({row['low']} to {row['high']})" if row["low"] else ""
            above = f", {each.probability}" if answered.has_probabilities and each.probability else ""
            lines.append(f"  {row['label']:<{width}}  {row['estimate']}{interval}{above}")
        notes = _fill_paragraphs(f"{answered.probability}." if answered.probability else "", *answered.notes)
        return "\n".join(filter(None, [_fill_paragraphs(size, f"{answered.question.words}."), *lines, notes]))

    def _mechanism(self) -> str:
        parameters = ", ".join(
            f"{name} = {amount(value) if isinstance(value, str | int | float) else value}"
            for name, value in self.release["mechanism"].items()
            if name != "kind" and not isinstance(value, dict | list | bool) and value is not None
        )
        asked = f"It was asked for with {parameters}." if parameters else ""
        return _fill_paragraphs(f"{self.mechanism['name'].capitalize()}. {self.mechanism['description']}", asked)

    def _proven(self) -> str:
        certified, most = self.release["certified"], self.release["records_per_unit"]
        delta = f" and δ = {amount(certified['delta'])}" if float(certified["delta"]) else ""
        changed = "one record" if most == 1 else f"all records (at most {most}) of one of them"
        relation = self.release["certificate"]["relation"]
        change = f"{'replacing' if relation == 'replace_one' else 'adding or removing'} {changed}"
        factor = odds_factor(Decimal(certified["epsilon"]))
        return _fill_paragraphs(
            f"Differential privacy with ε = {amount(certified['epsilon'])}{delta}: {change} makes no set of "
            f"outcomes more than {factor} times as probable{', plus δ' if delta else ''}.",
            odds_sentences(certified["epsilon"], certified["delta"], relation).replace("every release", "this release"),
            f"The service charged {amount_in_words(self.release['charged'])}.",
            self.release["certificate"]["statement"],
        )

    def _intervals(self, answered: Answered | None) -> str:
        said = (
            f"Prior of the shares: {self.conditions.prior_words}. Shares are posterior "
            "means, contrasts posterior medians. Intervals are equal-tailed: each contains the value with probability "
            f"{self.conditions.percent} %, given this release and the prior. They account for the noise."
        )
        has_prior = self.conditions.has_prior
        priors = answered.priors(self.release, self.conditions.prior) if answered and has_prior else ""
        simulated = "Some of the figures are simulated." if answered and answered.is_simulated else ""
        return _fill_paragraphs(said, f"Prior of each share: {priors}." if priors else "", simulated)

    def _citation(self) -> str:
        return _fill_paragraphs(
            f"{self.name}: differentially private release {self.release['id']} of "
            f"{date_of(self.release['created_at'])}, ε = {amount(self.release['certified']['epsilon'])}. Made with "
            f"Private Posterior. {self.address}"
        )

    def _check(self) -> str:
        receipt, signature = self.release.get("receipt"), self.release.get("signature")
        found = ["Run the script of the page for Python, R or curl: it computes the figures again, free."]
        if signature:
            found.append(
                f"Save {self.address.replace('/console/public/', '/v1/public/')} as release.json, and run `posterior "
                f"verify-release release.json`. SHA-256 of what is signed: {signature['body']['sha256']}."
            )
        if receipt:
            found.append(
                f"The charge is entry {receipt['body']['sequence']} of the ledger of budget "
                f"{self.release['budget_id']}. Its owner checks the ledger and this release with `posterior verify "
                "--releases`."
            )
        found.append(
            "`event` and `posterior.noisy_counts` of the release have all parameters of the noise and its outcome: "
            "anybody can compute the posterior without the service."
        )
        return _fill_paragraphs(*found)


def _fill_paragraphs(*paragraphs: str) -> str:
    return "\n".join(fill(each, _WIDTH, break_long_words=False, break_on_hyphens=False) for each in paragraphs if each)
