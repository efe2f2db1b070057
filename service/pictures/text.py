"""Measures, cuts and wraps text, and makes any text safe to show."""

from __future__ import annotations

import unicodedata
from typing import Final

_ADVANCES: Final = (
    *(32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34),
    *(64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53),
    *(100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79),
    *(60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50),
    *(50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61),
    *(63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84),
)
"""Widths of the printable ASCII characters in DejaVu Sans, in hundredths of the font size. Few fonts are wider."""
_OTHER_ADVANCE: Final = 80
_WIDE_ADVANCE: Final = 110
"""Width of East Asian characters and emoji, in hundredths of the font size."""
_BOLD_WIDTH_FACTOR: Final = 1.13
_ISOLATE: Final = "\u2068"
_POP: Final = "\u2069"
_JOINERS: Final = "\u200c\u200d"
_UNSAFE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of control characters, marks that change the direction of text, and what XML does not allow."""
_REPLACEMENT: Final = "\ufffd"


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return an upper estimate of the width of a line of text, in pixels."""
    return sum(map(_advance, text)) * size / 100.0 * (_BOLD_WIDTH_FACTOR if bold else 1.0)


def _advance(character: str) -> int:
    if " " <= character <= "~":
        return _ADVANCES[ord(character) - 32]
    if character == "\N{NARROW NO-BREAK SPACE}":
        return _ADVANCES[0]
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return _WIDE_ADVANCE if unicodedata.east_asian_width(character) in "WF" else _OTHER_ADVANCE


def safe(text: str) -> str:
    """Return the text with U+FFFD in place of control characters and of marks that change its direction.

    Isolates are kept, because they end with the text.
    """
    return "".join(_REPLACEMENT if _is_unsafe(character) else character for character in text)


def _is_unsafe(character: str) -> bool:
    code = ord(character)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:  # noncharacters
        return True
    return unicodedata.category(character) in _UNSAFE_CATEGORIES and character not in _JOINERS + _ISOLATE + _POP


def isolated(text: str) -> str:
    """Return the text for use inside a longer one. Right-to-left letters in it do not reorder the surrounding text."""
    text = safe(text).replace(_ISOLATE, "").replace(_POP, "")
    runs_left = any(unicodedata.bidirectional(character) in {"R", "AL", "AN"} for character in text)
    return f"{_ISOLATE}{text}{_POP}" if runs_left else text


def cut(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Return the text, or as much of its beginning as fits the width with an ellipsis."""
    if text_width(text, size, bold=bold) <= width:
        return text
    room = width - text_width("…", size, bold=bold)
    end = 0
    for end, character in enumerate(text):  # noqa: B007  where the loop stopped is the answer
        room -= text_width(character, size, bold=bold)
        if room < 0:
            break
    return text[:end].rstrip() + "…"


def wrap(text: str, width: float, size: float, *, bold: bool = False, most: int | None = None) -> list[str]:
    """Return the text in lines that fit the width. If there would be more than `most`, the last line ends with an
    ellipsis.
    """
    lines, line = [], ""
    words = text.split(" ")
    while words:
        word = words.pop(0)
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold) <= width:
            line = longer
        elif line:
            lines.append(line)
            line = ""
            words.insert(0, word)
        else:
            first = max(1, len(cut(word, width, size, bold=bold)) - 1)
            lines.append(word[:first])
            words.insert(0, word[first:])
    lines.append(line)
    if most is None or len(lines) <= most:
        return lines
    rest = " ".join(lines[most - 1 :])
    return [*lines[: most - 1], cut(rest + "…", width, size, bold=bold)]
