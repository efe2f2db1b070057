"""The state of a serving process: database, processes, caches, and the tasks to finish at shutdown. The application
creates it once and passes it to every use case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from service.database.engine import check_ready, open_engine, reading
from service.drawing.processes import PROGRAM
from service.key_file import InstalledKeys, open_keys
from service.limits import QUERY_TIMEOUT
from service.metrics import Metrics
from service.quotas import Quotas
from service.restore.watch import watch
from service.runtime.caches import Caches
from service.runtime.database import Database
from service.runtime.processes import Processes
from service.runtime.shutdown import Shutdown
from service.runtime.ticks import Ticks
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Runtime:
    database: Database
    processes: Processes
    caches: Caches
    shutdown: Shutdown
    ticks: Ticks

    @classmethod
    def open(cls, settings: Settings, metrics: Metrics | None = None, draw_program: Sequence[str] = PROGRAM) -> Runtime:
        """Open the database and the keys. Raises DatabaseNotReady or SettingsError."""
        engine = open_engine(settings.database_url, QUERY_TIMEOUT.seconds, pooled=settings.database_pooled)
        with reading(engine) as connection:
            check_ready(connection)
        keys = InstalledKeys(settings.keys, open_keys(engine, settings.keys))
        witness, quotas = watch(engine, settings.witness), Quotas.times(settings.quota_factor)
        database = Database(engine, keys, witness, quotas, metrics or Metrics())
        processes = Processes(
            keys,
            draw_program,
            max_draw_seconds=settings.max_draw_seconds,
            response_time_quantum_ms=settings.response_time_quantum_ms,
            computations=settings.computation_processes,
            computation_memory_mb=settings.computation_memory_mb,
        )
        return cls(database, processes, Caches(settings.rate_limit_per_minute), Shutdown(), Ticks())

    async def close(self) -> None:
        """Finish paid releases within the grace period, then close everything."""
        await self.shutdown.finish()
        await self.processes.close()
        await asyncio.to_thread(self.database.close)
