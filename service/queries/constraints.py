"""Compute a second interval for the count of a set of cells. It assumes that counts are non-negative integers that sum
to n. It is labelled, and returned only on request.

If only posterior releases are known, it is their pooled posterior under a uniform prior. A quote then includes it by
default, so that the reader sees which of the two intervals is narrower.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from core.inference.counts import CountPosterior, InferenceError
from core.inference.likelihood import counts_given_releases, typical_window
from core.queries.constrained import CountDistribution, NotOffered, WorkLimit, count_in_history
from core.queries.estimator import Query
from service.queries.readable_history import ReadableHistory
from service.schemas import queries as schema

_PRODUCTS: Final = 3 * 10**8
"""Limit of work for all queries of one request, in products: about a second."""
_POOLING: Final = 100
"""Products charged per possible count. They cover the distribution of the counts and that of each set."""
_MAX_ERROR: Final = 1e-6


@dataclass(slots=True)
class Constraints:
    """Computes constrained answers for one request, within its limit of work."""

    asked: bool
    known: ReadableHistory
    allowance: WorkLimit = field(default_factory=lambda: WorkLimit(_PRODUCTS))
    _pooled: CountPosterior | None = None

    @classmethod
    def of(cls, body: schema.QueryQuoteCreate, known: ReadableHistory, *, pooled_anyway: bool = False) -> Self:
        """Return constraints for one request. `pooled_anyway` includes them by default if only posterior releases are
        known.
        """
        unasked = pooled_anyway and body.constraints is None and known.holds_posteriors_only
        return cls(bool(body.constraints) or unasked, known)

    def answer(self, asked: schema.Query, query: Query, half_width: float) -> schema.WithConstraints | None:
        """Return the constrained answer to a query whose unconstrained estimate has this half width. Return None if
        constraints were not requested, or if the query is constant and its answer public.
        """
        if not self.asked or query.constant is not None:
            return None
        least, largest = min(query.coefficients), max(query.coefficients)
        try:
            if not {least, largest}.issuperset(query.coefficients):
                raise NotOffered("it weighs categories differently, and is not a count of a set")  # noqa: TRY301
            counts = self._distribution([each == largest for each in query.coefficients])
        except (NotOffered, InferenceError) as reason:
            return schema.WithConstraints(
                mean=None, standard_deviation=None, interval=None, narrower=None, unavailable_reason=str(reason)
            )
        assert self.known.history.n is not None, "there is no distribution at a private number of records"
        factor, base = (largest - least) / query.denominator, self.known.history.n * least / query.denominator
        low, high = (base + factor * bound for bound in counts.interval(asked.confidence))
        half = (high - low) / 2
        return schema.WithConstraints(
            mean=base + factor * counts.mean,
            standard_deviation=factor * counts.deviation,
            interval=schema.QueryInterval(low=low, high=high, half_width=half, confidence=asked.confidence),
            narrower="with_constraints" if half < half_width else "estimate",
            unavailable_reason=None,
        )

    def _distribution(self, cells: list[bool]) -> CountDistribution:
        if not self.known.holds_posteriors_only:
            return count_in_history(self.known.history, cells, self.allowance)
        possible = sum(event.m * typical_window(event) for event, _ in self.known.posteriors)
        self.allowance.take(_POOLING * possible)
        if self._pooled is None:
            self._pooled = counts_given_releases(self.known.posteriors, np.ones(self.known.history.m))
        found = self._pooled.sums([frozenset(np.flatnonzero(cells).tolist())])
        if found.error > _MAX_ERROR:
            raise NotOffered("its rounding error is too large")
        return CountDistribution(found.lows[0], found.probabilities)
