"""Draws the imports of `core` and `service` in numbers: rooms, arrows, circles and floors. Run it as `python -m
benchmarks.imports`.

A room is a module or package directly below `core` or `service`; an arrow says that one room imports another, however
often. A circle is a set of rooms that import one another. The floors are the rooms of the longest chain of arrows,
counted with every circle as one room.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import grimp

Arrows = Mapping[str, frozenset[str]]
"""The rooms that each room imports."""


@dataclass(frozen=True, slots=True)
class Picture:
    rooms: int
    arrows: int
    circles: int
    floors: int


def arrows_of(package: str) -> Arrows:
    """The arrows between the rooms of a package."""
    graph = grimp.build_graph(package)
    rooms = graph.find_children(package)
    for room in rooms:
        graph.squash_module(room)
    return {room: frozenset(graph.find_modules_directly_imported_by(room) & rooms) for room in rooms}


def picture_of(arrows: Arrows) -> Picture:
    circles = _circles(arrows)
    return Picture(
        rooms=len(arrows),
        arrows=sum(len(targets) for targets in arrows.values()),
        circles=sum(len(circle) > 1 for circle in circles),
        floors=_floors(arrows, circles),
    )


def _circles(arrows: Arrows) -> list[frozenset[str]]:
    """The rooms, each with those that it reaches and that reach it; every circle stands before the rooms that import
    it.
    """
    reached = {room: _reached(arrows, room) for room in arrows}
    circles = {
        frozenset({room} | {other for other in targets if room in reached[other]}) for room, targets in reached.items()
    }
    return sorted(circles, key=lambda circle: max(len(reached[room] - circle) for room in circle))


def _reached(arrows: Arrows, room: str) -> set[str]:
    found: set[str] = set()
    waiting = list(arrows[room])
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += arrows[each]
    return found


def _floors(arrows: Arrows, circles: list[frozenset[str]]) -> int:
    floor: dict[str, int] = {}
    for circle in circles:
        below = {target for room in circle for target in arrows[room]} - circle
        level = 1 + max((floor[room] for room in below), default=0)
        floor |= dict.fromkeys(circle, level)
    return max(floor.values(), default=0)


def main() -> None:
    print(f"{'':8} {'rooms':>6} {'arrows':>7} {'circles':>8} {'floors':>7}")
    for package in ("core", "service"):
        seen = picture_of(arrows_of(package))
        print(f"{package:8} {seen.rooms:6} {seen.arrows:7} {seen.circles:8} {seen.floors:7}")


if __name__ == "__main__":
    main()
