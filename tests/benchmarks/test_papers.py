"""The printed numbers and claims of the papers, compared with the experiments behind docs/explanation/papers.md: the
part of `make papers` that takes seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.papers import abstract, article, notes, queries, questions
from benchmarks.papers.charts import STYLES
from benchmarks.papers.errors import (
    Data,
    candidate_distances,
    exponential,
    exponential_mean,
    geometric_mean,
    laplace_mean,
    laplace_of_candidates,
    local_rate,
    smooth_rate,
)
from benchmarks.papers.methods.published import convolution_error, mass_by_convolution, mass_by_sampling, sampling_error
from benchmarks.papers.methods.synthetic_histogram import halfspaces, intervals
from core.cells import CrossTable
from core.mechanisms.exponential.sensitivity import global_sensitivity
from core.samplers.reproducible import Reproducible


def agrees(value: float, printed: str) -> bool:
    """To every printed digit."""
    mantissa, _, power = printed.partition("e")
    unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return abs(value - float(printed)) <= 0.5001 * unit


def hellinger(data: Data) -> float:
    return exponential_mean(data, smooth_rate(data))


@pytest.mark.parametrize(("prior", "counts", "distance", "of_exponential", "of_laplace"), notes.PRINTED)
def test_both_columns_of_the_printed_tables_come_out_to_every_digit(
    prior: tuple[float, ...], counts: tuple[int, ...], distance: str, of_exponential: str, of_laplace: str
) -> None:
    at = candidate_distances(Data(prior, counts, 0.8, 5e-4))
    nearest = at[np.abs(at - float(distance)).argmin()]
    same = np.abs(at - nearest) < 1e-12
    assert agrees(float(nearest), distance)
    assert agrees(float(notes.printed_exponential(prior, counts)[same].sum()), of_exponential)
    assert agrees(float(notes.printed_laplace(counts)[same].sum()), of_laplace)


def test_the_notes_tables_show_other_mechanisms_than_they_define() -> None:
    """The digits depend on the floor of the signed variable, on the factor 2, and on clipping."""
    data = Data((1.0, 1.0), (4, 4), 0.8, 5e-4)
    assert not agrees(float(laplace_of_candidates(data, 2.5)[4]), "0.329679953964")
    assert not agrees(float(exponential(data, local_rate(data)).probabilities[0]), "0.37924298484")


def test_the_printed_gammas_and_sensitivities_of_figure_4() -> None:
    for n, gamma in ((100, "0.0699407108115"), (120, "0.0677791100173")):
        assert agrees(math.log1p(0.8 / (2 * math.log(2 * n / 0.8))), gamma)
    assert global_sensitivity(np.array([7.0, 4.0, 5.0]), 100) == pytest.approx(0.23362948070887515, rel=1e-13)


@pytest.mark.parametrize(
    ("m", "n", "ours", "theirs"),
    [(2, 10, 0.4145, 0.4228), (2, 12, 0.4330, 0.4029), (3, 12, 0.6330, 0.6377), (3, 15, 0.6679, 0.6178)],
)
def test_figure_6_of_the_notes_around_its_crossovers(m: int, n: int, ours: float, theirs: float) -> None:
    data = notes.uniform(n, m)
    assert hellinger(data) == pytest.approx(ours, abs=5e-5)
    assert laplace_mean(data, 2.5) == pytest.approx(theirs, abs=5e-5)


def test_figure_6_to_the_record() -> None:
    assert notes.first_loss(2, most=20) == 11
    assert notes.first_loss(3, most=20) == 13


def test_figure_9_of_the_notes_and_figure_3_of_the_abstract() -> None:
    for delta, crossing in ((5e-4, 4.279), (1e-8, 6.336)):
        below, above = (Data((crossing + step,) * 3, (5, 5, 5), 0.8, delta) for step in (-1e-3, 1e-3))
        assert hellinger(below) > laplace_mean(below, 2.5)
        assert hellinger(above) < laplace_mean(above, 2.5)


def test_figure_11_of_the_notes() -> None:
    assert notes.concrete_loss(90) == pytest.approx(0.4254, abs=5e-5)
    assert notes.concrete_loss(180) == pytest.approx(0.4180, abs=5e-5)
    assert notes.concrete_loss(90, 1.0) > 0.8


@pytest.mark.parametrize(("parts", "crossing"), [(abstract.ONES, 1646), (abstract.EVEN, 450)])
def test_figure_1_of_the_abstract_crosses_elsewhere_than_it_says(parts: tuple[float, ...], crossing: int) -> None:
    """Laplace wins one record earlier, and the mechanism from there on; with 10 % ones neither crossover is at 650."""
    assert abstract.crossover(parts, crossing - 2, crossing + 40) == crossing
    data = abstract.data_at(660, abstract.ONES)
    assert hellinger(data) == pytest.approx(0.73, abs=5e-3)
    assert laplace_mean(data, 2.5) == pytest.approx(0.11, abs=5e-3)


@pytest.mark.parametrize(("ones", "crossing"), [(lambda n: n // 10, 1650), (lambda n: -(-n // 10), 1641)])
def test_figure_1_of_the_abstract_depends_on_how_a_tenth_is_rounded(ones: Callable[[int], int], crossing: int) -> None:
    assert abstract.crossover(abstract.ONES, crossing - 2, crossing + 40, ones) == crossing


def test_figures_1b_and_2_of_the_abstract_at_14_000_records() -> None:
    two, three = abstract.data_at(14_000, abstract.ONES), abstract.data_at(14_000, abstract.THREE)
    assert hellinger(two) == pytest.approx(0.0243, abs=5e-5)
    assert laplace_mean(two, 2.5) == pytest.approx(0.0252, abs=5e-5)
    assert laplace_mean(two, 1.25) == pytest.approx(0.0131, abs=5e-5)
    assert hellinger(three) == pytest.approx(0.0432, abs=5e-5)
    assert laplace_mean(three, 2.5) == pytest.approx(0.0305, abs=5e-5)
    assert exponential_mean(three, smooth_rate(three, 1.0)) == pytest.approx(0.0212, abs=5e-5)


def test_figures_3_and_4_of_the_notes_at_even_data() -> None:
    two, three = notes.FOUR_SETTINGS[0][1], notes.FOUR_SETTINGS[2][1]
    assert hellinger(two) == pytest.approx(0.216, abs=5e-4)
    assert laplace_mean(two, 4.0) == pytest.approx(0.156, abs=5e-4)
    assert laplace_mean(three, 2.5) == pytest.approx(0.307, abs=1e-3)
    assert exponential_mean(three, smooth_rate(three, 1.0)) < laplace_mean(three, 2.5) < hellinger(three)


def test_the_engine_gives_what_enumeration_gives() -> None:
    data = abstract.data_at(700, abstract.THREE)
    assert exponential_mean(data, smooth_rate(data)) == pytest.approx(
        abstract.enumerated_mean(data, smooth_rate(data)), rel=1e-12
    )


def test_the_loss_of_posterior_sampling_is_within_its_bound_and_nearly_meets_it() -> None:
    """Against incomplete betas where their difference can be taken."""
    from scipy import special

    for tau in (0.05, 0.2, 0.4):
        bound = 2 * math.log((1 - tau) / tau)
        assert 0.5 * bound < article.sampling_loss((1.0, 2.0), 12, tau) <= bound
        masses = article.log_truncated_masses((0.7, 2.0), 12, tau)
        for k in range(13):
            a, b = 0.7 + k, 2.0 + 12 - k
            exact = special.betaln(a, b) + math.log(special.betainc(a, b, 1 - tau) - special.betainc(a, b, tau))
            assert masses[k] == pytest.approx(exact, abs=1e-10)
    assert article.sampling_loss((1.0, 1.0), 100, article.sampling_threshold((1.0, 1.0), 100, 0.8)) == pytest.approx(
        0.8, abs=1e-6
    )


def test_scores_are_compared_at_the_same_exact_loss() -> None:
    """The theorem's rate stays within ε, and the exact rate attains it; with Wasserstein-1 the probabilities fall
    geometrically.
    """
    for name, scores in questions.score_matrices(12, (1.0, 1.0)).items():
        assert questions.worst_loss(scores, 0.8 / (2 * questions.sensitivity(scores))) <= 0.8 + 1e-9, name
        assert questions.worst_loss(scores, questions.exact_rate(scores, 0.8)) == pytest.approx(0.8, abs=1e-8)
    wasserstein = questions.score_matrices(12, (1.0, 1.0))["Wasserstein-1"]
    ratios = questions.channel(wasserstein, 10.0)[0]
    assert ratios[1:] / ratios[:-1] == pytest.approx(np.full(12, math.exp(-10.0 / 14)))


def test_a_divergence_as_a_score_runs_through_the_engine() -> None:
    """KL factors over categories: the engine's mean against that of the enumerated channel."""
    data, rate = Data((1.0, 1.0), (7, 5), 0.8, 5e-4), 1.7
    row = questions.channel(questions.score_matrices(12, (1.0, 1.0))["KL(true ‖ r)"], rate)[7]
    distances = questions.score_matrices(12, (1.0, 1.0))["Hellinger H"][7]
    assert questions.factored_mean(data.prior, data.counts, 1.0, rate) == pytest.approx(
        float(row @ distances), rel=1e-7
    )


