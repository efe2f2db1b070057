import numpy as np
import pytest

from core.mechanisms import gaussian, laplace
from core.mechanisms.event import EventError
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.unsealing import HistogramError
from core.privacy import Delta, Epsilon, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy

EPSILON = Epsilon.parse("0.8")
MICRO = Delta.parse("0.000001")


@pytest.mark.parametrize("n", [0, -1, 2**53 + 1])
def test_a_size_that_no_histogram_has_is_refused(n: int) -> None:
    for event in (Laplace, SimplexGeometric):
        with pytest.raises(EventError, match="records"):
            event(n, 3, EPSILON)


@pytest.mark.parametrize("m", [0, 1, 10_001])
def test_a_number_of_categories_that_no_mechanism_takes_is_refused(m: int) -> None:
    with pytest.raises(EventError, match="categories"):
        Gaussian(10, m, Rho.parse("1"), MICRO)


@pytest.mark.parametrize("epsilon", ["0", "0.000099999", "50.1"])
def test_an_epsilon_outside_its_limits_is_refused(epsilon: str) -> None:
    for event in (Laplace, SimplexGeometric):
        with pytest.raises(EventError, match="epsilon"):
            event(10, 3, Epsilon.parse(epsilon))


@pytest.mark.parametrize(
    ("rho", "delta", "rule"), [("0", "0.1", "rho"), ("1001", "0.1", "rho"), ("1", "0", "delta"), ("1", "1", "delta")]
)
def test_a_rho_or_delta_outside_its_limits_is_refused(rho: str, delta: str, rule: str) -> None:
    with pytest.raises(EventError, match=rule):
        Gaussian(10, 3, Rho.parse(rho), Delta.parse(delta))


@pytest.mark.parametrize("counts", [[77, 77], [77, 0, 0], [-1, 6, 5], [3.5, 3.5, 3.0]])
def test_counts_of_another_size_are_refused_without_naming_them(counts: list[int]) -> None:
    private = Private(np.array(counts))
    with pytest.raises(HistogramError) as by_laplace:
        laplace.release(private, Laplace(10, 3, EPSILON), SeededEntropy(0))
    with pytest.raises(HistogramError) as by_geometric:
        simplex_geometric.release(private, SimplexGeometric(10, 3, EPSILON), SeededEntropy(0))
    with pytest.raises(HistogramError) as by_gaussian:
        gaussian.release(private, Gaussian(10, 3, Rho.parse("1"), MICRO), SeededEntropy(0))
    for refusal in (by_laplace, by_geometric, by_gaussian):
        assert str(refusal.value) == "the histogram is not of the size that the event states"
