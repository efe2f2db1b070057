"""A data set by its name, for notebooks: `client["Polio 2x2"].release(epsilon="0.5")`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, overload

from private_posterior.answers import SEPARATOR, Listing, Table, as_html
from private_posterior.errors import NoSuchName
from private_posterior.payload import Amount, Numbers, limit_of, plain
from private_posterior.quotes import MarginsQuoteAnswer, PlanAnswer, QueriesAnswer, QuoteAnswer, StatementAnswer
from private_posterior.released import MarginsAnswer, MarginTablesAnswer, ReleaseAnswer
from private_posterior.wording import first_names, number_text

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        Allowance,
        Attribute,
        ContrastQuestion,
        Dataset,
        Query,
        ReleaseSummary,
        ShareQuestion,
        StratifiedQuestion,
        TrialQuestion,
    )

    Question: TypeAlias = ShareQuestion | ContrastQuestion

DEFAULT_MECHANISM: Final = {"replace_one": "simplex_geometric", "add_remove": "geometric"}
"""The recommended mechanism, by the neighbour relation of a data set."""
DEFAULT_DELTA: Final = "1e-6"
"""The δ of a plan, unless less is left."""
_DEFAULT_CHARGES: Final = {"basic": "0.5", "zcdp": "0.1"}
"""The charge of a plan, by the accountant of the budget."""
_ID: Final = re.compile(r"dat_[a-z2-7]{26}")


def payable_delta(client: Client, dataset_id: str) -> str:
    """Return the δ of a plan: the default, or the caller's remaining δ if that is smaller, so that the plan can be paid
    for.
    """
    left = client.allowance(dataset_id)
    charge = left["largest_possible_charge"]
    if not left["can_release"] or charge["accountant"] != "basic":
        return DEFAULT_DELTA
    return min(DEFAULT_DELTA, charge["delta"], key=Decimal)


def sets_apart_from(attributes: Sequence[Attribute], labels: Sequence[str], wanted: Collection[str]) -> list[list[str]]:
    """Return the sets of cells that the wanted attributes do not distinguish, by their labels."""
    possible, groups = set(labels), dict[tuple[str, ...], list[str]]()
    for levels in product(*(each["levels"] for each in attributes)):
        if (label := SEPARATOR.join(levels)) in possible:
            kept = tuple(level for level, each in zip(levels, attributes, strict=True) if each["name"] in wanted)
            groups.setdefault(kept, []).append(label)
    return [each for each in groups.values() if len(each) > 1]


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set that you may use: `client["Polio 2x2"]`. `facts` are its public facts."""

    client: Client = field(repr=False)
    facts: Dataset

    @property
    def id(self) -> str:
        """The id: `client["Polio 2x2"].id`."""
        return self.facts["id"]

    @property
    def name(self) -> str:
        """The name: `client["Polio 2x2"].name`."""
        return self.facts["name"]

    @property
    def labels(self) -> list[str]:
        """The labels of the categories: `client["Polio 2x2"].labels`."""
        return self.facts["labels"]

    @overload
    def release(
        self,
        mechanism: str | None = None,
        *,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        delta: Amount | None = None,
        calibration: Literal["certified", "proven"] | None = None,
        prior: Numbers | float | None = None,
        merged: Sequence[Sequence[str]] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[False] = False,
    ) -> ReleaseAnswer: ...
    @overload
    def release(
        self,
        mechanism: str | None = None,
        *,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        delta: Amount | None = None,
        calibration: Literal["certified", "proven"] | None = None,
        prior: Numbers | float | None = None,
        merged: Sequence[Sequence[str]] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[True],
    ) -> QuoteAnswer: ...
    def release(
        self,
        mechanism: str | None = None,
        *,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        delta: Amount | None = None,
        calibration: Literal["certified", "proven"] | None = None,
        prior: Numbers | float | None = None,
        merged: Sequence[Sequence[str]] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: bool = False,
    ) -> ReleaseAnswer | QuoteAnswer:
        """Release the posterior of all shares. This is charged: `client["Polio 2x2"].release(epsilon="0.5")`.

        The same request returns the same release, free, at any prior if the noise does not depend on it; `again=True`
        buys fresh noise. `prior` is one number for each category, or one for all: figures are computed at it. If left
        out, it is ½ for each part of a question. The mechanism is simplex_geometric if left out, or geometric at a
        private number of records. `merged` are sets of labels that your questions never tell apart: they are counted as
        one, with less noise. `max_charge` is the largest ε that may be charged, or ρ on a budget of kind zcdp.
        `dry_run=True` returns the charge and what is left, free.
        """
        kind = mechanism or DEFAULT_MECHANISM[self.facts["relation"]]
        named = "nominal_epsilon" if kind == "exponential_published" else "epsilon"
        given = {named: epsilon, "rho": rho, "delta": delta, "calibration": calibration}
        amounts = {name: each for name, each in given.items() if each is not None}
        body: dict[str, Any] = {"kind": "counts", "mechanism": {"kind": kind} | amounts}
        body |= {} if prior is None else {"prior": self._prior(prior)}
        body |= {"merged": [list(each) for each in merged]} if merged else {}
        return cast(
            "ReleaseAnswer | QuoteAnswer", self._release_or_quote(body, max_charge, again=again, dry_run=dry_run)
        )

    def _release_or_quote(self, body: Any, max_charge: Amount | None, *, again: bool, dry_run: bool) -> Any:
        body |= limit_of(self.facts["accountant"], max_charge)
        return self.client.quote(self.id, body) if dry_run else self.client.create_release(self.id, body, again=again)

    def only(self, *attributes: str) -> list[list[str]]:
        """Return the sets to merge so that only these attributes are counted:
        `trial.release(merged=trial.only("arm", "outcome"), epsilon="0.5")`.

        Raises NoSuchName for an unknown attribute.
        """
        every = self.facts["attributes"] or []
        known = [each["name"] for each in every]
        for name in attributes:
            if name not in known:
                raise NoSuchName(f"there is no attribute {name!r}. There are {first_names(known) or 'none'}")
        return sets_apart_from(every, self.labels, attributes)

    def plan(
        self,
        epsilons: Amount | Sequence[Amount] | None = None,
        *,
        rhos: Amount | Sequence[Amount] | None = None,
        counts: Numbers | None = None,
        records: int | None = None,
        questions: Sequence[Question] = (),
        by: StratifiedQuestion | None = None,
        trial: TrialQuestion | None = None,
        merged: Sequence[Sequence[str]] | None = None,
        prior: Numbers | float = 1,
        delta: Amount | None = None,
        level: float = 0.95,
        target_width: float | None = None,
        target_power: float | None = None,
        target_error: float | None = None,
    ) -> PlanAnswer:
        """Compare the mechanisms before you pay, free: `client["Polio 2x2"].plan("0.5", counts=[30, 970])`.

        Give `epsilons` if the accountant of the budget is basic, and `rhos` if it is zcdp. `delta` is the δ of Gaussian
        noise: 1e-6 if left out, or less if less is left for you. No data set is read. `counts` are your guess; without
        them the records are spread evenly over the categories. If the number of records is private, `records` is your
        guess of it. `by` and `trial` are those that `posterior` takes, and `merged` is that of `release`.
        """
        accountant = self.facts["accountant"]
        given, other = (epsilons, rhos) if accountant == "basic" else (rhos, epsilons)
        if other is not None:
            unit = "epsilons" if accountant == "basic" else "rhos"
            raise ValueError(f"the budget of this data set has the accountant {accountant}: give {unit}")
        charges = _DEFAULT_CHARGES[accountant] if given is None else given
        size = self.facts["record_count"] if records is None else records
        if counts is None and size is None:
            raise ValueError("the number of records is private: give counts, or your guess of it as records")
        even = {"kind": "shape", "shape": "even", "record_count": size}
        body: dict[str, Any] = self._cells() | {
            "data": even if counts is None else {"kind": "counts", "counts": counts},
            "prior": self._prior(prior),
            "accountant": accountant,
            "epsilons" if accountant == "basic" else "rhos": [charges]
            if isinstance(charges, str | float | int | Decimal)
            else list(charges),
            "delta": payable_delta(self.client, self.id) if delta is None else delta,
            "level": level,
            "questions": list(questions),
            "by": by,
            "trial": trial,
            "merged": [list(each) for each in merged] if merged else None,
            "records_per_unit": self.facts["records_per_unit"],
            "relation": self.facts["relation"],
            "smaller_tables": True,
            "target_width": target_width,
            "target_power": target_power,
            "target_error": target_error,
        }
        return cast("PlanAnswer", self.client.plan(cast("Any", {n: v for n, v in body.items() if v is not None})))

    @overload
    def estimate(self, queries: Sequence[Query]) -> QueriesAnswer: ...

    @overload
    def estimate(
        self, *, margins: int | Sequence[Sequence[str]], confidence: float = 0.95, constraints: bool = False
    ) -> MarginTablesAnswer: ...

    def estimate(
        self,
        queries: Sequence[Query] | None = None,
        *,
        margins: int | Sequence[Sequence[str]] | None = None,
        confidence: float = 0.95,
        constraints: bool = False,
    ) -> QueriesAnswer | MarginTablesAnswer:
        """Answer queries, or combine tables, from all releases that you may read, free.

        `client["Polio 2x2"].estimate([{"of": {"labels": ["ill"]}}])`. `client["Survey"].estimate(margins=2)` returns
        the tables of all pairs of attributes; `margins` names tables, too: `[["age", "smoker"], ["ward"]]`.
        """
        body: dict[str, Any] = {"queries": None if queries is None else list(queries)}
        if margins is not None:
            wanted = {"all": margins} if isinstance(margins, int) else {"margins": margins}
            body |= wanted | {"confidence": confidence, "constraints": constraints}
        return cast("QueriesAnswer | MarginTablesAnswer", self.client.estimate(self.id, cast("Any", body)))

    @overload
    def measure(
        self,
        queries: Sequence[Query],
        *,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[False] = False,
    ) -> QueriesAnswer: ...
    @overload
    def measure(
        self,
        queries: Sequence[Query],
        *,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[True],
    ) -> QuoteAnswer: ...
    def measure(
        self,
        queries: Sequence[Query],
        *,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: bool = False,
    ) -> QueriesAnswer | QuoteAnswer:
        """Answer queries as precisely as they ask. What earlier releases don't answer is measured and charged.

        `client["Trial"].measure([{"of": {"labels": ["ill"]}, "half_width": 15.0}], max_charge="0.2")`. The service
        finds the price: without `max_charge`, nothing is charged, and LimitMissing has the price. The same request is
        free, unless `again=True`. `dry_run=True` returns the price, free.
        """
        body: dict[str, Any] = {"kind": "queries", "queries": list(queries)}
        return cast(
            "QueriesAnswer | QuoteAnswer", self._release_or_quote(body, max_charge, again=again, dry_run=dry_run)
        )

    @overload
    def margins(
        self,
        all: int | None = None,
        *,
        margins: Sequence[Sequence[str]] | None = None,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        half_widths: Numbers | float | None = None,
        weights: Numbers | None = None,
        confidence: float = 0.95,
        delta: Amount | None = None,
        delta_to_spend: Amount | None = None,
        noise: Literal["independent", "blocks"] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[False] = False,
    ) -> MarginsAnswer: ...
    @overload
    def margins(
        self,
        all: int | None = None,
        *,
        margins: Sequence[Sequence[str]] | None = None,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        half_widths: Numbers | float | None = None,
        weights: Numbers | None = None,
        confidence: float = 0.95,
        delta: Amount | None = None,
        delta_to_spend: Amount | None = None,
        noise: Literal["independent", "blocks"] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: Literal[True],
    ) -> MarginsQuoteAnswer: ...
    def margins(
        self,
        all: int | None = None,
        *,
        margins: Sequence[Sequence[str]] | None = None,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        half_widths: Numbers | float | None = None,
        weights: Numbers | None = None,
        confidence: float = 0.95,
        delta: Amount | None = None,
        delta_to_spend: Amount | None = None,
        noise: Literal["independent", "blocks"] | None = None,
        max_charge: Amount | None = None,
        again: bool = False,
        dry_run: bool = False,
    ) -> MarginsAnswer | MarginsQuoteAnswer:
        """Release small tables of a cross table, all for one charge: `client["Survey"].margins(2, epsilon="0.5")`.

        `all=2` wants the tables of all pairs of attributes; `margins` names tables: `[["age", "smoker"], ["ward"]]`.
        Give an amount, or `half_widths`, half the width of each interval in records, and `max_charge`, the most that
        may be charged for them. `noise="blocks"` draws the noise of tables that do not overlap together, which is about
        half as wide. `delta_to_spend` on a basic budget allows Gaussian noise, which is narrower for many tables. The
        same request is free, unless `again=True`. `dry_run=True` returns the charge and the width of each table's
        intervals, free.
        """
        numbers = plain(half_widths)
        given = {
            "all": all,
            "margins": margins,
            "epsilon": epsilon,
            "rho": rho,
            "half_widths": numbers if numbers is None or isinstance(numbers, list) else [numbers],
            "weights": weights,
            "confidence": confidence,
            "delta": delta,
            "delta_to_spend": delta_to_spend,
            "noise": noise,
        }
        body = {"kind": "margins"} | {name: each for name, each in given.items() if each is not None}
        return cast(
            "MarginsAnswer | MarginsQuoteAnswer", self._release_or_quote(body, max_charge, again=again, dry_run=dry_run)
        )

    def releases(self, kind: Literal["counts", "margins", "queries"] | None = None) -> Listing[ReleaseSummary]:
        """List the releases that you may read: `client["Polio 2x2"].releases()`."""
        return self.client.releases(self.id, kind=kind)

    def released(self, release_id: str) -> ReleaseAnswer:
        """Return an earlier release of any kind, free: `client["Polio 2x2"].released("rel_…")`."""
        return cast("ReleaseAnswer", self.client.release(release_id))

    def allowance(self) -> Allowance:
        """Return what you can still release: `client["Polio 2x2"].allowance()`."""
        return self.client.allowance(self.id)

    def statement(self) -> StatementAnswer:
        """Return what was promised and spent, for owners: `client["Polio 2x2"].statement()`."""
        return cast("StatementAnswer", self.client.statement(self.id))

    def _cells(self) -> dict[str, Any]:
        """Return the names by which a plan calls the cells."""
        attributes = self.facts["attributes"]
        return {"labels": self.labels} | ({"attributes": attributes} if attributes else {})

    def _prior(self, prior: Numbers | float) -> Any:
        numbers = plain(prior)
        return numbers if isinstance(numbers, list) else [numbers] * self.facts["category_count"]

    def _rows(self) -> list[tuple[str, str]]:
        return [("id", self.id), *fact_rows(self.facts)]

    def __str__(self) -> str:
        """Return what a notebook shows, as text: `print(client["Polio 2x2"])`."""
        return "\n".join([self.name, *(f"{name}: {value}" for name, value in self._rows())])

    def _repr_html_(self) -> str:
        return as_html(self.name, Table(["", ""], self._rows()), [], "")


