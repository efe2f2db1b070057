"""An empirical lower bound on ε for tables whose number of records is private, from all that their releases show: noisy
counts, lengths of bodies, log lines and times.

Neighbours are c and c + e_i. Broken services have to be caught, or the audit is worth nothing.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from service.database.engine import open_engine
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, registration
from tests.harness.in_process import embedded, running
from tests.harness.people import person
from tests.harness.planted import draw_program
from tests.harness.privacy_loss import lower_bound

FEW, MANY = [4, 5], {0: [5, 5], 1: [4, 6]}
"""Nine records, and a tenth in the first or in the second cell."""
GEOMETRIC: dict[str, Any] = {"kind": "geometric", "epsilon": "0.8"}
MECHANISMS: list[dict[str, Any]] = [
    GEOMETRIC,
    {"kind": "laplace", "epsilon": "1"},
    {"kind": "gaussian", "rho": "1", "delta": "1e-5"},
]
_COMMON_LINE_FIELDS = frozenset(vars(logging.makeLogRecord({})))

Scope = MutableMapping[str, Any]


class Leak:
    """An application that adds something about the number of records to what a release shows."""

    def __init__(self, app: Any, channel: str, sizes: dict[str, int]) -> None:
        self._app, self._channel, self._sizes = app, channel, sizes

    async def __call__(self, scope: Scope, receive: Any, send: Callable[[Scope], Awaitable[None]]) -> None:
        found = re.fullmatch(r"/v1/datasets/(\w+)/releases", scope.get("path", ""))
        size = self._sizes.get(found[1], 0) if found else 0

        async def leaky(message: Scope) -> None:
            if self._channel == "length" and message["type"] == "http.response.start":
                message["headers"] = [each for each in message["headers"] if each[0] != b"content-length"]
            if self._channel == "length" and message["type"] == "http.response.body":
                message["body"] += b" " * size
            await send(message)

        if self._channel == "log" and size:
            logging.getLogger("service").warning("releasing", extra={"records": size})
        if self._channel == "time":
            await asyncio.sleep(0.5 * (size > sum(FEW)))
        await self._app(scope, receive, leaky)


@dataclass(frozen=True)
class Shown:
    """What one release shows: its noisy counts, the bytes of its body beyond its content, how often its log lines
    contain the larger number of records, and its hundredths of a second.
    """

    noisy: list[int]
    length: int
    lines: int
    hundredths: int


def collect(
    directory: Path, migrated: Path, variant: str, cell: int, mechanism: dict[str, Any], size: int, **unit: Any
) -> tuple[list[list[Shown]], dict[str, Any]]:
    """What `size` releases of each neighbour show, in turns, and the certified loss."""
    (directory / "posterior.sqlite3").write_bytes(migrated.read_bytes())
    return asyncio.run(_collect(directory, variant, cell, mechanism, size, unit))


async def _collect(
    directory: Path, variant: str, cell: int, mechanism: dict[str, Any], size: int, unit: dict[str, Any]
) -> tuple[list[list[Shown]], dict[str, Any]]:
    url, sizes = f"sqlite:///{directory / 'posterior.sqlite3'}", dict[str, int]()
    engine = open_engine(url)
    owner, lines = person(engine, Role.OWNER), list[logging.LogRecord]()
    engine.dispose()
    handler = logging.Handler()
    handler.emit = lines.append  # type: ignore[method-assign,assignment]
    logging.getLogger().addHandler(handler)
    program = () if variant in ("sound", "length", "log", "time") else draw_program(variant)
    neighbours = ([4, 5], [4, 5 + unit["records_per_unit"]]) if unit else (FEW, MANY[cell])
    wanted, certified = {"prior": [1, 1], "mechanism": mechanism}, dict[str, Any]()
    settings = embedded(url, directory / "witness")
    async with running(settings, program, around=lambda app: Leak(app, variant, sizes)) as service:

        async def register(counts: list[int]) -> str:
            budget = {"kind": "new", "budget": budget_body(epsilon="1000", delta="0.1")}
            body = registration(counts, n_is_public=False, budget=budget, **unit)
            dataset_id = str((await service.made(owner, "/v1/datasets", body, f"data-{sum(counts)}"))["id"])
            sizes[dataset_id] = sum(counts)
            return dataset_id

        async def release(dataset_id: str, number: int) -> Shown:
            lines.clear()
            path, key = f"/v1/datasets/{dataset_id}/releases", f"{dataset_id}-{number}"
            started = time.monotonic()
            answer = await service.settled(owner, "POST", path, wanted, **{"Idempotency-Key": key})
            hundredths = round(100 * (time.monotonic() - started))
            document = answer.json()
            certified.update(document["certified"])
            content = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
            said = [str(vars(line)[name]) for line in lines for name in vars(line).keys() - _COMMON_LINE_FIELDS]
            beyond, named = len(answer.text) - len(content), said.count(str(sum(FEW) + 1))
            return Shown(document["posterior"]["noisy_counts"], beyond, named, hundredths)

        datasets = [await register(counts) for counts in neighbours]
        # The first releases wait for what is computed once.
        rounds = [[await release(each, number) for each in datasets] for number in range(-1, size)][1:]
    logging.getLogger().removeHandler(handler)
    return [list(each) for each in zip(*rounds, strict=True)], certified


def largest_bound(shown: list[list[Shown]], delta: float) -> float:
    """Return the largest lower bound over all figures that are shown. Each bound fails with probability 1e-4."""
    observed: list[Callable[[Shown], int]] = [
        lambda each: each.noisy[0],
        lambda each: each.noisy[1],
        lambda each: sum(each.noisy),
        lambda each: each.length,
        lambda each: each.lines,
        lambda each: each.hundredths,
    ]
    first, second = shown
    return max(lower_bound([*map(number, first)], [*map(number, second)], delta) for number in observed)


@pytest.mark.parametrize(
    "variant",
    [
        "sound",
        "a_cell_without_noise",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("log", "length", "time")),
    ],
)
def test_nothing_that_a_release_shows_tells_a_private_number_of_records(
    variant: str, tmp_path: Path, migrated_sqlite: Path
) -> None:
    """Thirty releases of each neighbour show a channel that gives the number away, and no other."""
    little: dict[str, Any] = {"kind": "geometric", "epsilon": "0.1"}
    shown, certified = collect(tmp_path, migrated_sqlite, variant, 1, little, 30)
    found = largest_bound(shown, float(certified["delta"]))
    assert (found <= float(certified["epsilon"])) is (variant == "sound"), found


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["kind"])
@pytest.mark.parametrize("cell", [0, 1])
def test_the_audit_holds_each_mechanism_to_its_certificate(
    mechanism: dict[str, Any], cell: int, tmp_path: Path, migrated_sqlite: Path
) -> None:
    size = 120 if mechanism["kind"] == "gaussian" else 900  # what the largest budget pays for
    shown, certified = collect(tmp_path, migrated_sqlite, "sound", cell, mechanism, size)
    found, stated = largest_bound(shown, float(certified["delta"])), float(certified["epsilon"])
    print(f"{mechanism['kind']:<10} certified {stated:.3f}, audited at least {found:.3f}")  # noqa: T201  a report
    assert 0 < found <= stated


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", ["sound", "twice_the_rate", "private_size_forgets_the_unit"])
def test_the_audit_catches_noise_of_another_relation_or_of_one_record(
    variant: str, tmp_path: Path, migrated_sqlite: Path
) -> None:
    """Noise for neighbours that differ in one record only, or of twice the rate."""
    unit = {"one_record_per_unit": None, "records_per_unit": 3}
    shown, certified = collect(tmp_path, migrated_sqlite, variant, 1, GEOMETRIC, 900, **unit)
    found, stated = largest_bound(shown, float(certified["delta"])), float(certified["epsilon"])
    print(f"{variant:<30} certified {stated:.3f}, audited at least {found:.3f}")  # noqa: T201  a report
    assert (found <= stated) is (variant == "sound")
