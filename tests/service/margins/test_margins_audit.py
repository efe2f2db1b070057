"""An empirical lower bound on ε from the measured margins of a running service, on the worst pair of neighbours. The
charge must not be less, and services with a planted fault must be caught.

For each release the log ratio of the probabilities of all its noisy counts is computed for both neighbours, as any
reader can. The worst pair of cells differs in every attribute.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tests.harness.bodies import budget_body, registration, unique
from tests.harness.privacy_loss import lower_bound
from tests.harness.server import Party, serving_process

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

_SIZE: Final = 6
ATTRIBUTES: Final = [{"name": name, "levels": [str(level) for level in range(_SIZE)]} for name in ("one", "two")]
"""With six levels each, both margins are measured and not the whole table."""
FIRST: Final = (0, *[2] * (_SIZE**2 - 2), 4)
EPSILON: Final = {"sound": "2", "disjoint": "4", "one_left_out": "4", "one_record": "2"}
RELEASES: Final = {"sound": 400, "disjoint": 1600, "one_left_out": 1600, "one_record": 1000}
"""Releases in each world. A fault has to be seen through the bound's margin."""
_ASKING: Final = 6
_LEVELS: Final = 2
"""Parts of a unit to which the log ratios are rounded, which bounds the number of events."""


def moved(records: int) -> tuple[int, ...]:
    """The neighbour of `FIRST`: one unit moves its records to the cell that differs in every attribute."""
    return (records, *FIRST[1:-1], FIRST[-1] - records)


def margins_of(counts: tuple[int, ...]) -> dict[str, np.ndarray[Any, Any]]:
    table = np.array(counts).reshape(_SIZE, _SIZE)
    return {"one": table.sum(1), "two": table.sum(0)}


def log_ratio(release: dict[str, Any], first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """ln p(noisy counts | first) / p(noisy counts | second), in parts of a unit. The noise is geometric."""
    total = Fraction(0)
    one, other = margins_of(first), margins_of(second)
    for each in release["measured"]:
        (name,), noisy = each["attributes"], np.array(each["noisy_counts"])
        farther = int(np.abs(noisy - other[name]).sum() - np.abs(noisy - one[name]).sum())
        total += Fraction(each["noise_parameter"]) * farther
    return round(total * _LEVELS)


def collect(owner: Party, counts: tuple[int, ...], records: int, variant: str) -> list[dict[str, Any]]:
    """Releases of both attributes alone, each on one data set."""
    unit: dict[str, Any] = {"one_record_per_unit": None, "records_per_unit": records}
    size, paths = RELEASES[variant], []
    for _ in range(-(-size // 400)):
        budget = {"kind": "new", "budget": budget_body(epsilon="1000", delta="0")}
        body = registration(counts, budget=budget, labels=None, attributes=ATTRIBUTES)
        made = owner.post("/v1/datasets", body | (unit if records > 1 else {})).json()
        paths.append(f"/v1/datasets/{made['id']}/releases")

    def release(number: int) -> dict[str, Any]:
        key, path = unique("audit").replace(" ", "-"), paths[number % len(paths)]
        body = {"margins": [["one"], ["two"]], "epsilon": EPSILON[variant]}
        answer = owner.wait_for(lambda: owner.post(path, body, idempotency_key=key), status=201, seconds=600)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    release(0)
    with ThreadPoolExecutor(_ASKING) as threads:
        return list(threads.map(release, range(size)))


@pytest.mark.parametrize(
    ("variant", "records"), [("sound", 1), ("sound", 3), ("disjoint", 1), ("one_left_out", 1), ("one_record", 3)]
)
def test_the_audit_holds_sound_margins_and_catches_planted_faults(
    migrated_sqlite: Path, tmp_path: Path, variant: str, records: int
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    fault = "sound" if variant == "sound" else f"mispriced_margins:{variant}"
    first, second = FIRST, moved(records)
    with serving_process(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", fault=fault) as server:
        owner = server.new("owner")
        worlds = [collect(owner, counts, records, variant) for counts in (first, second)]
    ratios = [[log_ratio(each, first, second) for each in world] for world in worlds]
    found, charged = lower_bound(ratios[0], ratios[1], 0.0), float(worlds[0][0]["charged"]["epsilon"])
    print(f"{variant} k={records}: charged {charged:.3f}, audited at least {found:.3f}")  # noqa: T201  a report of the long run
    assert found > 0
    assert (found > charged) is (variant != "sound")
