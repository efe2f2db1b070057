"""Counts the findings of two published tables that survive at ε = 1: from all pairs, from all triples, and from one full
release.

    python -m benchmarks.margins_findings [--write]

A finding compares two levels of an attribute by the share with the outcome, over the whole table or within one level
of another attribute. It is one of the table's findings if its 95 % interval leaves out 0. It survives a noisy table if
the interval from the estimates leaves it out too, on the same side. Intervals are those of Agresti and Caffo (2000):
one record with and one without the outcome are added to each group. From noisy tables, the variance of the noise is
added; it is that of 200 draws. The same draws, added to the exact table, are the noisy tables. Draws are seeded.

`--write` puts the table and the pictures into docs/explanation.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.margins.allotment import Allotment, Amount, Workload, allot
from core.mechanisms.margins import Margin, cells_of, margins_of, rehearse
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from core.samplers.entropy import SeededEntropy
from service.pictures.forest import Section, forest
from service.pictures.frame import PictureHeader
from service.pictures.rows import Row

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs" / "explanation"
PAGE: Final = DOCS / "margins.md"
DRAWS: Final = 200
SEED: Final = 20261127
Z: Final = 1.959963984540054
AMOUNTS: Final[dict[str, Amount]] = {
    "ε = 1": Epsilon.parse("1"),
    "ε = 1, δ = 10⁻⁶": Rho.parse("0.024355970359"),
}
"""The rho is the largest that implies ε = 1 at δ = 1e-6."""
PAIRS, TRIPLES, FULL = "all pairs", "all triples", "one full release"


class Attribute(NamedTuple):
    name: str
    levels: list[str]


@dataclass(frozen=True)
class Table:
    """A published table, and the outcome whose share is compared."""

    key: str
    title: str
    attributes: list[Attribute]
    counts: NDArray[np.int64]
    outcome: int
    level: int
    shown: tuple[list[Finding], list[Finding]]
    """What the picture shows: findings of pairs, and findings of triples."""

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(each.levels) for each in self.attributes)

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    def exact(self, margin: Margin) -> NDArray[np.float64]:
        return margins_of(self.counts, self.sizes, frozenset(), [margin])[0].astype(np.float64)

    def findings(self, *, within_levels: bool) -> list[Finding]:
        """Return all comparisons of pairs, or of triples."""
        others = [each for each in range(len(self.sizes)) if each != self.outcome]
        found = []
        for attribute in others:
            for first, second in combinations(range(self.sizes[attribute]), 2):
                if not within_levels:
                    found.append(Finding(attribute, first, second))
                else:
                    found += [
                        Finding(attribute, first, second, other, level)
                        for other in others
                        if other != attribute
                        for level in range(self.sizes[other])
                    ]
        return found


class Finding(NamedTuple):
    """A comparison of the share with the outcome between two levels, within one level of another attribute or not."""

    attribute: int
    first: int
    second: int
    within: int | None = None
    level: int = 0

    def margin(self, table: Table) -> Margin:
        return tuple(sorted({self.attribute, table.outcome} | ({self.within} if self.within is not None else set())))

    def name(self, table: Table) -> str:
        attribute = table.attributes[self.attribute]
        said = f"{attribute.levels[self.second]} less {attribute.levels[self.first]}"
        if set(attribute.levels) == {"yes", "no"}:
            return f"{attribute.name}: yes less no"
        return said

    def groups(self, table: Table, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the counts with the outcome and in all of both groups, shape (…, 2, 2); `cells` has leading axes for
        draws.
        """
        margin = self.margin(table)
        axes = cells.ndim - len(margin)
        picked = np.moveaxis(cells, axes + margin.index(table.outcome), -1)
        left = [each for each in margin if each != table.outcome]
        if self.within is not None:
            picked = np.take(picked, self.level, axis=axes + left.index(self.within))
        picked = np.moveaxis(picked, axes, -2)[..., [self.second, self.first], :]
        return np.stack((picked[..., table.level], picked.sum(axis=-1)), axis=-1)


class Contrast(NamedTuple):
    """Differences of shares, and their standard errors; nan if a group is too small to tell."""

    difference: NDArray[np.float64]
    error: NDArray[np.float64]

    @property
    def sign(self) -> NDArray[np.float64]:
        """Return the sign of each difference if its interval leaves out 0, otherwise 0."""
        return np.where(np.abs(self.difference) > Z * self.error, np.sign(self.difference), 0.0)


