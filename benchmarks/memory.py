"""Measures the most memory that a process takes: for draws and posteriors of large data sets, and for serving.

    python -m benchmarks.memory [--rounds 3]

Each row is a process of its own, its peak as the operating system tells it. The baseline is a process that imports
NumPy and SciPy's special functions, which the engine needs; for serving it is a FastAPI application of one route. Draws
have δ = 1e-8, and an ε at which product laws give many of them: 50, or 5 where windows are wide.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Final

from benchmarks._table import Table

PEAK: Final = "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
LIBRARIES: Final = "import numpy, scipy.special"
FASTAPI: Final = """
from fastapi import FastAPI
import pydantic, uvicorn
app = FastAPI()
@app.post("/empty")
async def empty() -> None: ...
app.openapi()
"""
DRAW: Final = """
import numpy as np
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.exponential.mechanism import certify_at_once, release
from core.privacy import Delta, Epsilon
from core.private import Private
from core.samplers.entropy import SystemEntropy
event = calibrate_published({n}, ({prior},) * {m}, Epsilon.parse("{epsilon}"), Delta.parse("1e-8"))
release(Private(np.full({m}, {n} // {m})), event, SystemEntropy(), loss=certify_at_once(event).loss)
"""
POSTERIOR: Final = """
import numpy as np
from core.inference import infer
from core.inference.quantiles import quantiles
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
event = SimplexGeometric({n}, {m}, Epsilon.parse("1"))
released = rehearse(event, np.full({m}, {n} // {m}), 1, SeededEntropy(1))[0]
quantiles(infer(event, released, np.ones({m})).shares(), (0.025, 0.975))
"""
SERVICE: Final = "import service.api.app"

ROWS: Final = [
    *(
        (
            f"draw, m = {m}, n = {n}, prior {prior:g}, ε = {epsilon}",
            LIBRARIES,
            DRAW.format(m=m, n=n, prior=prior, epsilon=epsilon),
        )
        for m, n, prior, epsilon in [
            (10, 100_000, 1.0, 50),
            (100, 1_000_000, 1.0, 50),
            (1_000, 10_000_000, 1.0, 50),
            (1_000, 10_000_000, 1e6, 50),
            (1_000, 10_000_000, 1e6, 5),
        ]
    ),
    *(
        (f"posterior with intervals, m = {m}, n = {n}", LIBRARIES, POSTERIOR.format(m=m, n=n))
        for m, n in [(100, 1_000_000), (10_000, 10_000_000)]
    ),
    ("the application, imported", FASTAPI, SERVICE),
]


def megabytes(script: str) -> float:
    ended = subprocess.run([sys.executable, "-c", script + PEAK], check=True, capture_output=True, text=True)
    return float(ended.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    tables: dict[str, Table] = {}
    for what, baseline, script in ROWS:
        named = "a process with NumPy and SciPy" if baseline is LIBRARIES else "FastAPI with one route, imported"
        table = tables.get(named) or tables.setdefault(named, Table(named))
        measured = [(megabytes(baseline), megabytes(script)) for _ in range(rounds)]
        before, after = zip(*measured, strict=True)
        table.add(what, before, after, "MB")
    for table in tables.values():
        table.show()


if __name__ == "__main__":
    main()
