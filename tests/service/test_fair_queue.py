"""Places are shared out by principal, in turns, and bounded."""

from __future__ import annotations

import asyncio

import pytest

from service.errors import RateLimited
from service.fair_queue import FairQueue


def test_turns_go_round_by_principal_and_not_by_who_asked_most() -> None:
    async def story() -> list[str]:
        queue, served = FairQueue(at_once=1, each=1, each_waiting=10), list[str]()

        async def work(who: str) -> None:
            async with queue.place(who):
                served.append(who)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as tasks:
            for who in ["greedy"] * 5 + ["polite", "other"]:
                tasks.create_task(work(who))
        return served

    assert asyncio.run(story()) == ["greedy", "greedy", "polite", "other", "greedy", "greedy", "greedy"]


def test_a_principal_holds_no_more_than_its_share_while_places_are_free() -> None:
    async def story() -> tuple[bool, bool]:
        queue = FairQueue(at_once=5, each=2, each_waiting=1)
        async with queue.place("a"), queue.place("a"):
            return queue.has_place_for("a"), queue.has_place_for("b")

    assert asyncio.run(story()) == (False, True)


def test_who_waits_for_too_much_is_refused_at_once_and_told_when_to_come_back() -> None:
    async def story() -> None:
        queue = FairQueue(at_once=1, each=1, each_waiting=0)
        async with queue.place("a"):
            with pytest.raises(RateLimited) as refused:
                async with queue.place("a", retry_seconds=6.2):
                    pass
            assert refused.value.headers["Retry-After"] == "7"
        async with queue.place("a"):
            pass

    asyncio.run(story())


def test_whoever_stops_waiting_leaves_the_queue_and_takes_no_place_along() -> None:
    async def story() -> bool:
        queue = FairQueue(at_once=1, each=1, each_waiting=5)

        async def wait() -> None:
            async with queue.place("b"):
                pass

        async with queue.place("a"):
            early, late = asyncio.create_task(wait()), asyncio.create_task(wait())
            await asyncio.sleep(0)
            early.cancel()
            await asyncio.sleep(0)
        late.cancel()  # it was just handed the place, and has not run since
        await asyncio.gather(early, late, return_exceptions=True)
        return queue.has_place_for("a")

    assert asyncio.run(story())


def test_a_place_that_is_given_back_in_the_moment_in_which_its_next_holder_gives_up_is_not_lost() -> None:
    async def story() -> bool:
        queue = FairQueue(at_once=1, each=1, each_waiting=5)
        await queue.take("a")
        waiting = [asyncio.create_task(queue.take(who)) for who in ("b", "b", "c")]
        await asyncio.sleep(0)
        for each in waiting:
            each.cancel()
        queue.leave("a")  # before any of them has heard of it
        assert all(
            isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*waiting, return_exceptions=True)
        )
        return all(queue.has_place_for(who) for who in "abc")

    assert asyncio.run(story())


def test_what_is_large_waits_for_its_room_and_is_not_passed_by_what_is_small() -> None:
    async def story() -> list[str]:
        queue, served = FairQueue(at_once=4, each=2, each_waiting=9), list[str]()

        async def work(who: str, size: int) -> None:
            async with queue.place(who, size=size):
                served.append(who)
                await asyncio.sleep(0.01)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(work("a", 3))
            await asyncio.sleep(0)
            given_up = tasks.create_task(work("gone", 4))
            for who, size in (("large", 4), ("small", 1), ("smaller", 1)):
                tasks.create_task(work(who, size))
            await asyncio.sleep(0)
            given_up.cancel()
            assert not queue.has_place_for("b"), "one place is free, and somebody waits for more"
        assert queue.has_place_for("b", 4)
        return served

    assert asyncio.run(story()) == ["a", "large", "small", "smaller"]
