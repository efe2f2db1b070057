"""A part of the report: a source's claim, the finding, the difference, and the pictures; and its Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


@dataclass(frozen=True)
class Picture:
    """An SVG document, the name of its file without the suffix, and its caption."""

    name: str
    svg: str
    alternative: str

    def markdown(self) -> str:
        return f"![{self.alternative}]({self.name}.svg)"


@dataclass(frozen=True)
class Part:
    """`says` is the source's claim in its own terms, `true` the finding by exact numbers."""

    title: str
    says: str
    true: str
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    numbers: dict[str, float] = field(default_factory=dict)

    def markdown(self) -> str:
        blocks = [f"### {self.title}"]
        if self.says:
            blocks.append(f"**The source says.** {self.says}")
        blocks.append(f"**True.** {self.true}" if self.says else self.true)
        blocks += [table.markdown() for table in self.tables]
        blocks += [picture.markdown() for picture in self.pictures]
        return "\n\n".join(blocks)


def number(value: float, digits: int = 4) -> str:
    """A number for prose and tables: `digits` significant, no exponent where it can be avoided."""
    if value == 0.0:
        return "0"
    if 1e-4 <= abs(value) < 1e6:
        text = f"{value:.{digits}g}"
        return f"{float(text):,.0f}".replace(",", " ") if "e" in text else text
    return f"{value:.{max(digits - 2, 1)}e}"
