"""Writes the page of the papers, with the verdicts as a table, the slips of the sources, and the report of all parts."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.papers.report import Part, Table, number

SOURCES = {
    "notes": '"Notes of DP - Bayesian Inference" (long and short version)',
    "abstract": '"Tailoring Differentially Private Bayesian Inference to Distance Between Distributions" (Bun, Gaboardi, Farina, Liu)',
    "article": '"Exponential mechanism" (encyclopedia article)',
    "queries": '"Bayesian Inference under Differential Privacy" (Xiao and Xiong)',
    "questions": "What the sources left open",
}

INTRODUCTION = """# The papers, reproduced and answered

The papers behind this project support their claims with figures whose data are lost. [The report](../papers/report.md) repeats each of their experiments with the project's own `core`. Where the papers averaged runs, it computes the exact expectation. `make papers` writes this page, the report and its figures.

**How to read them.** The error of a release is the Hellinger distance H between the released and the true posterior, from 0 (the same) to 1. Expectations are exact to the digits shown, unless a number of runs is stated.

| Name | Mechanism |
|---|---|
| as defined | definition 2.1 and theorem 4.1: weights exp(−εH/2S), with the smooth sensitivity S at the printed γ. Sections 3.3 and 3.4 of the notes, and the tables, omit the factor 2. That is another mechanism, with a loss above ε |
| exact loss ε | the printed γ, and the rate at which the whole channel has the loss ε with δ = 0, if the channel can be evaluated |
| calibrated here | this project's calibration at (ε, δ), which also chooses γ. Its loss is certified on the whole channel or, if that is too large, by theorem |
| Laplace | the papers' noise of scale 2/ε; at two categories 1/ε has the same proven ε |
| simplex geometric | the mechanism that this service recommends. At two categories, and if there are few histograms, with the Bayes remap |
"""

REPORT = """# Every experiment of the papers, run again

