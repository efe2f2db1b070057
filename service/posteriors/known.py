"""Public totals of groups, which callers type beside a question: docs/how-to/compare-groups.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.cells import CellSet
from core.inference.contradictions import log_chance_of_sum
from core.inference.counts import InferenceError
from core.inference.events import Share
from core.inference.pieces import NoisyCells
from core.inference.published import Noise, PublishedCell, Total
from core.inference.sources import Source, part_of
from service.errors import InvalidRequest, error_location
from service.posteriors import events
from service.posteriors.doubts import LOG_UNLIKELY, below_power, doubts_about
from service.posteriors.read_tables import UNSEEN_CELL, ReadTable
from service.posteriors.sources import Given, names_of
from service.schemas.cell_names import CellNames
from service.schemas.cells import Cells, ShareQuestion
from service.schemas.posteriors import KnownTotal, PosteriorCreate

_OUTSIDE_RULE = "must lie within one group of `known`, or outside all of them"


def groups_of(known: Sequence[KnownTotal], names: CellNames) -> dict[CellSet, int]:
    """Return the total of each group of cells. Raises InvalidRequest, located in `known`, if groups overlap."""
    groups = dict[CellSet, int]()
    for index, each in enumerate(known):
        with error_location(f"known[{index}].of"):
            cells = names.named(each.of)
            if cells.intersection(*[frozenset().union(*groups)]):
                raise InvalidRequest.at("", "must have no cell of an earlier group")
        groups[cells] = each.count
    return groups


def check(known: Sequence[KnownTotal], given: Given, at_most: int | None = None) -> dict[CellSet, int]:
    """Return the total of each group. Raises InvalidRequest at `known` if they contradict a public total, or if the
    noise has no posterior by groups.
    """
    groups = groups_of(known, names_of(given))
    if not groups:
        return groups
    counted, every = sum(groups.values()), sum(map(len, groups)) == names_of(given).m
    total = given.total if isinstance(given, ReadTable) else given[0].event.n
    if isinstance(total, Total):
        if total.published is not None and not every:
            raise InvalidRequest.at("known", "must have all cells, because the number of records has noise")
        at_most, total = total.at_most, None
    most = at_most if total is None else total
    if total is not None and every and counted != total:
        raise InvalidRequest.at("known", f"must sum to {total}, the public number of records, as it has all cells")
    if most is not None and counted > most:
        raise InvalidRequest.at("known", f"must sum to at most {most}, the largest possible number of records")
    return groups


def check_questions(groups: Mapping[CellSet, int], request: PosteriorCreate, names: CellNames) -> None:
    """Raise InvalidRequest unless each share of a question that `posteriors.check` accepted lies within one group."""
    if not groups:
        return
    for field in ("by", "draws"):
        if getattr(request, field) is not None:
            raise InvalidRequest.at(field, "must be left out with `known`")
    for index, question in enumerate(request.questions):
        with error_location(f"questions[{index}]"):
            if isinstance(question, ShareQuestion):
                check_share(groups, events.asked_share(question, names), names)
            else:
                for side, share in zip(("first", "second"), events.asked_shares(question, names), strict=True):
                    with error_location(side):
                        check_share(groups, share, names)
    if request.trial is not None:
        for side, cells in (("first", request.trial.first), ("second", request.trial.second)):
            with error_location(f"trial.{side}"):
                check_share(groups, Share(frozenset(), names.named(cells)), names, at="")


def check_share(groups: Mapping[CellSet, int], share: Share, names: CellNames, *, at: str = "within") -> None:
    """Raise InvalidRequest unless a share is within one group, or outside all of them."""
    if groups:
        try:
            part_of(share, [*groups, frozenset(range(names.m)).difference(*groups)], names.m)
        except InferenceError:
            raise InvalidRequest.at(at, _OUTSIDE_RULE) from None


def warnings_about(known: Sequence[KnownTotal], given: Given, source: Source) -> list[str]:
    """Return warnings about a noisy table and about totals of groups."""
    return [*(doubts_about(given) if isinstance(given, ReadTable) else []), *_doubts(known, given, source)]


def _doubts(known: Sequence[KnownTotal], given: Given, source: Source) -> list[str]:
    """Return warnings about totals that are far from the noisy counts of their groups."""
    tables = given.tables if isinstance(given, ReadTable) else [_published_cells(each) for each in source.sums or ()]
    found = []
    for asked, (cells, total) in zip(known, groups_of(known, names_of(given)).items(), strict=True):
        chances = [log_chance_of_sum([table[cell] for cell in cells], total, total) for table in tables]
        log_chance = min(chances, default=0.0) + math.log(len(known) * max(1, len(chances)))
        if log_chance < LOG_UNLIKELY:
            found.append(
                f"The total {total} of {_words(asked.of)} is so far from the noisy counts that the noise does this "
                f"with a probability {below_power(log_chance)}. It is probably that of another group or another time."
            )
    return found


def _words(cells: Cells) -> str:
    levels = [f"{name}={','.join(each)}" for name, each in (cells.where or {}).items()]
    return ", ".join(levels or cells.labels or ())


def _published_cells(cells: NoisyCells) -> list[PublishedCell]:
    return [
        UNSEEN_CELL if math.isnan(value) else PublishedCell(value, Noise(law, scale))
        for value, law, scale in zip(cells.values.tolist(), cells.laws.tolist(), cells.scales.tolist(), strict=True)
    ]
