"""Rounds of the resident begin, and answers of releases leave, at times that depend on public estimates alone."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from service.drawing.processes import DrawOrder, DrawProcess, DrawProcesses, NotSentError
from service.drawing.turns import Turns
from service.runtime.response_time import Ticks, spacing_seconds, wait_for_tick
from tests.harness import virtual_time
from tests.harness.orders import KEYS, PaidDraw

ORDER = PaidDraw(SimplexGeometric(10, 2, Epsilon.parse("0.5")), [4, 6]).order
QUANTUM_MS = 25
ROUND_SECONDS = QUANTUM_MS / 4000


class Entry(NamedTuple):
    """An order of the queue."""

    principal_id: str
    number: int
    estimate: float = 0.001


def rounds_of(turns: Turns[Entry], seconds: float = ROUND_SECONDS) -> list[list[tuple[str, int]]]:
    found = list[list[tuple[str, int]]]()
    while taken := turns.take_round(seconds):
        found.append([each[:2] for each in taken])
    return found


def test_a_round_takes_principals_in_turns() -> None:
    turns = Turns[Entry]()
    for number in range(64):
        turns.add(Entry("many", number))
    turns.add(Entry("one", 0))
    first, *_, last = rounds_of(turns)
    assert first == [("many", 0), ("one", 0), ("many", 1), ("many", 2), ("many", 3), ("many", 4)]
    assert last[-1] == ("many", 63)


@pytest.mark.parametrize("seed", range(20))
def test_the_estimates_of_a_round_sum_to_at_most_its_share_of_the_quantum_or_are_one(seed: int) -> None:
    rng, turns = random.Random(seed), Turns[Entry]()
    estimates = {number: rng.choice([0.001, 0.0021, 0.004, 0.007, 0.03]) for number in range(50)}
    for number, estimate in estimates.items():
        turns.add(Entry(rng.choice("abc"), number, estimate))
    rounds = [[number for _, number in each] for each in rounds_of(turns)]
    assert sorted(number for each in rounds for number in each) == list(range(50))
    for each, following in pairwise(rounds):
        total = sum(estimates[number] for number in each)
        assert len(each) == 1 or total <= ROUND_SECONDS
        assert total + estimates[following[0]] > ROUND_SECONDS, "it was full"


def test_orders_that_are_put_back_are_the_next() -> None:
    turns = Turns[Entry]()
    for principal_id in "aab":
        turns.add(Entry(principal_id, 0))
    taken = turns.take_round(1.0)
    turns.add(Entry("c", 0))
    turns.put_back(taken[1:])
    assert turns.take_round(0.0) == taken[1:2]
    assert rounds_of(turns) == [[("a", 0), ("c", 0)]]


@dataclass(eq=False)
class PlantedProcess:
    """Draws for planted durations, by the name of the order."""

    seconds: Mapping[str, float]
    sent: list[tuple[float, list[str]]]
    has_ended: bool = False
    is_usable: bool = True
    keys: Any = KEYS
    was_killed: bool = False
    _ends: list[tuple[float, str]] = field(default_factory=list)

    def send(self, orders: list[DrawOrder]) -> None:
        at = asyncio.get_running_loop().time()
        self.sent.append((at, [each.spec for each in orders]))
        for each in orders:
            at += self.seconds[each.spec]
            self._ends.append((at, each.release_id))

    def pause(self, seconds: float) -> None:
        self._ends = [(end + seconds, name) for end, name in self._ends]

    def read_answers(self) -> list[dict[str, Any]]:
        now = asyncio.get_running_loop().time()
        found = [{"release_id": name, "drawn": name} for end, name in self._ends if end <= now]
        self._ends = [each for each in self._ends if each[0] > now]
        return found

    async def wait_for_output(self) -> None:
        await asyncio.sleep(self._ends[0][0] - asyncio.get_running_loop().time())

    def kill(self) -> None:
        self.was_killed = self.has_ended = True
        self.is_usable = False

    async def wait(self) -> None:
        pass

    async def close(self) -> None:
        self.kill()


@dataclass
class Draws:
    """Draws by planted processes: what was sent when, and the outcomes."""

    seconds: Mapping[str, float]
    sent: list[tuple[float, list[str]]] = field(default_factory=list)
    processes: list[PlantedProcess] = field(default_factory=list)

    def start(self) -> DrawProcesses:
        drawing = DrawProcesses(lambda: KEYS, round_seconds=ROUND_SECONDS)

        async def take() -> DrawProcess:
            self.processes.append(PlantedProcess(self.seconds, self.sent))
            planted: Any = self.processes[-1]
            found: DrawProcess = planted
            return found

        drawing._take = take  # type: ignore[method-assign]  # planted
        drawing._keep(asyncio.create_task(drawing._keep_drawing()))
        return drawing

    async def run(self, *names: str, estimate: float = 0.001, after: Callable[[], None] | None = None) -> list[Any]:
        """The outcomes of orders with these names, which come at once."""
        drawing = self.start()
        orders = [order(name, name, estimate) for name in names]
        found = asyncio.gather(*map(drawing.draw, orders), return_exceptions=True)
        if after is not None:
            asyncio.get_running_loop().call_later(0.0005, after)
        outcomes = await found
        await drawing.close()
        return outcomes


def order(name: str, principal_id: str, estimate: float) -> DrawOrder:
    return replace(ORDER, spec=name, release_id=name, principal_id=principal_id, estimate=estimate)


def test_an_order_of_another_principal_waits_for_one_round_behind_64_orders_of_one() -> None:
    draws = Draws({str(number): 0.0005 for number in range(64)} | {"other": 0.0005})

    async def story() -> float:
        loop, drawing = asyncio.get_running_loop(), draws.start()
        many = [drawing.draw(order(str(number), "many", 0.001)) for number in range(64)]
        await asyncio.sleep(0.001)
        await drawing.draw(order("other", "other", 0.001))
        waited = loop.time() - 0.001
        await asyncio.gather(*many)
        await drawing.close()
        return waited

    assert virtual_time.run(story()) <= 2 * ROUND_SECONDS
    assert "other" in draws.sent[1][1]


class Traffic(NamedTuple):
    """Orders that come at public times."""

    at: float
    name: str
    principal_id: str
    estimate: float


def traffic(seed: int) -> list[Traffic]:
    rng, at, found = random.Random(seed), 0.0, list[Traffic]()
    for number in range(60):
        at += rng.choice([0.0, 0.0, 0.0, 0.0013, 0.011])
        found.append(Traffic(at, str(number), rng.choice("abc"), rng.choice([0.001, 0.002, 0.004, 0.009, 0.02])))
    return found


async def observed(orders: list[Traffic], shares: Mapping[str, float]) -> tuple[list[Any], dict[str, float]]:
    """When rounds were sent, and when answers left, if each draw takes this share of its estimate."""
    draws = Draws({each.name: each.estimate * shares[each.name] for each in orders})
    loop, ticks, drawing, left = asyncio.get_running_loop(), Ticks(), draws.start(), dict[str, float]()

    async def release(each: Traffic) -> None:
        await asyncio.sleep(each.at)
        start = ticks.start()
        assert await drawing.draw(order(each.name, each.principal_id, each.estimate)) == f'"{each.name}"'
        await wait_for_tick(ticks, start, spacing_seconds(each.estimate, QUANTUM_MS))
        left[each.name] = loop.time()

    await asyncio.gather(*map(release, orders))
    await drawing.close()
    return draws.sent, left


@pytest.mark.parametrize("seed", range(5))
def test_rounds_begin_and_answers_leave_at_the_same_times_however_long_draws_take_within_their_estimates(
    seed: int,
) -> None:
    orders, rng = traffic(seed), random.Random(seed)
    quick = virtual_time.run(observed(orders, {each.name: 0.0 for each in orders}))
    slow = virtual_time.run(observed(orders, {each.name: 0.999 for each in orders}))
    mixed = virtual_time.run(observed(orders, {each.name: rng.choice([0.01, 0.98]) for each in orders}))
    assert quick == slow == mixed
    assert list(quick[1]) == list(slow[1]) == list(mixed[1]), "and in the same order"
    assert len(quick[0]) < len(orders), "some were sent together"


@pytest.mark.parametrize(("share", "times"), [(0.5, 1), (0.99, 1), (1.5, 2), (2.5, 4), (5.0, 8), (60.0, 64)])
def test_the_next_round_begins_after_1_2_4_or_8_times_the_estimates(share: float, times: int) -> None:
    async def begun() -> list[float]:
        draws = Draws({"a": 0.009 * share, "b": 0.001})
        drawing = draws.start()
        await asyncio.gather(drawing.draw(order("a", "a", 0.009)), drawing.draw(order("b", "b", 0.001)))
        await drawing.close()
        return [at for at, _ in draws.sent]

    assert virtual_time.run(begun()) == pytest.approx([0.0, 0.009 * times])


def test_a_round_that_overruns_by_a_second_fails_the_order_that_was_begun_and_no_other() -> None:
    draws = Draws({"a": 0.0005, "b": 2.5, "c": 0.0005, "d": 0.0005, "e": 0.0005})
    assert virtual_time.run(draws.run(*"abcde")) == ['"a"', None, '"c"', '"d"', '"e"']
    assert [names for _, names in draws.sent] == [list("abcde"), list("cde")]
    assert draws.processes[0].was_killed


def test_the_last_order_of_a_round_that_overruns_is_drawn_and_others_go_to_another_process() -> None:
    draws = Draws({"a": 0.0005, "b": 2.5, "later": 0.0005})

    async def story() -> list[Any]:
        drawing = draws.start()
        first = [drawing.draw(order(name, name, 0.001)) for name in "ab"]
        await asyncio.sleep(0.5)
        later = drawing.draw(order("later", "later", 0.001))
        assert await later == '"later"'
        assert not first[1].done()
        outcomes = await asyncio.gather(*first)
        await drawing.close()
        return outcomes

    assert virtual_time.run(story()) == ['"a"', '"b"']
    assert len(draws.processes) == 2


@pytest.mark.parametrize("seconds", [0.0001, 0.004, 0.9])
def test_a_pause_of_the_whole_machine_fails_nobody(seconds: float) -> None:
    """Before the round is due to end, and after it overran for these seconds."""
    draws = Draws({"a": seconds, "b": 0.0005, "c": 0.0005})

    def pause() -> None:
        for each in draws.processes:
            each.pause(3600.0)
        virtual_time.advance(3600.0)

    async def story() -> list[Any]:
        asyncio.get_running_loop().call_later(seconds / 2, pause)
        return await draws.run(*"abc")

    assert virtual_time.run(story()) == ['"a"', '"b"', '"c"']
    assert len(draws.processes) == 1


def test_a_pause_of_the_resident_alone_fails_one_order() -> None:
    draws = Draws({"a": 0.0008, "b": 0.0005, "c": 0.0005})
    paused = draws.run(*"abc", after=lambda: draws.processes[0].pause(3.0))
    assert virtual_time.run(paused) == [None, '"b"', '"c"']


def test_an_order_whose_lease_may_end_before_its_limit_is_not_sent() -> None:
    async def story(leased_until: float) -> list[Any]:
        drawing = Draws({"a": 0.0}).start()
        drawn = drawing.draw(replace(order("a", "a", 0.001), leased_until=leased_until))
        return list(await asyncio.gather(drawn, return_exceptions=True))

    assert virtual_time.run(story(math.inf)) == ['"a"']
    [refused] = virtual_time.run(story(0.0))
    assert isinstance(refused, NotSentError)


def test_what_is_due_together_leaves_in_the_order_of_the_charges_whichever_draw_ended_first() -> None:
    async def left(first_end: float, second_end: float, spacings: tuple[float, float]) -> list[str]:
        ticks, order_ = Ticks(), list[str]()
        starts = [ticks.start(commit=1), ticks.start(commit=1)]

        async def release(name: str, number: int, end: float) -> None:
            await asyncio.sleep(end)
            await wait_for_tick(ticks, starts[number], spacings[number])
            order_.append(name)

        await asyncio.gather(release("second", 1, second_end), release("first", 0, first_end))
        return order_

    for apart in (0.0, 0.001, 0.003, 0.006):
        for ends in ((0.01, 0.01 + apart), (0.01 + apart, 0.01)):
            assert virtual_time.run(left(*ends, (0.025, 0.025))) == ["first", "second"]


def test_answers_that_a_busy_loop_finds_due_together_leave_in_the_order_of_the_charges() -> None:
    async def left() -> list[int]:
        ticks, found = Ticks(), list[int]()

        async def wait(due: float, number: int) -> None:
            await ticks.wait(due, number)
            found.append(number)

        waiting = asyncio.gather(wait(0.030, 0), wait(0.029, 2), wait(0.026, 1), wait(0.1, 3))
        asyncio.get_running_loop().call_later(0.02, virtual_time.advance, 0.05)
        await waiting
        return found

    assert virtual_time.run(left()) == [0, 1, 2, 3]
