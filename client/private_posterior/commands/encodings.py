"""Finds the encoding of a file of texts. The names are those of the browser's TextDecoder, which the console uses."""

from __future__ import annotations

import codecs
from typing import BinaryIO, Final

CHUNK: Final = 65_536
"""Bytes that are looked at together."""
ENCODINGS: Final = {
    "utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "windows-1252": "cp1252",
    "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1253": "cp1253", "windows-1254": "cp1254",
    "windows-1255": "cp1255", "windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258",
    "windows-874": "cp874", "iso-8859-2": "iso8859-2", "iso-8859-3": "iso8859-3", "iso-8859-4": "iso8859-4",
    "iso-8859-5": "iso8859-5", "iso-8859-6": "iso8859-6", "iso-8859-7": "iso8859-7", "iso-8859-8": "iso8859-8",
    "iso-8859-10": "iso8859-10", "iso-8859-13": "iso8859-13", "iso-8859-14": "iso8859-14",
    "iso-8859-15": "iso8859-15", "iso-8859-16": "iso8859-16", "koi8-r": "koi8-r", "koi8-u": "koi8-u",
    "macintosh": "mac-roman", "x-mac-cyrillic": "mac-cyrillic", "ibm866": "cp866", "shift_jis": "cp932",
    "euc-jp": "euc-jp", "iso-2022-jp": "iso2022-jp", "euc-kr": "cp949", "big5": "big5hkscs", "gb18030": "gb18030",
}  # fmt: skip
"""Encodings of TextDecoder, and Python's names for them."""
_LATIN: Final = {
    "windows-1252": "äöüßéèàçñóíáúâêîôåøæœÄÖÜÉÈÀÇÑÓÁÅØÆ",
    "windows-1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţöüäĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰ",
    "windows-1254": "çğıöşüâîÇĞİÖŞÜ",
    "windows-1257": "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲ",
    "macintosh": "äöüßéèàçñóíáúâêîôåøæœÄÖÜÉÈÀÇÑÓÁÅØÆ",
}
"""Encodings of Latin scripts, and the letters that are usual in the languages for which they are used."""
_OTHER: Final = {
    "windows-1251": ("\u0400", "\u04ff"),
    "koi8-r": ("\u0400", "\u04ff"),
    "windows-1253": ("\u0370", "\u03ff"),
}
"""Encodings of other scripts, with the range of their letters."""
_ASIAN: Final = {
    "shift_jis": ("\u3041", "\u30ff", 0.1), "euc-jp": ("\u3041", "\u30ff", 0.1), "euc-kr": ("\uac00", "\ud7a3", 0.5),
    "gb18030": ("\u4e00", "\u9fff", 0.5),
}  # fmt: skip
"""Encodings of East Asian scripts, a range of letters, and the least share of these letters."""
_MOST_SCORED: Final = 65_536


def find_encoding(file: BinaryIO, *, is_whole: bool = True) -> str | None:
    """Return the likeliest encoding of a file, or None if it is not a text. Reads the file from where it is.

    `is_whole` says that the file does not end within a letter.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_first = True
    while chunk := file.read(CHUNK):
        if is_first and (found := _marked(chunk)):
            return found
        if 0 in chunk:
            return None
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError:
            return _likeliest(chunk if is_first else chunk.partition(b"\n")[2])
        is_first = False
    try:
        decoder.decode(b"", final=is_whole)
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def _marked(start: bytes) -> str | None:
    if start.startswith(codecs.BOM_UTF16_LE):
        return "utf-16le"
    if start.startswith(codecs.BOM_UTF16_BE):
        return "utf-16be"
    sample = start[:2_000]
    if len(sample) >= 4 and sample.count(0) > len(sample) // 4:
        odd, even = sample[1::2].count(0), sample[::2].count(0)
        if odd == 0 or even == 0:
            return "utf-16le" if odd else "utf-16be"
    return None


def _likeliest(sample: bytes) -> str:
    best, highest = "windows-1252", -10.0
    for name in (*_LATIN, *_OTHER, *_ASIAN):
        try:
            text = codecs.getincrementaldecoder(ENCODINGS[name])().decode(sample[:_MOST_SCORED])
        except UnicodeDecodeError:
            continue
        score = _score(name, text)
        if score > highest:
            best, highest = name, score
    return best


def _score(name: str, text: str) -> float:
    """Return how well a decoded text looks, as the mean over its letters that are not ASCII."""
    size, total, typical = 0, 0.0, 0
    for at, letter in enumerate(text):
        if letter < "\x80":
            continue
        size += 1
        before = text[at - 1] if at else " "
        after = text[at + 1] if at + 1 < len(text) else " "
        if name in _ASIAN:
            low, high, _ = _ASIAN[name]
            typical += low <= letter <= high
            total += (
                1
                if "\u3000" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3" or "\uff01" <= letter <= "\uff5e"
                else -1
            )
        else:
            total += _fit(name, letter, before, after)
    if not size or (name in _ASIAN and typical < _ASIAN[name][2] * size):
        return -10.0
    return total / size


def _fit(name: str, letter: str, before: str, after: str) -> float:
    if letter < "\xa0":
        return -2
    near_latin = _is_ascii_letter(before) or _is_ascii_letter(after)
    if letter.lower() == letter.upper():
        return -1 if near_latin and _is_letter(before) and _is_letter(after) else 0
    if letter == letter.upper() and before != before.upper():
        return -1
    if name in _LATIN:
        if not near_latin:
            return -0.5
        return 1 if letter in _LATIN[name] else 0.5
    low, high = _OTHER[name]
    if near_latin or not low <= letter <= high:
        return -1
    near = low <= before <= high or low <= after <= high
    return (1 if letter == letter.lower() else 0.8) if near else 0


def _is_ascii_letter(letter: str) -> bool:
    return "a" <= letter.lower() <= "z"


def _is_letter(letter: str) -> bool:
    return letter.lower() != letter.upper()
