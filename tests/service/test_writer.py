"""The writing thread outlives callers who go away."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import Connection, Engine

from service.database import open_engine
from service.writer import Writer


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


def test_a_caller_who_goes_away_stops_neither_the_job_nor_the_thread(engine: Engine) -> None:
    gate, ran, sizes = threading.Event(), list[str](), list[int]()

    def wait(_: Connection, items: Sequence[str]) -> list[bool]:
        return [gate.wait(10) for _ in items]

    def note(_: Connection, items: Sequence[str]) -> list[str]:
        ran.extend(items)
        return list(items)

    writer = Writer(engine, committed=sizes.append)
    first = writer.submit(wait, "first")
    abandoned, last = writer.submit(note, "abandoned"), writer.submit(note, "last")
    assert not abandoned.cancel()
    gate.set()
    assert first.result(timeout=10)
    assert last.result(timeout=10) == "last"
    assert writer.submit(note, "later").result(timeout=10) == "later"
    writer.close()
    assert ran == ["abandoned", "last", "later"]
    assert sum(sizes) == 4
