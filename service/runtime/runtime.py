"""What a serving process has: its database, its processes, its caches, and what it finishes at shutdown. The
application makes it once and hands it to every use case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from service.drawing.processes import PROGRAM
from service.metrics import Metrics
from service.runtime.caches import Caches
from service.runtime.database import Database
from service.runtime.processes import Processes
from service.runtime.shutdown import Shutdown
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Runtime:
    database: Database
    processes: Processes
    caches: Caches
    shutdown: Shutdown

    @classmethod
    def open(cls, settings: Settings, metrics: Metrics | None = None, draw_program: Sequence[str] = PROGRAM) -> Runtime:
        """Opens the database and the keys. Raises DatabaseNotReady or SettingsError."""
        database = Database(settings, metrics or Metrics())
        processes = Processes(settings, database.keys, draw_program)
        return cls(database, processes, Caches(settings.rate_limit_per_minute), Shutdown())

    async def close(self) -> None:
        """Finish what was paid, within the grace, and end everything."""
        await self.shutdown.finish()
        await self.processes.close()
        await asyncio.to_thread(self.database.close)