def test_a_history_answers_more_queries_than_fresh_noise() -> None:
    inferred = queries.run("ranges", 50.0, infer=True, pairs=True)
    fresh = queries.run("ranges", 50.0, infer=False, pairs=False)
    assert inferred.answered > fresh.answered
    assert inferred.spent <= queries.BUDGET
    assert fresh.free == 0


@pytest.mark.parametrize("data", [notes.FOUR_SETTINGS[0][1], notes.FOUR_SETTINGS[2][1]], ids=["two", "three"])
def test_simplex_geometric_noise_stands_in_the_box_plots_with_the_mean_of_the_tables(data: Data) -> None:
    law = notes.four_mechanisms(data)["geometric"]
    assert law.probabilities.sum() == pytest.approx(1.0)
    assert law.mean == pytest.approx(geometric_mean(data), rel=1e-9)


def test_the_vc_dimensions_of_the_classes_and_the_sizes_of_the_lemma() -> None:
    assert article.vc_dimension(intervals(6), 6) == 2
    assert article.vc_dimension(halfspaces(CrossTable((3, 3))), 9) == 3
    assert article.vc_dimension((frozenset({0, 5}), frozenset({1, 2})), 6) == 1
    size = article.uniform_convergence_size(2, 0.2)
    bounds = [2 * (math.e * k / 2) ** 2 * math.exp(-(0.2**2) * k / 8) for k in (size - 1, size)]
    assert bounds[0] >= 1 > bounds[1]


def test_the_mass_functions_of_xiao_and_xiong_are_off_by_what_their_theorems_say() -> None:
    """The mean is that of the corollary; the lost mass is below the bound, and rounding each noise causes a larger
    error.
    """
    exact = queries.exact_mass(400)
    assert exact.sum() == pytest.approx(1.0, abs=1e-12)
    draws = Reproducible(3)
    errors = [queries.squared_error(mass_by_sampling(queries.SCALES, 1000, draws), exact) for _ in range(400)]
    assert np.mean(errors) == pytest.approx(sampling_error(exact, 1000), rel=0.05)
    convolved = mass_by_convolution(queries.SCALES, 1e-10)
    assert 0 < 1 - convolved.sum() <= convolution_error(queries.SCALES, 1e-10)
    assert queries.squared_error(convolved, queries.exact_mass(convolved.size // 2)) > 1e-9


def test_every_mechanism_looks_different_without_colour_too() -> None:
    assert len({(style.dash, style.marker) for style in STYLES.values()}) == len(STYLES)
    assert len({style.colour for style in STYLES.values()}) == len(STYLES)
