"""Free computations take about as long as is estimated, where a job or a refusal hangs on it."""

from __future__ import annotations

import math

import pytest

from benchmarks.estimates import cases, is_wrong, measured

MOST_SECONDS = 60
FACTOR = 5


@pytest.mark.long
def test_estimates_are_of_the_order_of_the_processor_time_that_computations_take() -> None:
    wrong = []
    for name, estimated, work in cases():
        seconds, failed = measured(work, MOST_SECONDS)
        if seconds == math.inf:
            # It was ended at its limit, so that only an estimate far below that is known to be wrong.
            seconds = max(MOST_SECONDS, estimated)
        elif failed:
            continue
        if is_wrong(estimated, seconds, FACTOR):
            wrong.append(f"{name}: {estimated:.2f} s estimated, {seconds:.2f} s taken")
    assert not wrong, "\n".join(wrong)


def test_an_estimate_matters_where_it_or_the_truth_is_no_answer_at_once() -> None:
    assert is_wrong(10.0, 0.1, FACTOR)
    assert is_wrong(0.1, 10.0, FACTOR)
    assert not is_wrong(1.0, 0.01, FACTOR)
    assert not is_wrong(10.0, 3.0, FACTOR)
