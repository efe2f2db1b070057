import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from core.candidates import histograms
from core.inference import InferenceError, infer
from core.inference.likelihood import unavailable_reason
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_published
from core.mechanisms.exponential.channel import CHANNEL_ERROR, log_likelihoods
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon

E, D = Epsilon.parse, Delta.parse


def channel_column(event: Exponential, observed: int) -> np.ndarray:
    """ln P(r | c) at every c, from the integer weights that a release is drawn from."""
    column = []
    for k in range(event.n + 1):
        weights = weights_at(event, np.array([k, event.n - k])).astype(float)
        column.append(np.log(weights[observed] / weights.sum()))
    return np.array(column)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "event",
    [
        calibrate_published(30, (1.0, 1.0), E("0.8"), D("0.00000001")),
        calibrate_published(400, (0.5, 30.0), E("5"), D("0.00000001")),
        calibrate_global(200, (1.0, 2.0), E("0.8")),
    ],
)
def test_the_likelihood_is_the_column_of_the_channel_that_is_drawn_from(event: Exponential) -> None:
    for observed in (0, event.n // 3, event.n):
        np.testing.assert_allclose(
            log_likelihoods(event, (observed, event.n - observed)), channel_column(event, observed), rtol=0, atol=1e-10
        )


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "event",
    [
        calibrate_published(30_000, (1.0, 1.0), E("0.8"), D("0.00000001")),
        calibrate_published(6000, (0.01, 30.0), E("0.1"), D("0.00000001")),
        calibrate_published(6000, (1.0, 1.0), E("10"), D("0.00000001")),
        calibrate_global(6000, (100.0, 2.0), E("50")),
    ],
)
def test_interpolated_normalisers_are_those_of_the_channel(event: Exponential) -> None:
    n = event.n
    logs = log_likelihoods(event, (n // 5, n - n // 5))
    for k in (0, 1, 7, 100, 345, n // 7, n // 5 + 3, n // 2, n - 1000, n - 33, n):
        weights = weights_at(event, np.array([k, n - k])).astype(float)
        assert logs[k] == pytest.approx(float(np.log(weights[n // 5] / weights.sum())), abs=CHANNEL_ERROR)


def test_the_posterior_equals_brute_force() -> None:
    event = calibrate_published(40, (1.0, 1.0), E("0.8"), D("0.00000001"))
    posterior = infer(event, NoisyCounts((9, 31), (9, 31)), [0.5, 2.0])
    counts = np.arange(41)
    logs = (
        gammaln(0.5 + counts)
        - gammaln(1.0 + counts)
        + gammaln(42.0 - counts)
        - gammaln(41.0 - counts)
        + channel_column(event, 9)
    )
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    share = posterior.share(0)
    assert share.mean == pytest.approx(float(weights @ ((0.5 + counts) / 42.5)), abs=1e-10)
    low, high = share.interval(0.9)
    assert float(weights @ stats.beta.cdf(low, 0.5 + counts, 42 - counts)) == pytest.approx(0.05, abs=1e-10)
    assert float(weights @ stats.beta.sf(high, 0.5 + counts, 42 - counts)) == pytest.approx(0.05, abs=1e-10)


def test_where_it_is_not_available_it_says_why() -> None:
    three = calibrate_published(1_000_000, (1.0, 1.0, 1.0), E("0.8"), D("0.00000001"))
    large = calibrate_published(1_000_001, (1.0, 1.0), E("0.8"), D("0.00000001"))
    for event in (three, large):
        reason = unavailable_reason(event)
        assert reason is not None
        assert reason.startswith("not available, because")
        with pytest.raises(InferenceError, match="not available, because"):
            infer(event, NoisyCounts((1,) * event.m, (1,) * event.m), [1.0] * event.m)
    assert unavailable_reason(calibrate_published(1_000_000, (1.0, 1.0), E("0.8"), D("0.00000001"))) is None


@pytest.mark.parametrize(("n", "m"), [(20, 3), (24, 4)])
def test_a_listed_likelihood_is_that_of_the_weights_that_are_drawn_from(n: int, m: int) -> None:
    event = calibrate_published(n, (1.0, 0.5, 2.0, 1.0)[:m], E("2"), D("0.00000001"))
    every = histograms(n, m)
    observed = tuple(every[len(every) // 3].tolist())
    logs = log_likelihoods(event, observed)
    for place in (0, 1, len(every) // 3, len(every) // 2, len(every) - 1):
        weights = weights_at(event, every[place]).astype(float)
        exact = float(np.log(weights[len(every) // 3] / weights.sum()))
        assert logs[place] == pytest.approx(exact, abs=CHANNEL_ERROR)
