"""The draw and computation processes of a serving process, and the queues of requests for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.drawing.estimates import host_factor
from service.drawing.frames import DrawKeys
from service.drawing.processes import DrawProcesses
from service.errors import ComputationsUnavailable, ComputationTooLarge
from service.limits.limits import COMPOSING, COMPUTATIONS, JOB_WAITS, PRICING, PUBLIC_COMPUTATIONS, QUERY_PLANNING
from service.runtime.computations import ComputationProcesses, UnfinishedError
from service.runtime.key_file import InstalledKeys
from service.settings.settings import Settings

_SHARE_OF_ROUNDS: Final = 0.25
"""Largest sum of the estimates of a round of several draws, as a share of the response-time quantum."""
_COMPUTING: Final = (
    "service.posteriors.plans",
    "service.posteriors.computations",
    "service.estimates.estimates",
    "service.queries.history",
    "service.queries.quote",
    "service.queries.measuring",
    "service.channels.certified",
    "service.releases.expected_accuracy",
    "service.queries.answers",
    # The modules above import these lazily. They are preloaded here once for all processes.
    "scipy.interpolate",
    "scipy.linalg",
    "scipy.optimize",
)
"""Modules to preload for computation processes."""


class Processes:
    """Draw processes, processes of free computations, and the queues before them."""

    def __init__(
        self,
        keys: InstalledKeys,
        draw_program: Sequence[str],
        settings: Settings,
        start_modules: Sequence[str] = (),
    ) -> None:
        host_factor()  # measure it now, so that no request waits for it
        self.max_draw_seconds = settings.max_draw_seconds
        """Longest allowed estimate of a draw; 0 for no limit."""
        self.response_time_quantum_ms = settings.response_time_quantum_ms
        self.draws = DrawProcesses(
            lambda: DrawKeys(keys.current.ring, keys.current.public_keys),
            draw_program,
            self.response_time_quantum_ms * _SHARE_OF_ROUNDS / 1000,
        )
        self.waited_seconds: float = COMPUTATIONS.processor_seconds
        """Limit of CPU time, in seconds, of a free computation within a request."""
        self.computations = ComputationProcesses(*start_modules, *_COMPUTING, memory_mb=settings.computation_memory_mb)
        self.computation_slots = COMPUTATIONS.queue(settings.computation_processes)
        self.job_waits = JOB_WAITS.queue()
        self.public_slots = PUBLIC_COMPUTATIONS.queue()
        """Queue by release, so that many requests for one release delay only its readers. Its slot is separate
        from those of computations with a key.
        """
        self.composing_slots = COMPOSING.queue()
        self.query_planning_slots = QUERY_PLANNING.queue()
        self.pricing_slots = PRICING.queue()

    async def compute(
        self, principal_id: str, function: str, text: str, *, processor_seconds: float | None = None
    ) -> str:
        """Return the result of `function`, named `module:function`, for `text`. The computation is free and uses public
        facts only. `processor_seconds`: its limit of CPU time; None for `waited_seconds`.

        Raises the Problem that the function raised, RateLimited if the principal has too many requests waiting,
        ComputationTooLarge at its limit of CPU time or memory, and ComputationsUnavailable if it did not end in time.
        """
        limit = self.waited_seconds if processor_seconds is None else processor_seconds
        async with self.computation_slots.slot(principal_id):
            return await self.compute_in_slot(function, text, processor_seconds=limit)

    async def compute_in_slot(self, function: str, text: str, *, processor_seconds: float) -> str:
        """Return the result as `compute` does, for a caller that holds a slot."""
        try:
            return await self._run(function, text, processor_seconds)
        except TimeoutError:
            raise ComputationTooLarge from None

    async def try_in_slot(self, function: str, text: str) -> str:
        """Return the result as `compute_in_slot` does, but raise TimeoutError at `waited_seconds` of CPU time."""
        return await self._run(function, text, self.waited_seconds)

    async def _run(self, function: str, text: str, processor_seconds: float) -> str:
        seconds = COMPUTATIONS.seconds
        try:
            return await self.computations.run(function, text, seconds=seconds, processor_seconds=processor_seconds)
        except UnfinishedError:
            raise ComputationsUnavailable from None

    async def close(self) -> None:
        """End all processes with their draws and computations."""
        await self.draws.close()
        await self.computations.close()
