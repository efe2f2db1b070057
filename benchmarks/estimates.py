"""Holds the estimates of free computations against the processor time that they take, over a grid of sizes.

    python -m benchmarks.estimates [--most 30] [--only WORD]

A request is answered at once, becomes a job or is refused by what it is estimated to take, so an estimate that is far
off makes somebody wait, or refuses what could be had. Each row is one computation as the service does it, in a process
of its own: what was estimated, the processor time that it took, in units of a calibration loop that runs before and
after it, and the ratio of the two. `--most` bounds the processor time of a row.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
from service import plans
from service.jobs.jobs import INLINE_SECONDS
from service.posteriors import computations, effort
from service.posteriors.read_releases import ReadRelease
from service.schemas import plans as plan_schema
from service.schemas.posteriors import ComparisonCreate, PooledRequest, PosteriorRequest

LOOP_SECONDS: Final = 0.05
"""What the calibration loop takes on the machine that the estimates are in seconds of."""
OFF: Final = 3.0
"""By how much an estimate may be off before its row is marked, where it or the truth is more than what is answered at
once.
"""
IDS: Final = {seed: "rel_" + 26 * letter for seed, letter in ((1, "a"), (2, "b"))}
Case = tuple[str, float, Callable[[], object]]


def release(n: int, m: int, epsilon: str, seed: int = 1) -> ReadRelease:
    """A release as the service reads it back, from made-up counts, which are the same for every seed."""
    rng = np.random.default_rng([n % 2**32, m])
    event = SimplexGeometric(n, m, Epsilon.parse(epsilon))
    shares = rng.dirichlet(np.full(m, 3.0))
    counts = np.floor(n * shares).astype(np.int64)
    counts[0] += n - counts.sum()
    released = rehearse(event, counts, 1, SeededEntropy(seed))[0]
    labels = [f"category {number}" for number in range(m)]
    return ReadRelease(IDS[seed], event, labels, [1.0] * m, released, "", "", dataset_id=f"dat_{seed}")


def posterior(name: str, read: ReadRelease, **asked: Any) -> Case:
    assert isinstance(read.event, SimplexGeometric)
    request = PosteriorRequest.model_validate(asked)
    order = computations.order(read, request=request.model_dump_json())
    told = f"posterior, {name}, m = {read.event.m}, n = {read.event.n:.0e}, epsilon {read.event.epsilon}"
    return told, effort.of_posterior(read, request), partial(computations.posterior, order)


def cases() -> Iterator[Case]:
    """What is measured."""
    for m, n, epsilon in [
        (2, 10**3, "1"),
        (2, 10**7, "0.01"),
        (2, 2**53, "0.1"),
        (2, 2**53, "0.0001"),
        (5, 10**4, "0.1"),
        (20, 10**5, "0.1"),
        (100, 10**7, "1"),
        (200, 10**6, "0.1"),
        (200, 10**6, "1"),
    ]:
        read = release(n, m, epsilon)
        yield posterior("plain", read)
        greater = [{"kind": "greater", "category": 0, "than": than} for than in range(1, min(m, 100))]
        yield posterior("all greater", read, hypotheses=greater)
        if m > 2:
            share = {"kind": "share", "labels": ["category 0", "category 1"]}
            given = {"kind": "share", "labels": ["category 0"], "given": ["category 0", "category 1"]}
            contrast = {
                "kind": "difference",
                "first": {"labels": ["category 0"]},
                "second": {"labels": ["category 1"]},
            }
            yield posterior("a share", read, events=[share])
            yield posterior("a conditional share", read, events=[given])
            yield posterior("a difference", read, events=[contrast])
            yield posterior("three events", read, events=[share, given, contrast])
        yield posterior("1000 draws", read, draws={"size": 1000})
        other = release(n, m, epsilon, seed=2)
        comparison = ComparisonCreate.model_validate(
            {"first": {"release_id": IDS[1], "category": 0}, "second": {"release_id": IDS[2], "category": 0}}
        )
        order = computations.order(read, other, request=comparison.model_dump_json())
        where = f"m = {m}, n = {n:.0e}, epsilon {epsilon}"
        yield (
            f"comparison, {where}",
            effort.of_comparison(read, other, comparison),
            partial(computations.comparison, order),
        )
        pooled = PooledRequest.model_validate({"release_ids": [IDS[1], IDS[2]], "prior": [1] * m})
        again = replace(other, dataset_id=read.dataset_id, budget_id=read.budget_id)
        order = computations.order(read, again, request=pooled.model_dump_json())
        seconds = effort.of_pool([read, again], pooled)
        yield f"pooled posterior, {where}", seconds, partial(computations.pooled_posterior, order)
        body = {"prior": [1] * m, "epsilon": epsilon, "delta": "1e-9"}
        if n <= 10**7:
            data = {"kind": "shape", "shape": "falling", "record_count": n}
            wanted = plan_schema.PlanCreate.model_validate(body | {"data": data})
            yield f"plan, {where}", plans.plan_seconds(wanted), partial(plans.planned, wanted.model_dump_json())


def calibrate() -> float:
    """Processor seconds of a loop of Python and numpy."""
    began = time.process_time()
    values = np.arange(20_000.0)
    for number in range(150):
        np.fft.irfft(np.fft.rfft(values)).sum()
        sum(k * number for k in range(1_000))
    return time.process_time() - began


def measured(work: Callable[[], object], most: int) -> tuple[float, str]:
    """Seconds that the work takes on the machine of the estimates, and what went wrong, in a process of its own."""
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        before = calibrate()
        began = time.process_time()
        failed = ""
        try:
            if '"kind":"unavailable"' in str(work())[:100]:
                failed = "unavailable"
        except Exception as error:  # noqa: BLE001  it is shown
            failed = type(error).__name__
        seconds = time.process_time() - began
        theirs.send((seconds * LOOP_SECONDS / ((before + calibrate()) / 2), failed))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    theirs.close()
    try:
        answer: tuple[float, str] = ours.recv()
    except EOFError:
        answer = float("inf"), f"not done within {most} s"
    process.join()
    return answer


def is_wrong(estimated: float, seconds: float, factor: float) -> bool:
    """Whether the estimate is off by more than a factor, where one of the two is no answer at once."""
    return max(estimated, seconds) > INLINE_SECONDS and not 1 / factor <= estimated / max(seconds, 1e-3) <= factor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=30, help="processor seconds of a row")
    parser.add_argument("--only", default="", help="rows that have this in their names")
    arguments = parser.parse_args()
    print(f"{'':66}{'estimated':>10}{'taken':>9}{'ratio':>8}")
    off = rows = 0
    for name, estimated, work in cases():
        if arguments.only not in name:
            continue
        seconds, failed = measured(work, arguments.most)
        ratio = estimated / max(seconds, 1e-3)
        is_off = not failed and is_wrong(estimated, seconds, OFF)
        off, rows = off + is_off, rows + 1
        print(f"{name:66}{estimated:10.2f}{seconds:9.2f}{ratio:8.2f}{' OFF' if is_off else ''} {failed}", flush=True)
    print(f"{off} of {rows} estimates are off by more than {OFF:.0f} times where it matters")


if __name__ == "__main__":
    main()