[The papers](../explanation/papers.md) says how to read this report, and has its results in one table. `make papers` writes both.
"""

Key = tuple[str, str]


def verdicts(parts: Mapping[Key, Part]) -> Table:
    """The claims in one table, with numbers from the parts."""

    def of(source: str, name: str) -> dict[str, float]:
        return parts[source, name].numbers

    sizes, dims, small, large, three = (
        of("notes", "sizes"),
        of("notes", "dimensions"),
        of("abstract", "first"),
        of("abstract", "second"),
        of("abstract", "third"),
    )
    loss = of("notes", "concrete")
    losing = ", ".join(f"{n:g}" for n in dims.values())
    rows = [
        [
            "notes, tables 3.4.1",
            "near candidates get more probability at n = 8",
            "reproduced to every digit, but for other mechanisms than the text defines",
        ],
        [
            "notes, fig. 6",
            "wins below n = 12 (m = 2), 15 (m = 3)",
            f"holds if the categories divide n; otherwise it loses from {sizes['m=2']:g} and {sizes['m=3']:g} on",
        ],
        [
            "notes, fig. 7",
            "dimension matters little",
            f"holds: it loses from n = {losing} on at m = 2, 3, 4, 5",
        ],
        [
            "notes, fig. 9",
            "wins from some prior on, data (5, 5, 5)",
            f"holds: from {of('notes', 'priors')['crossing']:.2f} each (δ = 5e−4)",
        ],
        ["abstract, fig. 3", "the same at δ = 1e−8", f"holds: from {of('abstract', 'fourth')['crossing']:.2f} each"],
        [
            "abstract, fig. 1(a)",
            "10 % ones: wins above n = 650",
            f"false: {number(small['hellinger at 660'], 2)} against {number(small['laplace at 660'], 2)} at 660; from n = {small['10 % ones']:g} on, for even data from {small['even']:g}",
        ],
        [
            "abstract, fig. 1(b)",
            "wins at 14 000 to 20 000",
            f"by 4 % ({large['hellinger']:.4f}, {large['laplace']:.4f}), as Laplace runs at twice the scale it needs: {large['laplace_1']:.4f} at 1/ε",
        ],
        [
            "abstract, fig. 2",
            "the same at m = 3",
            f"false: {three['hellinger']:.4f} against {three['laplace']:.4f} at 14 000; without the factor 2, so at another ε, {three['without_2']:.4f}",
        ],
        [
            "notes, fig. 3 and 4",
            "slightly better than Laplace",
            "false for even data; reversed without the factor 2; the captions of figure 4 fit no data",
        ],
        [
            "notes, fig. 11",
            "concrete loss below 0.8",
            f"holds: {loss['n=90']:.4f} at n = 90 to {loss['n=180']:.4f} at n = 180",
        ],
    ]
    return Table(["source", "claim", "true"], rows)


SLIPS = [
    (
        "abstract, 3",
        "adjacent: Σ[x_i = x'_i] ≤ 1",
        "Σ[x_i ≠ x'_i] ≤ 1",
        "as printed, data sets that agree nowhere are adjacent",
    ),
    (
        "abstract, 2",
        "beta density with exponents α, β",
        "α − 1, β − 1",
        "as printed it is the density of beta(α + 1, β + 1), and B(α, β) does not normalise it",
    ),
    ("notes, 1", "Dirichlet density with exponents α_i", "α_i − 1", "as printed it is DL(α + 1)"),
    ("abstract, 4", "|R| = C(n+1, m−1)", "C(n+m−1, m−1)", "n = 2, m = 3: 3 against the 6 that one can list"),
    (
        "abstract, thm 4.1",
        "γ has n + 1 for every m",
        "|R| candidates",
        "the union bound of the proof is over |R|; the proof also drops the normaliser (docs/explanation/privacy-proofs.md)",
    ),
    (
        "notes, 2.3.1",
        "two candidates at each distance, P[z = r] ∝ H",
        "P ∝ exp(−εH/2S); H is symmetric for even beta posteriors only",
        "data (1, 9): all distances differ",
    ),
    (
        "notes, 2.3.3",
        "ratio for λ < 0 'at most ε/2'",
        "at most e^{ε/2}",
        "a ratio of probabilities is compared with a logarithm",
    ),
    (
        "notes, 3.1",
        "⌊Lap⌋ in the text, ⌊|Lap|⌋ in the law",
        "⌊Lap⌋ has mean −½",
        "P(⌊Lap⌋ = 0) = (1 − q)/2 and not 1 − q; table 3.4.1 is of ⌊|Lap|⌋",
    ),
    ("notes, 3.3, 3.4", "exp(−εH/S)", "exp(−εH/2S)", "its exact loss at n = 8, ε = 0.8, δ = 1e−8 is 0.9966"),
    (
        "notes, 3.4.1",
        "tables of the mechanism M_H",
        "exp(−εH/Δ(c)): local sensitivity, no factor 2",
        "the tables reproduce to every digit so, and only so",
    ),
    (
        "notes, 3.4.1",
        "second table: beta(21, 21), x = (20, 20)",
        "DL(21, 21, 21), x = (20, 20, 20)",
        "0.9999999845 is H between DL(21,21,21) and DL(61,1,1)",
    ),
    (
        "notes, 3.4.1",
        "DL(5,5,5) and DL(3,5,4) are one step from DL(5,5,5)",
        "0 steps, and not of the same total",
        "sums: 15 and 12",
    ),
    (
        "notes, 3.4.2",
        "accuracy improves when sensitivity goes larger",
        "smaller",
        "figure 1; the next sentence of the notes",
    ),
    (
        "notes, fig. 4",
        "global sensitivity 0.239992747797",
        "0.233629480709 at n = 100",
        "H(DL(7,4,5), DL(8,3,5)): the data would need a count of −1",
    ),
    ("notes, fig. 4", "γ with 2n", "2(n + 1) in the text", "0.0699407108115 = ln(1 + 0.8/(2 ln(200/0.8)))"),
    (
        "notes, fig. 4",
        "sensitivities 0.08 (local), 0.09 (smooth)",
        "no data have both",
        "search over all 5 151 histograms",
    ),
    (
        "notes, fig. 4, 5",
        "(0.8, 0.8)-DP",
        "δ = 0.8 promises next to nothing",
        "publishing everything with probability 0.8 satisfies it",
    ),
    (
        "abstract, fig. 1",
        "heading: balanced data; text: 10 % ones",
        "–",
        "both are drawn above; neither crosses at 650",
    ),
    (
        "abstract, eq. 1",
        "d is the ℓ₁ distance between histograms",
        "number of replaced records: half of it",
        "notes, definition 2.1; readings in the table of figure 1(a)",
    ),
    (
        "article, Accuracy",
        "E[q] ≥ OPT − 3t",
        "needs q ≥ 0 and OPT > 0",
        "for the papers' own score −H, OPT = 0: ln(OPT/…) does not exist",
    ),
    (
        "article, Definition",
        "E_q^ε is 2εΔq-private, later 'ε n GS_q'",
        "both right, for weights e^{εq} and e^{εnq/2}",
        "ε stands for two things",
    ),
    (
        "Xiao, Xiong, 5.2",
        "symmetric, so the midpoint has the highest probability",
        "symmetric and unimodal",
        "½(δ₋₁ + δ₁) is symmetric; sums of Laplace noises are unimodal because they are log-concave",
    ),
    (
        "Xiao, Xiong, 4.2.1",
        "errors of the histogram's bins added as if independent",
        "they sum to zero",
        "frequencies sum to one: covariance −u_i u_j/N",
    ),
    (
        "Xiao, Xiong, thm 5.2",
        "parallel composition costs the maximum",
        "only for neighbours by adding or removing",
        "replacing a record changes two parts: the costs of the two most expensive parts add up",
    ),
]


def page(parts: Mapping[Key, Part]) -> str:
    """The page: how to read the report, the claims, and where the slips of the sources are."""
    slips = f"[A table](../papers/slips.csv) has {len(SLIPS)} slips of the sources: what is printed, what is true, and how to see it."
    return "\n\n".join([INTRODUCTION.rstrip(), "## The claims in one table", verdicts(parts).markdown(), slips]) + "\n"


def slips_table() -> Table:
    return Table(["where", "printed", "true", "how to see it"], SLIPS)


def report(parts: Mapping[Key, Part]) -> str:
    """The report: every part, by its source."""
    blocks = [REPORT.rstrip()]
    for source, title in SOURCES.items():
        blocks.append(f"## {title}")
        blocks += [part.markdown() for (of, _), part in parts.items() if of == source]
    return "\n\n".join(blocks) + "\n"