def contrast(groups: NDArray[np.float64], noise: NDArray[np.float64] | None = None) -> Contrast:
    """Compare two groups, shape (…, 2, 2) as `groups` returns them. `noise` are draws of their errors, shape (draws, 2,
    2).
    """
    sizes = np.maximum(groups[..., 1], 0.0) + 2.0
    shares = np.clip((groups[..., 0] + 1.0) / sizes, 0.0, 1.0)
    variance = (shares * (1.0 - shares) / sizes).sum(axis=-1)
    if noise is not None:
        # The change of a share is linear in that of both counts.
        spread = np.cov(noise.reshape(len(noise), 4), rowvar=False)
        slopes = np.stack((1.0 / sizes, -shares / sizes), axis=-1) * np.array([[1.0], [-1.0]])
        flat = slopes.reshape(*slopes.shape[:-2], 4)
        variance = variance + np.einsum("...i,ij,...j->...", flat, spread, flat)
    return Contrast(shares[..., 0] - shares[..., 1], np.sqrt(variance))


class Noisy(NamedTuple):
    """Errors of the estimates of each wanted margin, shape (draws, levels …), and how they were measured."""

    allotment: Allotment
    errors: dict[Margin, NDArray[np.float64]]
    half_widths: dict[Margin, float]

    def contrast(self, table: Table, finding: Finding) -> Contrast:
        """Compare two groups in each of the noisy tables."""
        margin = finding.margin(table)
        errors = self.errors[margin]
        return contrast(finding.groups(table, table.exact(margin) + errors), finding.groups(table, errors))


def chosen_margins(table: Table, size: int) -> tuple[Margin, ...]:
    return tuple(combinations(range(len(table.sizes)), size))


def allotment_of(table: Table, way: str, amount: Amount) -> Allotment:
    size = 2 if way == PAIRS else 3
    margins = chosen_margins(table, size)
    workload = Workload(table.sizes, margins, (1.0,) * len(margins), NeighbourRelation.REPLACE_ONE)
    return allot(workload, amount, among=[workload.whole] if way == FULL else None)


def noisy(table: Table, way: str, amount: Amount, draws: int) -> Noisy:
    """Draw the errors of the estimates: of pairs, and of triples if they were asked for."""
    allotment = allotment_of(table, way, amount)
    event = allotment.event(table.n, Delta.parse("1e-6") if isinstance(amount, Rho) else Delta(0))
    wanted = [*chosen_margins(table, 2), *(chosen_margins(table, 3) if way != PAIRS else ())]
    combination = allotment.combination
    exact = [table.exact(margin) for margin in wanted]
    found: list[list[NDArray[np.float64]]] = [[] for _ in wanted]
    for draw in range(draws):
        measured = rehearse(table.counts, event, SeededEntropy(SEED + draw))
        for place, estimate in enumerate(combination.estimates(measured, table.n, wanted)):
            found[place].append(estimate - exact[place])
    widths = combination.half_widths(wanted, 0.95)
    return Noisy(
        allotment,
        {margin: np.array(each) for margin, each in zip(wanted, found, strict=True)},
        dict(zip(wanted, widths, strict=True)),
    )


def table_of(key: str) -> Table:
    if key == "chile":
        path, name = ROOT / "service" / "cli" / "demo" / "published_tables.json", "chile_1988"
        text = json.loads(path.read_text(encoding="utf-8"))[name]
        shown = (
            [Finding(1, 0, 1), Finding(2, 0, 3), Finding(3, 0, 2), Finding(0, 2, 4)],
            [Finding(1, 0, 1, 3, level) for level in range(3)],
        )
        outcome, level = 4, 0
    else:
        text = json.loads((ROOT / "benchmarks" / "workplace_smoking.json").read_text(encoding="utf-8"))
        shown = (
            [Finding(1, 0, 1), Finding(2, 0, 4), Finding(4, 0, 1), Finding(6, 0, 1)],
            [Finding(1, 0, 1, 2, level) for level in range(5)],
        )
        outcome, level = 0, 1
    (counts,) = text["counts"].values()
    attributes = [Attribute(each["name"], each["levels"]) for each in text["attributes"]]
    return Table(key, text["title"], attributes, np.array(counts), outcome, level, shown)


def exact_sign(table: Table, finding: Finding) -> float:
    """Return the sign of a finding of the exact table, or 0 if its interval contains 0."""
    return float(contrast(finding.groups(table, table.exact(finding.margin(table)))).sign)


def survival(table: Table, found: Noisy, findings: Sequence[Finding]) -> tuple[float, float]:
    """Return the mean numbers of findings that survive, and of others that are reported: the exact table does not have
    them, or has the opposite.
    """
    kept = others = 0.0
    for finding in findings:
        true, signs = exact_sign(table, finding), found.contrast(table, finding).sign
        if true:
            kept += float(np.mean(signs == true))
            others += float(np.mean(signs == -true))
        else:
            others += float(np.mean(signs != 0.0))
    return kept, others


