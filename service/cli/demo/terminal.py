"""Prints the demonstration in a terminal of 100 columns: steps, facts and tables, in colour if the terminal has it."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

WIDTH = 100
_INDENT = 3
_NAME_WIDTH = 18


def title(text: str) -> None:
    typer.secho(text, bold=True)
    typer.secho("=" * WIDTH, dim=True)


def step(number: int, text: str) -> None:
    gap()
    typer.secho(f"{number}  {text}", bold=True, fg="cyan")


def say(text: str) -> None:
    """Print a paragraph."""
    margin = " " * _INDENT
    typer.echo(textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False))


def gap() -> None:
    typer.echo()


def fact(name: str, value: str, *, colour: str | None = None) -> None:
    """Print a name and its value."""
    margin = " " * (_INDENT + _NAME_WIDTH)
    text = textwrap.fill(value, WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    typer.echo(_name(name) + typer.style(text.removeprefix(margin), fg=colour))


@contextmanager
def waiting_for(name: str) -> Iterator[list[str]]:
    """Print `name` while the block runs, then the text that the block appended and the time it took."""
    typer.echo(_name(name), nl=False)
    started = time.monotonic()
    texts: list[str] = []
    yield texts
    seconds = f"{time.monotonic() - started:.1f} s"
    typer.echo(" ".join(texts).ljust(WIDTH - _INDENT - _NAME_WIDTH - len(seconds)) + typer.style(seconds, dim=True))


def _name(text: str) -> str:
    return " " * _INDENT + typer.style(text.ljust(_NAME_WIDTH), dim=True)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, alignment: str) -> None:
    """Print aligned columns. `alignment` has `<` or `>` for each."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        return (
            " " * _INDENT + "  ".join(f"{c:{a}{w}}" for c, a, w in zip(cells, alignment, widths, strict=True))
        ).rstrip()

    gap()
    typer.secho(line(headings), dim=True)
    for row in rows:
        typer.echo(line(row))
