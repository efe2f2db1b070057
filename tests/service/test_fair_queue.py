"""Slots are shared by principal, in turns, and limited."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from service.errors import RateLimited
from service.limits.limits import FairQueue


def test_turns_go_round_by_principal_and_not_by_who_asked_most() -> None:
    async def story() -> list[str]:
        queue, served = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=10), list[str]()

        async def work(who: str) -> None:
            async with queue.slot(who):
                served.append(who)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as tasks:
            for who in ["greedy"] * 5 + ["polite", "other"]:
                tasks.create_task(work(who))
        return served

    assert asyncio.run(story()) == ["greedy", "polite", "other", "greedy", "greedy", "greedy", "greedy"]


def test_who_always_has_a_second_request_waiting_gets_one_turn_of_those_who_wait() -> None:
    async def story() -> Counter[str]:
        queue, served = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=2), list[str]()

        async def ask_again_and_again(who: str) -> None:
            while len(served) < 300:
                async with queue.slot(who):
                    served.append(who)
                    await asyncio.sleep(0)

        async with asyncio.TaskGroup() as tasks:
            for who in ("greedy", "greedy", "polite", "other"):
                tasks.create_task(ask_again_and_again(who))
        return Counter(served[:300])

    assert asyncio.run(story()) == dict.fromkeys(("greedy", "polite", "other"), 100)


def test_a_principal_holds_no_more_than_its_share_while_places_are_free() -> None:
    async def story() -> tuple[bool, bool]:
        queue = FairQueue(max_concurrent=5, max_per_key=2, max_queued_per_key=1)
        async with queue.slot("a"), queue.slot("a"):
            return queue.has_slot_for("a"), queue.has_slot_for("b")

    assert asyncio.run(story()) == (False, True)


def test_too_many_waiting_requests_are_refused_with_retry_after() -> None:
    async def story() -> None:
        queue = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=0)
        async with queue.slot("a"):
            with pytest.raises(RateLimited) as refused:
                async with queue.slot("a", retry_seconds=6.2):
                    pass
            assert refused.value.headers["Retry-After"] == "7"
        async with queue.slot("a"):
            pass

    asyncio.run(story())


def test_a_wait_ends_with_retry_after_and_leaves_the_queue() -> None:
    async def story() -> bool:
        queue = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=1, wait_seconds=0.05)
        async with queue.slot("a"):
            for _ in range(2):  # the first has left the one place in the queue when the second comes
                with pytest.raises(RateLimited) as refused:
                    async with queue.slot("a"):
                        pass
                assert refused.value.headers["Retry-After"] == "5"
        return queue.has_slot_for("a")

    assert asyncio.run(story())


def test_a_cancelled_request_leaves_the_queue_and_takes_no_slot() -> None:
    async def story() -> bool:
        queue = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=5)

        async def wait() -> None:
            async with queue.slot("b"):
                pass

        async with queue.slot("a"):
            early, late = asyncio.create_task(wait()), asyncio.create_task(wait())
            await asyncio.sleep(0)
            early.cancel()
            await asyncio.sleep(0)
        late.cancel()  # it was just handed the place, and has not run since
        await asyncio.gather(early, late, return_exceptions=True)
        return queue.has_slot_for("a")

    assert asyncio.run(story())


def test_a_slot_freed_while_its_next_holder_cancels_is_not_lost() -> None:
    async def story() -> bool:
        queue = FairQueue(max_concurrent=1, max_per_key=1, max_queued_per_key=5)
        await queue.take("a")
        waiting = [asyncio.create_task(queue.take(who)) for who in ("b", "b", "c")]
        await asyncio.sleep(0)
        for each in waiting:
            each.cancel()
        queue.leave("a")  # before any of them has heard of it
        assert all(
            isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*waiting, return_exceptions=True)
        )
        return all(queue.has_slot_for(who) for who in "abc")

    assert asyncio.run(story())