def planned(table: Table, amount: str, way: str, found: Noisy) -> str:
    """Return the beginning of the line of a way: the amount, the number of measured margins and the half widths."""
    sizes = (2,) if way == PAIRS else (2, 3)
    widths = [f"{np.median([found.half_widths[each] for each in chosen_margins(table, size)]):.1f}" for size in sizes]
    return f"| {amount} | {way} | {len(found.allotment.margins)} | {' | '.join(widths)} |"


def row(table: Table, amount: str, way: str, found: Noisy) -> str:
    """Return the line of a way to spend an amount on a table."""
    if way == PAIRS:
        return f"{planned(table, amount, way, found)}  | {_numbers(table, found, within_levels=False)} | | |"
    both = (_numbers(table, found, within_levels=within) for within in (False, True))
    return f"{planned(table, amount, way, found)} {' | '.join(both)} |"


def _numbers(table: Table, found: Noisy, *, within_levels: bool) -> str:
    return " | ".join(f"{each:.1f}" for each in survival(table, found, table.findings(within_levels=within_levels)))


def heading(table: Table) -> list[str]:
    """Return the heading of a table, with the numbers of findings and of comparisons."""
    said = []
    for what, within in (("pairs", False), ("triples", True)):
        findings = table.findings(within_levels=within)
        number = sum(exact_sign(table, each) != 0 for each in findings)
        said.append(f"{number} findings in {len(findings)} comparisons of {what} | Other reports")
    return [
        f"| Amount | Release | Margins | Half width, pairs | Half width, triples | {said[0]} | {said[1]} |",
        "|---|---|---|---|---|---|---|---|---|",
    ]


def tables(table: Table, draws: int = DRAWS) -> str:
    """Return the results of a published table in Markdown."""
    rows = [
        row(table, name, way, noisy(table, way, amount, draws))
        for name, amount in AMOUNTS.items()
        for way in (PAIRS, TRIPLES, FULL)
    ]
    return "\n".join([*heading(table), *rows]) + "\n\n"


def pictures(table: Table) -> dict[str, str]:
    """Return the pictures of the first draw by their file names."""
    of_pairs, of_triples = table.shown
    name, amount = list(AMOUNTS.items())[1]
    found = {way: noisy(table, way, amount, DRAWS) for way in (PAIRS, TRIPLES, FULL)}
    outcome = table.attributes[table.outcome]
    said = f"difference of the share with {outcome.name}: {outcome.levels[table.level]}"
    sections = [Section("difference", said, _comparison_rows(table, of_pairs, found))]
    strata = of_triples[0]
    assert strata.within is not None
    title = f"{strata.name(table)} by {table.attributes[strata.within].name}: {said}"
    sections.append(
        Section("difference", title, _comparison_rows(table, of_triples, {way: found[way] for way in (TRIPLES, FULL)}))
    )
    head = PictureHeader(f"{table.title}, at {name}", is_drawn=False)
    return {f"{table.key}-findings.svg": forest(head, sections, 0.95).document()}


def _comparison_rows(table: Table, findings: Sequence[Finding], found: dict[str, Noisy]) -> list[Row]:
    """Return for each finding a row without noise, and one for each way."""
    rows = []
    for finding in findings:
        exact = contrast(finding.groups(table, table.exact(finding.margin(table))))
        drawn = [(_label(table, finding), float(exact.difference), float(exact.error))]
        for way, each in found.items():
            seen = each.contrast(table, finding)
            drawn.append((way, float(seen.difference[0]), float(seen.error[0])))
        rows += [
            Row(label, middle, (middle - Z * error, middle + Z * error), is_summary=number == 0)
            for number, (label, middle, error) in enumerate(drawn)
        ]
    return rows


def _label(table: Table, finding: Finding) -> str:
    if finding.within is None:
        return finding.name(table)
    return table.attributes[finding.within].levels[finding.level]


def with_results(page: str, key: str, results: str) -> str:
    """Return the page with these results between the marks of a table."""
    before, begin, rest = page.partition(f"<!-- {key}: made by benchmarks.margins_findings -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{begin}\n{results}{end}{after}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    arguments.add_argument("--write", action="store_true", help="write tables and pictures to docs/explanation")
    write = arguments.parse_args().write
    for key in ("chile", "smoking"):
        started = time.process_time()
        table = table_of(key)
        results = tables(table)
        print(f"{table.title}; {cells_of(table.sizes, tuple(range(len(table.sizes))))} cells\n\n{results}")
        if write:
            PAGE.write_text(with_results(PAGE.read_text(encoding="utf-8"), key, results), encoding="utf-8")
            for name, document in pictures(table).items():
                (DOCS / name).write_text(document, encoding="utf-8")
        print(f"{time.process_time() - started:.1f} s\n", flush=True)


if __name__ == "__main__":
    main()
