"""Regular expressions for decimal texts in a range, for JSON Schema."""

from __future__ import annotations


def pattern_of_range(*, digits: int, largest: int, below: bool = False, least: int | None = None, zero: bool) -> str:
    """Return a regular expression for the decimal texts from 10^-least to `largest`, with at most `digits` digits
    behind the point: plain, or with an exponent and one nonzero digit before the point.

    Args:
        digits: largest number of digits behind the point.
        largest: a digit followed by zeros. It is included unless `below` is set.
        below: whether `largest` itself is excluded; only 1 can be.
        least: exponent of the smallest amount above 0, from 1 to `digits`; None stands for `digits`.
        zero: whether 0 is included.
    """
    least = digits if least is None else least
    lead, power = int(str(largest)[0]), len(str(largest)) - 1
    texts = [rf"0\.{'0' * zeros}[1-9][0-9]{{0,{digits - zeros - 1}}}" for zeros in range(least)]
    texts += [
        rf"[1-9](\.[0-9]{{1,{digits - down}}})?[eE]-{exponent(down)}" for down in range(1, min(least, digits - 1) + 1)
    ]
    if least == digits:
        texts.append(rf"[1-9][eE]-{exponent(digits)}")
    if zero:
        texts.append(rf"0(\.0{{1,{digits}}})?")
    if below:
        assert largest == 1, "only 1 can be left out"
        return f"^({'|'.join(texts)})$"
    if power:
        texts.append(rf"[1-9][0-9]{{0,{power - 1}}}(\.[0-9]{{1,{digits}}})?")
    texts += [rf"[1-9](\.[0-9]{{1,{digits}}})?[eE]\+?{exponent(up)}" for up in range(power)]
    if lead > 1:
        texts.append(rf"[1-{lead - 1}][0-9]{{{power}}}(\.[0-9]{{1,{digits}}})?")
        texts.append(rf"[1-{lead - 1}](\.[0-9]{{1,{digits}}})?[eE]\+?{exponent(power)}")
    texts += [rf"{largest}(\.0{{1,{digits}}})?", rf"{lead}(\.0{{1,{digits}}})?[eE]\+?{exponent(power)}"]
    return f"^({'|'.join(texts)})$"


def exponent(size: int) -> str:
    """Return a regular expression for an exponent of one or two digits."""
    return f"0?{size}" if size < 10 else str(size)
