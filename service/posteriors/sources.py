"""The sources of a posterior: releases of one data set, or a noisy table that somebody published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeAlias

from sqlalchemy import Connection

from core.inference.counts import MAX_ENTRIES_OF_A_TABLE, InferenceError
from core.inference.likelihood import unavailable_reason
from core.inference.product_counts import check_unknown_total, noise_radius
from core.inference.published import PublishedCell
from core.inference.share_nodes import MOST_TOTALS
from core.inference.sources import MOST_ROWS, Source, source_of_releases
from core.mechanisms.blocks import BlockMargin
from core.mechanisms.catalogue import TableEvent, likelihood_of
from core.mechanisms.mechanism import NoiseOnCounts
from service.errors import InvalidRequest, NotSupported, error_location
from service.posteriors.doubts import contradicted_noise
from service.posteriors.priors import by_cell, is_by_piece
from service.posteriors.read_releases import ReadRelease, get_release
from service.posteriors.read_tables import ReadTable, read
from service.principals.auth import Caller
from service.runtime.key_file import InstalledKeys
from service.schemas import posteriors as schema
from service.schemas.cell_names import CellNames
from service.schemas.priors import EachPrior
from service.schemas.tables import TableSource

Given: TypeAlias = list[ReadRelease] | ReadTable
"""The sources of one posterior, read."""
Prior: TypeAlias = EachPrior | list[float] | None
_SECONDS_OF_REQUEST: Final = 2.0
_WIDE_RELEASE_FROM: Final = 2_800
"""Number of possible counts of a cell of a release, from which shares at a private number of records are slow."""
_MIN_WIDE_ENTRIES: Final = 1_400
"""Number of possible counts of a cell of a table, from which quadrature for shares at an unknown total is slow."""
_SECONDS_OF_WIDE_SHARE: Final = 3.0
_FEW_CELLS: Final = 30
"""Number of cells up to which shares at an unknown total may be computed one by one."""
_SECONDS_OF_CONTRAST: Final = 0.3
_SECONDS_OF_STRATUM: Final = 5e-5
"""Seconds of the joint draws of a stratum, for each count within the reach of the noise, under both priors."""
_SECONDS_OF_SHARE: Final = 0.08
_SECONDS_OF_COUNT: Final = 0.0004
"""Seconds of one share, and of each possible count of its cell, under both priors."""
_SECONDS_OF_PAIR: Final = 1.6e-6
"""Seconds of each pair of a total and a count, under both priors, where a bound cuts the totals off."""
_MOST_SETS: Final = 100
"""Number of labels of a margin of blocks whose posteriors, one each, take a second."""
_MIN_STRONG_PRIOR: Final = 1000.0
"""Smallest concentration at which a mixture of independent counts is likely to be needed."""


def read_sources(
    connection: Connection,
    caller: Caller,
    sources: Sequence[schema.Source],
    keys: InstalledKeys,
    *,
    named: bool = False,
) -> Given:
    """Return the sources. `named`: releases have the name of their data set as title, if the caller may see it.

    Raises InvalidRequest at `sources`, and the errors of `get_release`.
    """
    table, releases = table_of(sources), []
    if table is not None:
        return table
    for index, each in enumerate(sources):
        assert isinstance(each, schema.ReleaseSource), "a table stands alone"
        with error_location(f"sources[{index}]"):
            releases.append(get_release(connection, caller, each.release_id, keys, each.margin, named=named))
    return releases


def table_of(sources: Sequence[schema.Source]) -> ReadTable | None:
    """Return the noisy table, or None if the sources are releases. Raises InvalidRequest at `sources`."""
    if not isinstance(sources[0], TableSource):
        return None
    with error_location("sources[0]"):
        return read(sources[0])


def names_of(given: Given) -> CellNames:
    """Return the names that callers use for the cells."""
    return given.names if isinstance(given, ReadTable) else given[0].names


def ids_of(given: Given) -> list[str]:
    """Return the ids of the releases."""
    return [] if isinstance(given, ReadTable) else [each.id for each in given]


def check_sources(given: Given, prior: Prior) -> None:
    """Raise InvalidRequest if the releases can't be multiplied, or the posterior of a table takes too long."""
    if isinstance(given, ReadTable):
        if not isinstance(given.total, int):
            try:
                check_unknown_total(by_cell(prior, given.names))
            except InferenceError as error:
                raise InvalidRequest.at("sources[0].total", str(error)) from None
        return
    first = given[0]
    if len({release.id for release in given}) != len(given):
        raise InvalidRequest.at("sources", "must name each release once")
    if any(release.dataset_id != first.dataset_id for release in given):
        raise InvalidRequest.at("sources", "must be releases of one data set")
    check_cells(given)


def check_cells(releases: Sequence[ReadRelease]) -> None:
    """Raise InvalidRequest unless the noisy tables have the same cells: margins of one data set can differ."""
    first = releases[0]
    if any(each.names != first.names for each in releases):
        raise InvalidRequest.at("sources", "must be releases, or measured margins, that have the same cells")