def fact_rows(facts: Dataset) -> list[tuple[str, str]]:
    """Return the public facts of a data set that its owner stated, each with its name."""
    cells = [f"{each['name']}: {first_names(each['levels'])}" for each in facts["attributes"] or ()]
    return [
        ("owner", facts["owner_name"] or "erased"),
        ("one record is", facts["unit"]),
        ("of one person", f"at most {number_text(facts['records_per_unit'])} records"),
        ("records", "private" if facts["record_count"] is None else number_text(facts["record_count"])),
        ("categories", number_text(facts["category_count"])),
        ("cells" if cells else "labels", "; ".join(cells) if cells else first_names(facts["labels"])),
    ]


def find_dataset(client: Client, text: str) -> Dataset:
    """Return the data set with this id or name. Raises NoSuchName."""
    if _ID.fullmatch(text):
        return client.dataset(text)
    found = list(client.datasets())
    id_ = id_named(text, "data set", ((each["id"], each["name"], each["owner_name"]) for each in found))
    named = next(each for each in found if each["id"] == id_)
    return named if named["labels"] else client.dataset(id_)  # lists leave long labels out


def id_named(text: str, kind: str, known: Iterable[tuple[str, str, str | None]]) -> str:
    """Return the id of the only object with this name. `known` has ids, names and owners. Raises NoSuchName."""
    by_name: dict[str, dict[str, str | None]] = {}
    for id_, name, owner in known:
        by_name.setdefault(name, {})[id_] = owner
    ids = by_name.get(text) or {
        id_: owner
        for name, some in by_name.items()
        if name.casefold() == text.strip().casefold()
        for id_, owner in some.items()
    }
    if not ids:
        near = get_close_matches(text, by_name, n=1, cutoff=0.5)
        nearest = f"; the nearest is {near[0]!r}" if near else ""
        raise NoSuchName(f"there is no {kind} named {text!r}{nearest}")
    if len(ids) > 1:
        listed = ", ".join(id_ if owner is None else f"{id_} of {owner}" for id_, owner in ids.items())
        raise NoSuchName(f"{len(ids)} have the name {text!r}: give the id, one of {listed}")
    return next(iter(ids))
