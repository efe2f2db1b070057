"""Output of commands: tables and facts for people, the service's own text for programs, and error messages."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, TypeAlias, cast

import typer

from private_posterior.commands.exits import Exit

if TYPE_CHECKING:
    from private_posterior.answers import Listing
    from private_posterior.models import (
        Amount,
        Comparison,
        MarginsRelease,
        NoiseAwarePosterior,
        QueryRelease,
        Release,
    )

_WIDTH: Final = 100
_NAME_WIDTH: Final = 16
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the service's response unchanged; a list has one page per line.")
]


def plain(text: str) -> str:
    """Return the text with its control characters written out, except line ends and tabs: a terminal would obey them.
    In JSON the text keeps its meaning.
    """
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print a text that may contain parts of an answer."""
    typer.echo(plain(text), nl=nl, err=err)


def as_json(answer: Mapping[str, Any]) -> None:
    """Print an answer as the service sent it, except to a terminal."""
    _print_text(text_of(answer))


def _print_text(text: str) -> None:
    typer.echo(plain(text) if sys.stdout.isatty() else text)


def text_of(answer: Mapping[str, Any]) -> str:
    """Return the unchanged text of an answer."""
    from private_posterior.answers import Answer

    assert isinstance(answer, Answer), "the types of the models are those of dictionaries; the client makes answers"
    return answer.text


def pages_as_json(listing: Listing[Any]) -> None:
    for page in listing.pages():
        _print_text(page.text)


def note(text: str) -> None:
    """Print a remark about the answer on standard error, which may be closed or full."""
    try:
        echo(text, err=True)
    except OSError:
        # Python would write the text again at its end, fail, and exit with a code of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def fail(message: str, code: int = 2) -> NoReturn:
    """Print a message on standard error and end the command."""
    note(f"posterior: {message}")
    raise typer.Exit(code)


def require_writable(path: Path | None) -> None:
    """End the command unless the file can be written. It is called before anything is sent, and changes no file."""
    if path is None:
        return
    existed = path.exists()
    try:
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        fail(f"{path} can't be written ({error.strerror}); nothing was sent")


def write_file(path: Path, content: bytes) -> None:
    """Write the result to the file. Ends the command if that fails."""
    try:
        path.write_bytes(content)
    except OSError as error:
        fail(
            f"{path} can't be written ({error.strerror}); run the same command again with another file",
            Exit.INCOMPLETE,
        )


def write_release(path: Path, made: Mapping[str, Any]) -> None:
    """Write a release as the service sent it, and its signature beside it."""
    from private_posterior.answers import Answer

    write_file(path, text_of(made).encode())
    if isinstance(made, Answer) and made.signature is not None:
        write_file(signature_beside(path), made.signature.encode())


def signature_beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.signature")


def facts(*pairs: tuple[str, str]) -> None:
    """Print names, each with a text. Long texts are wrapped, and empty ones omitted."""
    for name, value in pairs:
        if not value:
            continue
        margin = " " * _NAME_WIDTH
        lines = textwrap.fill(
            plain(value), _WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
        )
        typer.echo(_dim_text(name.ljust(_NAME_WIDTH - 1)) + " " + lines.removeprefix(margin))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, alignment: str = "") -> None:
    """Print aligned columns. `alignment` has `<` or `>` for each; the default is `<`."""
    shown = [[plain(cell).replace("\n", " ") for cell in row] for row in rows]
    sides = alignment.ljust(len(headings), "<")[: len(headings)]
    widths = [max(map(len, column)) for column in zip(headings, *shown, strict=True)]

    def line(cells: Sequence[str]) -> str:
        return "  ".join(f"{c:{a}{w}}" for c, a, w in zip(cells, sides, widths, strict=True)).rstrip()

    typer.echo(_dim_text(line(headings)))
    for row in shown:
        typer.echo(line(row))


def show_figures(*answers: NoiseAwarePosterior | Comparison) -> None:
    """Print the figures of answers in one table, each once, and what to know about them."""
    from private_posterior.figures import FiguresAnswer

    tables, notes = [], []
    for each in answers:
        assert isinstance(each, FiguresAnswer), "the client makes answers"
        tables.append(each.table())
        notes += each.remarks()
    rows = dict.fromkeys(tuple(row) for _, found in tables for row in found)
    headings = tables[0].headings
    table(headings, rows, alignment="<" + ">" * (len(headings) - 1))
    for text in dict.fromkeys(notes):
        note(text)


def _dim_text(text: str) -> str:
    return typer.style(text, dim=True) if sys.stdout.isatty() else text


def amount_text(amount: Amount) -> str:
    """Return an amount as text, such as `epsilon 0.5, delta 0.000001`. A delta of 0 is omitted."""
    main = f"epsilon {amount['epsilon']}" if amount["accountant"] == "basic" else f"rho {amount['rho']}"
    return main if amount["delta"] == "0" else f"{main}, delta {amount['delta']}"


def lacking_text(wanted: Amount, left: Amount) -> str:
    """Return the parts of an amount that exceed what is left, such as `delta 0.000001 of 0 left`."""
    have = cast("dict[str, str]", left)
    return ", ".join(
        f"{part} {value} of {have[part]} left"
        for part, value in cast("dict[str, str]", wanted).items()
        if part in {"epsilon", "rho", "delta"} and Decimal(value) > Decimal(have[part])
    )


def charges(made: Release | QueryRelease | MarginsRelease) -> list[tuple[str, str]]:
    """Return facts about the charge of a paid answer. What was left is true only if the charge was made now."""
    charged = amount_text(made["charged"])
    if getattr(made, "replayed", False):
        return [("charged", f"nothing now: {charged} was charged on {made['created_at']}")]
    return [("charged", charged), ("left for you", amount_text(made["remaining_after"]))]


def share_text(share: float) -> str:
    """Return a share with a readable number of digits."""
    return f"{share:.4g}"
