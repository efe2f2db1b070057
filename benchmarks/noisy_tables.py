"""Times the posterior of a noisy table with all its intervals, and its peak of memory, beside the posterior of a release.

    python -m benchmarks.noisy_tables [--cells 2 10 50 200 1000 10000] [--seconds 120]

The baseline is the noise-aware posterior of a simplex geometric release of the same size at ε = 1 and public n, with
the 95 % interval of each share. The noisy table has geometric noise of scale 1 and 100 records per cell. Its answer has
shares, counts and n with their intervals, and the means at a tenth of the prior. Each measurement is a process of its
own, which ends at `--seconds` of CPU time: processor time after the imports, and the peak of the whole process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Final

START: Final = """
import resource, time
import numpy as np
from core.inference import infer
from core.inference.quantiles import quantiles
from core.mechanisms.catalogue import rehearse
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
from service.posteriors import posteriors
from service.posteriors.sources import table_of
from service.schemas.posteriors import PosteriorCreate
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
rng = np.random.default_rng(1)
counts = rng.multinomial(100 * {m}, rng.dirichlet(np.full({m}, 5.0)))
started = time.process_time()
"""
RELEASE: Final = """
event = SimplexGeometric(100 * {m}, {m}, Epsilon.parse("1"))
released = rehearse(event, counts, 1, SeededEntropy(1))[0]
quantiles(infer(event, released, np.ones({m})).shares(), (0.025, 0.975))
"""
TABLE: Final = """
noise = dict(law="geometric", scale=1)
drawn = rng.geometric(1 - np.exp(-1), ({m}, 2)) @ [1, -1]
cells = [dict(label=str(i), value=value) for i, value in enumerate((counts + drawn).tolist())]
total = {total}
request = PosteriorCreate(sources=[dict(kind="table", cells=cells, noise=noise, total=total)])
posteriors.summarise(table_of(request.sources), request)
"""
END: Final = """
print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
TOTALS: Final = {
    "n known": "dict(known=int(counts.sum()))",
    "n unknown": "None",
    "n published": "dict(published=dict(value=int(counts.sum()) + 1, noise=noise))",
}


def measured(code: str, m: int, seconds: int) -> tuple[float, float] | None:
    """Seconds and megabytes of a program, or None if it reached its limit of CPU time."""
    program = (START + code + END).replace("{m}", str(m)).replace("{seconds}", str(seconds))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode < 0:
        return None
    assert done.returncode == 0, done.stderr
    taken, megabytes = map(float, done.stdout.split())
    return taken, megabytes


def shown(found: tuple[float, float] | None, seconds: int) -> str:
    return f"above {seconds} s" if found is None else f"{found[0]:.3g} s, {found[1]:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, nargs="+", default=[2, 10, 50, 200, 1000, 10_000])
    parser.add_argument("--seconds", type=int, default=120)
    arguments = parser.parse_args()
    seconds = arguments.seconds
    print("| Cells | Release, n public |", *(f"Table, {name} |" for name in TOTALS))
    print("|---|---|" + "---|" * len(TOTALS))
    for m in arguments.cells:
        programs = [RELEASE, *(TABLE.replace("{total}", total) for total in TOTALS.values())]
        found = [shown(measured(each, m, seconds), seconds) for each in programs]
        print(f"| {m} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
