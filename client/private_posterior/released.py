"""Paid answers that have posteriors: releases of counts and of margins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from private_posterior.answers import SEPARATOR, Answer, SvgPicture, Table, interval_of, optional_package, table_of
from private_posterior.drawing import Bar, Picture
from private_posterior.errors import ClientError, NotSendable
from private_posterior.figures import ComparisonAnswer, PosteriorAnswer
from private_posterior.payload import Numbers
from private_posterior.wording import Contrast, amount_words, figure_texts

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        Attribute,
        Cells,
        ContrastQuestion,
        EachPrior,
        Effect,
        KnownTotal,
        Release,
        ShareQuestion,
        StratifiedQuestion,
        TrialQuestion,
    )

    Question: TypeAlias = ShareQuestion | ContrastQuestion
NAIVE: Final = "The naive share treats the noisy count as the true one."
About: TypeAlias = Literal["population", "records"]


class _AnswerWithPosteriors(Answer):
    """A paid answer that has posteriors. `client` is the one that it came from, by which its methods ask."""

    client: Client | None = None

    def _asking(self) -> Client:
        if self.client is None:
            raise NotSendable("this release did not come from a client; nothing was sent")
        return self.client

    def _posterior(
        self,
        *,
        questions: Sequence[Question] | Mapping[str, Question],
        draws: int,
        draws_for: Question | None,
        seed: int,
        attributes: Sequence[Attribute],
        **asked: Any,
    ) -> PosteriorAnswer:
        names = list(questions) if isinstance(questions, Mapping) else []
        body: dict[str, Any] = {"questions": list(questions.values() if isinstance(questions, Mapping) else questions)}
        body |= asked
        if draws:
            body["draws"] = {"size": draws, "seed": seed, "question": draws_for}
        found = cast("PosteriorAnswer", self._asking().posterior(self, **body))
        found.attributes = attributes
        found.names = names
        return found


class ReleaseAnswer(_AnswerWithPosteriors):
    """A release. A notebook shows its noise-aware shares first; naive shares treat the noisy counts as the true ones.

    `client` is the one that it came from, by which `posterior`, `compare` and `plot` ask.
    """

    title = "Release"
    asked_prior: Sequence[float] | None = None
    """The prior of the request, if it named one: figures are computed at it. The release may have another."""
    asked_level: float = 0.95
    """The level of the request, and of the intervals that are shown."""
    _shares: PosteriorAnswer | None = None

    @property
    def document(self) -> Release:
        """The release with the types of its members: `release.document["charged"]`."""
        return cast("Release", self)

    def posterior(
        self,
        *,
        questions: Sequence[Question] | Mapping[str, Question] = (),
        by: StratifiedQuestion | None = None,
        trial: TrialQuestion | None = None,
        known: Sequence[KnownTotal] = (),
        prior: Numbers | EachPrior | None = None,
        level: float = 0.95,
        quantiles: Numbers = (0.5,),
        draws: int = 0,
        draws_for: Question | None = None,
        seed: int = 0,
    ) -> PosteriorAnswer:
        """Return the posterior of the shares, free: `release.posterior(level=0.9)`.

        `by` answers a question in each stratum: `{"attributes": ["age"], "question": {"kind": "share", "of": …}}`.
        `trial` gives the figures of a trial: `{"outcome": …, "first": …, "second": …}`, each a set of cells.
        `known` are public totals of groups: `[{"of": {"where": {"arm": ["vaccine"]}}, "count": 18198}]`.

        `prior` is one number for each cell, or `{"each": 1, "of": "piece"}`; None means the prior with which the
        release was asked for, or ½ for each part of the question if none was named. A mapping names the questions:
        `release.posterior(questions={"risk": {"kind": "share", "of": {"labels": ["ill"]}}})`. `draws_for` is the
        question that the draws are for: its value computed from them is near its answer.
        """
        return self._posterior(
            questions=questions,
            by=by,
            trial=trial,
            known=list(known),
            prior=self.asked_prior if prior is None else prior,
            level=level,
            quantiles=quantiles,
            draws=draws,
            draws_for=draws_for,
            seed=seed,
            attributes=self.get("attributes") or (),
        )

    def compare(
        self,
        other: ReleaseAnswer,
        of: Cells,
        *,
        within: Cells | None = None,
        contrast: Contrast = "difference",
        above: float | None = None,
        level: float = 0.95,
        about: About = "population",
    ) -> ComparisonAnswer:
        """Compare a share with the same share of another release: `placebo.compare(vaccine, {"labels": ["ill"]})`.

        The contrast is this release's share minus the other's, or over it: "difference", "ratio" or "odds_ratio".
        `about="records"` asks about these records alone, not about the people that they represent.
        """
        asked = {"contrast": contrast, "above": above, "level": level, "quantiles": [0.5], "about": about}
        return self._comparison_answer(other, of, within, **asked)

    def trial(
        self,
        other: ReleaseAnswer,
        outcome: Cells,
        *,
        within: Cells | None = None,
        effect: Effect | None = None,
        level: float = 0.95,
        about: About = "population",
    ) -> ComparisonAnswer:
        """Return the figures of a trial whose groups have a release each, free:
        `vaccine.trial(placebo, {"labels": ["ill"]}, effect={"measure": "efficacy", "above": 0.3})`.

        The risk of the outcome in this release is compared with that in the other one.
        """
        return self._comparison_answer(other, outcome, within, trial=True, effect=effect, level=level, about=about)

    def _comparison_answer(
        self, other: ReleaseAnswer, of: Cells, within: Cells | None, **asked: Any
    ) -> ComparisonAnswer:
        share = {"of": of} if within is None else {"of": of, "within": within}
        sides = {
            side: {"sources": [{"kind": "release", "release_id": release["id"]}]} | share
            for side, release in (("first", self), ("second", other))
        }
        return cast("ComparisonAnswer", self._asking().compare(cast("Any", sides | asked)))

    def plot(self, *, level: float = 0.95, by: Sequence[str] = (), of: Cells | None = None) -> SvgPicture:
        """Return the service's picture of the release, which a notebook shows: `release.plot(by=["sex"])`."""
        return SvgPicture(self._asking().plot(self["id"], level=level, by=by, of=of))

    def shares(self) -> PosteriorAnswer | None:
        """Return the noise-aware posterior that is shown, or None if it is not available now: `release.shares()`."""
        if self._shares is None and self.client is not None:
            with suppress(ClientError, RuntimeError):  # httpx raises the latter if the client was closed
                self._shares = self.posterior(level=self.asked_level)
        return self._shares if self._shares is not None and self._shares.is_available else None

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each category: `release.rows()[0]["mean"]`. `naive_mean` does not account for the noise."""
        naive, aware, means = self["posterior"], self.shares(), self.naive_means()
        shares: list[Any] = [None] * len(naive["categories"])
        if aware is not None:
            shares = [each for each in aware.rows() if each["kind"] == "category"]
        # `laplace` draws no count for the last category of a public number of records.
        counts = [*naive["noisy_counts"], *[None] * (len(shares) - len(naive["noisy_counts"]))]
        return [
            {
                "category": each["label"],
                **{name: None if share is None else share[name] for name in ("mean", "low", "high", "level")},
                "noisy_count": count,
                "naive_mean": mean,
            }
            for each, count, share, mean in zip(naive["categories"], counts, shares, means, strict=True)
        ]

    def naive_means(self) -> list[float]:
        """Return the mean of each share as if the noisy counts were the true ones: `release.naive_means()[0]`."""
        found = self["posterior"]
        if self.asked_prior is None:
            return [each["mean"] for each in found["categories"]]
        concentration = list(map(math.fsum, zip(self.asked_prior, found["released_counts"], strict=True)))
        return [each / math.fsum(concentration) for each in concentration]

    def table(self) -> Table:
        headings = ["mean share", f"{self.asked_level} from", "to"] if self.shares() else []
        shown = []
        for each in self.rows():
            figures = figure_texts(each["mean"], each["low"], each["high"]) if headings else []
            count = "–" if each["noisy_count"] is None else f"{each['noisy_count']:,}"
            shown.append([each["category"], *figures, count, f"{each['naive_mean']:.4g}"])
        return Table(["category", *headings, "noisy count", "naive share"], shown)

    def pictures(self) -> list[Picture]:
        bars = [Bar(each["category"], each["mean"], each["low"], each["high"]) for each in self.rows()]
        return [Picture("Shares, with the noise accounted for", bars)] if bars and bars[0].value is not None else []

    def remark(self) -> str:
        if "id" not in self:
            return str(self["note"])
        charged = amount_words(self["charged"])
        paid = f"Released on {self['created_at']}, free" if self.replayed else f"Charged {charged}"
        return f"{paid}: {self['id']}. {NAIVE}"


class MarginTablesAnswer(_AnswerWithPosteriors):
    """Tables combined from measured margins. The tables agree with each other."""

    title = "Tables combined from margins"
    attributes: Sequence[Attribute] = ()
    """The attributes of the data set."""
    confidence: float = 0.95
    """Confidence of the intervals in `rows` and in a notebook: 0.9, 0.95, 0.99, or the one of the request."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each cell of each table: `answer.rows()[0]["estimate"]`.

        A row has the level of each attribute of its table, and the interval of `answer.confidence`.
        """
        levels = {each["name"]: each["levels"] for each in self.attributes}
        rows = []
        for table in self["tables"]:
            names, interval = table["attributes"], interval_of(table, self.confidence)
            width = interval["half_width"]
            at_once = {name: each for name, each in interval.items() if name == "simultaneous_half_width"}
            for cell, estimate in zip(product(*(levels[each] for each in names)), table["estimates"], strict=True):
                figures = {"estimate": estimate, "low": estimate - width, "high": estimate + width}
                said = {"table": ", ".join(names), "cell": SEPARATOR.join(cell), "confidence": self.confidence}
                rows.append(said | dict(zip(names, cell, strict=True)) | said | figures | at_once)
        return rows

    def table(self) -> Table:
        headings = {"table": "table", "cell": "cell", "estimate": "estimate", "low": "from", "high": "to"}
        headings |= {"simultaneous_half_width": "half width, all at once"}
        return table_of(self.rows(), headings)

    def frame(self, *attributes: str) -> Any:
        """Return the estimates of one table as a pandas data frame: `answer.frame("age", "smoker")`.

        The last attribute has the columns, and the others the index. Raises KeyError if there is no such table, and
        ImportError if pandas is not installed.
        """
        pandas = optional_package("frame()", "pandas")
        found = next((each for each in self["tables"] if set(each["attributes"]) == set(attributes)), None)
        if found is None:
            raise KeyError(f"the answer has no table of {', '.join(attributes)}")
        levels = {each["name"]: each["levels"] for each in self.attributes}
        index = pandas.MultiIndex.from_product(
            [levels[each] for each in found["attributes"]], names=found["attributes"]
        )
        wanted = pandas.MultiIndex.from_product([levels[each] for each in attributes], names=attributes)
        series = pandas.Series(found["estimates"], index=index, name="estimate").reorder_levels(attributes)[wanted]
        return series.unstack(attributes[-1], sort=False) if len(attributes) > 1 else series.to_frame()

    def remark(self) -> str:
        return f"Intervals of confidence {self.confidence}, for amounts that were fixed before any answer was seen."


class MarginsAnswer(MarginTablesAnswer):
    """A release of margins: the wanted tables, and each measured margin, which has a posterior of its own."""

    title = "Margins"

    @property
    def measured(self) -> list[list[str]]:
        """The attributes of each measured margin: `answer.measured[0]`."""
        return [each["attributes"] for each in self["measured"]]

    def posterior(
        self,
        margin: Sequence[str],
        *,
        questions: Sequence[Question] | Mapping[str, Question] = (),
        by: StratifiedQuestion | None = None,
        trial: TrialQuestion | None = None,
        known: Sequence[KnownTotal] = (),
        prior: Numbers | EachPrior | None = None,
        level: float = 0.95,
        quantiles: Numbers = (0.5,),
        draws: int = 0,
        draws_for: Question | None = None,
        seed: int = 0,
    ) -> PosteriorAnswer:
        """Return the posterior of the shares from the counts of one measured margin, free:
        `answer.posterior(["age", "smoker"])`.

        It uses no other margin. The questions have the form of `ReleaseAnswer.posterior`.
        """
        return self._posterior(
            margin=list(margin),
            questions=questions,
            by=by,
            trial=trial,
            known=list(known),
            prior=prior,
            level=level,
            quantiles=quantiles,
            draws=draws,
            draws_for=draws_for,
            seed=seed,
            attributes=[each for each in self.attributes if each["name"] in margin],
        )

    def remark(self) -> str:
        charged = amount_words(self["charged"])
        paid = f"Released on {self['created_at']}, free" if self.replayed else f"Charged {charged}"
        measured = "; ".join(", ".join(each) or "number of records" for each in self.measured)
        return f"{paid}: {self['id']}. Measured: {measured}. {super().remark()}"