def source_of(given: Given, *, at_most: int | None = None) -> Source:
    """Return the source of answers. Raises NotSupported if there is no posterior.

    `at_most`: the largest possible number of records of releases, if it is private.
    """
    if isinstance(given, ReadTable):
        return given.source
    source = source_of_releases([(each.event, each.counts) for each in given], at_most)
    for each in given if source.of_set is None else ():
        if (reason := unavailable_reason(each.event)) is not None:
            raise NotSupported(reason)
    return source


@contextmanager
def as_refusal(given: Given) -> Iterator[None]:
    """Turn InferenceError, whose message says why a posterior is impossible, into NotSupported; for a table, into
    InvalidRequest.
    """
    try:
        yield
    except InferenceError as error:
        if isinstance(given, ReadTable):
            raise InvalidRequest.at("sources[0].cells", contradicted_noise(given) or str(error)) from None
        raise NotSupported(str(error)) from None


def takes_long(given: Given, prior: Prior, *, questions: int = 0, contrasts: int = 0, strata: int = 0) -> bool:
    """Return whether the posterior of a table is estimated to take more than two seconds of CPU time, or that of
    releases at a private number of records whose noise is wide.

    At an unknown total, the shares of all cells need several passes, each question a quadrature, and strong priors a
    mixture of independent counts. Without a prior by cell, the cells are divided branch by branch. A table of more
    possible counts than `MAX_ENTRIES_OF_A_TABLE` is refused at once.
    """
    if not isinstance(given, ReadTable):
        if isinstance(given[0].event, BlockMargin):
            return given[0].event.m > _MOST_SETS
        return given[0].event.n is None and all(_is_wide(each.event) for each in given)
    m = given.names.m
    if isinstance(given.total, int):
        seconds = 0.0008 * (m + questions) + _SECONDS_OF_CONTRAST * contrasts
    else:
        seconds = 0.4 + 0.004 * m + (0.07 + 0.0005 * m) * questions + _SECONDS_OF_CONTRAST * contrasts
        most = given.total.at_most or MAX_ENTRIES_OF_A_TABLE
        possible = partial(_possible_counts, most=most)
        narrowest = [min(cells, key=possible) for cells in zip(*given.tables, strict=True)]
        sizes = [possible(each) for each in narrowest]
        if m <= _FEW_CELLS and 0.0 < (totals := _totals_at_bound(narrowest, most)) <= MOST_TOTALS:
            pairs = totals * sum(min(each, sum(sizes) - each, most) for each in sizes)
            seconds += _SECONDS_OF_PAIR * pairs
        elif m <= _FEW_CELLS:
            seconds += sum(
                _SECONDS_OF_SHARE + _SECONDS_OF_COUNT * each for each in sizes if each <= MAX_ENTRIES_OF_A_TABLE
            )
        elif any(_MIN_WIDE_ENTRIES <= each <= MAX_ENTRIES_OF_A_TABLE for each in sizes):
            seconds += _SECONDS_OF_WIDE_SHARE * (m + questions)
    widest = max(min(map(_reach, cells)) for cells in zip(*given.tables, strict=True))
    are_joint = is_by_piece(prior) or isinstance(given.total, int)
    seconds += (0.01 + _SECONDS_OF_STRATUM * widest if are_joint else _SECONDS_OF_CONTRAST) * strata
    if is_by_piece(prior):
        seconds += 0.0012 * min(m, MOST_ROWS)
    is_strong = not isinstance(given.total, int) and max(by_cell(prior, given.names)) > _MIN_STRONG_PRIOR
    return seconds > _SECONDS_OF_REQUEST or is_strong


def _possible_counts(cell: PublishedCell, most: int) -> float:
    """Return about how many counts a cell may have: those of its interval, and 50 nats of its noise on both sides."""
    low, high = cell.event
    return 1.0 + 2.0 * _reach(cell) + max(0.0, min(high - max(low, 0.0), most))


def _totals_at_bound(cells: Sequence[PublishedCell], most: int) -> float:
    """Return about how many totals are likely if the bound cuts them off, or 0 if it does not matter."""
    reach = max(map(_reach, cells))
    low, high = (sum(max(0.0, each.event[end]) for each in cells) for end in (0, 1))
    return most - max(0.0, low - reach) if high + reach > most else 0.0


def _reach(cell: PublishedCell) -> float:
    """Return about the largest likely noise of a cell."""
    return (10.0 if "gaussian" in cell.noise.law else 50.0) * max(cell.noise.scales, default=0.0)


def _is_wide(event: TableEvent) -> bool:
    match likelihood_of(event):
        case NoiseOnCounts(log_noise=log_noise):
            return 2 * noise_radius(log_noise) >= _WIDE_RELEASE_FROM
        case _:
            return False
