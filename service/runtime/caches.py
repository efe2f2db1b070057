"""What a serving process remembers in memory. All of it may be lost: no debit is decided by it."""

from __future__ import annotations

import asyncio

from core.mechanisms.catalogue import Event
from service.auth import Caller
from service.cache import TTLCache
from service.channels.certified import Certified, Channel
from service.datasets.datasets import DatasetFacts
from service.rate_limit import RateLimit
from service.web.reported_charges import ReportedCharges


class Caches:
    """For one event loop: nothing here has a lock."""

    def __init__(self, rate_limit_per_minute: int) -> None:
        self.rate_limit = RateLimit(rate_limit_per_minute)
        self.callers: TTLCache[str, asyncio.Future[Caller]] = TTLCache(10_000, seconds=1.0)
        """Callers who are being looked up, or just were, by the hashes of their keys. A key that another process
        revokes can so read for a second more; it can't spend, as the debit looks at key and principal under its lock.
        """
        self.known_keys: TTLCache[str, bool] = TTLCache(10_000)
        """Hashes of keys that were valid once. Any other is looked up in the queue of the unauthenticated."""
        self.key_uses: dict[str, int] = {}
        """When the use of a key was last written down, by its id."""
        self.reported_charges = ReportedCharges()
        self.certificates: TTLCache[Channel, Certified] = TTLCache(1024)
        self.dataset_facts: TTLCache[tuple[str, str], DatasetFacts] = TTLCache(1024)
        """What a release needs to know of a data set before the debit, by principal and data set. The debit looks
        again, under its lock, at all that can change.
        """
        self.accuracies: TTLCache[tuple[Event, bytes, float], str] = TTLCache(1024)
        """Expected accuracy of releases, by event, a hash of the prior, and level: of public sizes alone."""
        self.plans: TTLCache[str, str] = TTLCache(64)
        """Plans by what was asked, if that names public sizes alone: no counts or labels that someone made up."""
        self.public_answers: TTLCache[tuple[str, ...], str] = TTLCache(32)
        """What was computed from public releases."""
        self.composing_failed: TTLCache[str, bool] = TTLCache(10_000, seconds=60.0)
        """Ids of drawn releases whose answers could not be composed in the last minute."""
