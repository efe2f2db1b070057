"""The figures of answers from releases: probabilities, quantiles and intervals. Nothing is served."""

from __future__ import annotations

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.posteriors.comparisons import compare
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import ComparisonCreate


def release_of(noisy: tuple[int, ...], prior: float, epsilon: str, *, name: str = "a") -> ReadRelease:
    """A release that has drawn these counts."""
    event = SimplexGeometric(sum(noisy), len(noisy), Epsilon.parse(epsilon))
    labels = [f"cell {index}" for index in range(len(noisy))]
    drawn = NoisyCounts(noisy, noisy)
    return ReadRelease("rel_" + 26 * name, event, labels, [prior] * len(noisy), drawn, "title", "subtitle")


def test_the_probability_that_a_much_smaller_share_is_greater_is_not_0_and_has_its_own_error() -> None:
    first, second = (release_of((300, 600, 300, 800), 1.0, "1", name=name) for name in "ab")
    sides = [
        {"release_id": release.id, "category": [f"cell {cell}"], "given": [f"cell {cell}", "cell 3", "cell 2"]}
        for release, cell in ((first, 0), (second, 1))
    ]
    request = ComparisonCreate.model_validate({"first": sides[0], "second": sides[1], "contrast": "difference"})
    found = compare(first, second, request)
    assert found.contrast is not None
    assert found.contrast.above is not None
    for each in (found, found.contrast.above):
        assert 0.0 < each.probability < 1e-4
        assert 0.0 < each.error < 1e-4
        assert (each.method, each.draws) == ("simulation", found.draws)
        assert found.draws is not None
