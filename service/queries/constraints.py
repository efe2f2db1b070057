"""Says what answers tell of a set of cells where counts are whole, not negative and sum to n: a labelled second
interval, off unless asked for.

Where all that is known are posterior releases, this is what pooling them gives under a uniform prior. A quote then says
it unasked, so that its reader sees which of the two is narrower.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from core.inference.counts import CountPosterior, InferenceError
from core.inference.likelihood import counts_given_releases, typical_window
from core.queries.constrained import CountDistribution, NotOffered, WorkLimit, count_in_history
from core.queries.estimator import Query
from service.queries.known import Known
from service.schemas import queries as schema

_PRODUCTS: Final = 3 * 10**8
"""For all queries of one request: about a second."""
_POOLING: Final = 100
"""What a count that is possible stands for among them, for the law of the counts and for that of each set."""
_MAX_ERROR: Final = 1e-6


@dataclass(slots=True)
class Constraints:
    """Whether they are to be told, for what is known, and what computing may still cost the request."""

    asked: bool
    known: Known
    allowance: WorkLimit = field(default_factory=lambda: WorkLimit(_PRODUCTS))
    _pooled: CountPosterior | None = None

    @classmethod
    def of(cls, body: schema.QueryQuoteCreate, known: Known, *, pooled_anyway: bool = False) -> Self:
        """`pooled_anyway`: told of posterior releases unless the request says no."""
        unasked = pooled_anyway and body.constraints is None and known.holds_posteriors_only
        return cls(bool(body.constraints) or unasked, known)

    def answer(self, asked: schema.Query, query: Query, half_width: float) -> schema.WithConstraints | None:
        """The answer under constraints to a query whose estimate has this half width; None if constraints were not
        asked for, or the answer is public anyway.
        """
        if not self.asked or query.constant is not None:
            return None
        least, largest = min(query.coefficients), max(query.coefficients)
        try:
            if not {least, largest}.issuperset(query.coefficients):
                raise NotOffered("it weighs categories differently, and is no count of a set")  # noqa: TRY301
            law = self._law([each == largest for each in query.coefficients])
        except (NotOffered, InferenceError) as reason:
            return schema.WithConstraints(
                mean=None, standard_deviation=None, interval=None, narrower=None, unavailable_reason=str(reason)
            )
        factor, base = (largest - least) / query.denominator, self.known.history.n * least / query.denominator
        low, high = (base + factor * count for count in law.interval(asked.confidence))
        half = (high - low) / 2
        return schema.WithConstraints(
            mean=base + factor * law.mean,
            standard_deviation=factor * law.deviation,
            interval=schema.QueryInterval(low=low, high=high, half_width=half, confidence=asked.confidence),
            narrower="with_constraints" if half < half_width else "estimate",
            unavailable_reason=None,
        )

    def _law(self, cells: list[bool]) -> CountDistribution:
        if not self.known.holds_posteriors_only:
            return count_in_history(self.known.history, cells, self.allowance)
        possible = sum(event.m * typical_window(event) for event, _ in self.known.posteriors)
        self.allowance.take(_POOLING * possible)
        if self._pooled is None:
            self._pooled = counts_given_releases(self.known.posteriors, np.ones(self.known.history.m))
        found = self._pooled.sums([frozenset(np.flatnonzero(cells).tolist())])
        if found.error > _MAX_ERROR:
            raise NotOffered("rounding leaves too little certain of it")
        return CountDistribution(found.lows[0], found.probabilities)
