"""Writes docs/explanation/papers.md, docs/papers/report.md, its pictures and long tables: every experiment of the sources, reproduced from the project's own core.

    make papers                                                       all of it, in about ten minutes on two cores
    python -m benchmarks.papers --only notes:sizes abstract:second    some parts, to look at; nothing is written

Prints the seconds of each part as it is done.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

from benchmarks.papers.document import SOURCES, page, report, slips_table
from benchmarks.papers.report import Part

DOCS = Path(__file__).parents[2] / "docs"


def names() -> list[tuple[str, str]]:
    """List the parts of the report as (module, function name), in the order of the document."""
    return [
        (source, make.__name__) for source in SOURCES for make in import_module(f"benchmarks.papers.{source}").parts()
    ]


def made(name: tuple[str, str]) -> tuple[tuple[str, str], Part, float]:
    """The part, and the processor seconds it took."""
    source, function = name
    start = time.process_time()
    part: Part = getattr(import_module(f"benchmarks.papers.{source}"), function)()
    return name, part, time.process_time() - start


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", nargs="+", metavar="SOURCE:PART", help="print these parts and write nothing")
    only = arguments.parse_args().only
    wanted = names() if only is None else [(each.partition(":")[0], each.partition(":")[2]) for each in only]
    start, parts = time.perf_counter(), {}
    with ProcessPoolExecutor(2) as workers:
        for count, (name, part, seconds) in enumerate(workers.map(made, wanted), start=1):
            parts[name] = part
            passed = time.perf_counter() - start
            print(
                f"{count:2d} of {len(wanted)}  {seconds:6.1f} s of processor  {name[0]}: {part.title}  ({passed:.0f} s so far)",
                flush=True,
            )
    if only is not None:
        print("\n\n".join(part.markdown() for part in parts.values()))
        return
    pictures = DOCS / "papers"
    pictures.mkdir(exist_ok=True)
    drawn = {picture.name: picture.svg for part in parts.values() for picture in part.pictures}
    tables = {file: table for part in parts.values() for file, table in part.files().items()}
    tables["slips.csv"] = slips_table()
    for old in pictures.iterdir():
        if old.suffix in {".svg", ".csv"} and old.name not in {*tables, *(f"{stem}.svg" for stem in drawn)}:
            old.unlink()
    for stem, svg in drawn.items():
        (pictures / f"{stem}.svg").write_text(svg)
    for file, table in tables.items():
        (pictures / file).write_text(table.csv(), encoding="utf-8")
    (DOCS / "explanation" / "papers.md").write_text(page(parts))
    (pictures / "report.md").write_text(report(parts))
    print(
        f"docs/explanation/papers.md, docs/papers/report.md and {len(drawn)} pictures in {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
