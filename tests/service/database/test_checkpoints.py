"""Commits reach the database from SQLite's log without a writer's help, also beside readers."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from service.database import writer as checkpoints
from service.database.engine import open_engine, reading, writing
from service.database.writer import Checkpoints
from tests.harness.deadlines import until

ROWS, BYTES = 10, 100_000


def opened(path: Path) -> Engine:
    engine = open_engine(f"sqlite:///{path}", make=True)
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE kept (content BLOB)"))
    return engine


def fill(engine: Engine) -> None:
    for _ in range(ROWS):
        with writing(engine) as connection:
            connection.execute(text("INSERT INTO kept VALUES (randomblob(:bytes))"), {"bytes": BYTES})


def test_commits_are_checkpointed_while_a_reader_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "_EVERY_SECONDS", 0.05)
    path = tmp_path / "database"
    engine = opened(path)
    others = set(threading.enumerate())
    moving = Checkpoints(engine)
    fill(engine)
    assert path.stat().st_size < BYTES, "a commit moved it"
    moving.committed()
    until(lambda: path.stat().st_size > ROWS * BYTES)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM kept")).scalar_one() == ROWS
        fill(engine)
        moving.committed()
        assert connection.execute(text("SELECT count(*) FROM kept")).scalar_one() == ROWS
    moving.committed()
    until(lambda: path.stat().st_size > 2 * ROWS * BYTES)
    assert "checkpoints" in {each.name for each in set(threading.enumerate()) - others}
    moving.close()
    assert "checkpoints" not in {each.name for each in set(threading.enumerate()) - others}
    engine.dispose()
    with reading(open_engine(f"sqlite:///{path}")) as connection:
        assert connection.execute(text("SELECT count(*) FROM kept")).scalar_one() == 2 * ROWS


def test_a_service_that_stops_when_a_checkpoint_is_due_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = opened(tmp_path / "database")
    moving = Checkpoints(engine)
    closing = threading.Thread(target=moving.close, daemon=True)

    def wait_until_closing(_: float) -> bool:
        """The time has passed, and `close` runs before this thread does."""
        monkeypatch.undo()
        closing.start()
        until(moving._close_signal.is_set)
        closing.join(0.2)
        return False

    monkeypatch.setattr(moving._close_signal, "wait", wait_until_closing)
    moving.committed()
    until(lambda: closing.ident is not None)
    closing.join(10)
    assert not closing.is_alive()
    engine.dispose()
