"""Reads SVG pictures back: their texts with estimated boxes, their marks, and forbidden content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree as ET

from service.pictures.svg import STYLE, Picture

_SVG = "{http://www.w3.org/2000/svg}"
_ALLOWED_ELEMENTS = frozenset({"svg", "title", "desc", "style", "rect", "text", "line", "polyline", "polygon", "path"})
_WIDTHS_PER_EM = {"narrow": 0.36, "wide": 0.95, "other": 0.6}


@dataclass(frozen=True)
class Text:
    """A text and the box that it takes, by an estimate."""

    content: str
    size: float
    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: Text) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True)
class Mark:
    """A line, curve, area or shape: the name of its element, its class and its other attributes."""

    kind: str
    tone: str
    attributes: dict[str, str]

    @property
    def points(self) -> list[tuple[float, float]]:
        """The points of a curve or an area."""
        return [(float(x), float(y)) for x, y in (each.split(",") for each in self.attributes["points"].split())]


@dataclass(frozen=True)
class Drawn:
    """A picture as it was read."""

    width: float
    height: float
    title: str
    description: str
    texts: list[Text]
    marks: list[Mark]

    @property
    def words(self) -> list[str]:
        return [text.content for text in self.texts]

    def marks_of(self, kind: str, tone: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind == kind and tone in mark.tone.split()]


def drawn(document: str | Picture) -> Drawn:
    """The picture, which is well formed and has its promised form."""
    document = document.document() if isinstance(document, Picture) else document
    root = ET.fromstring(document)  # noqa: S314  our own service wrote it
    elements = list(root.iter())
    names = [element.tag.removeprefix(_SVG) for element in elements]
    assert set(names) <= _ALLOWED_ELEMENTS, "nothing loads or runs"
    assert (names.count("style"), root.findtext(f"{_SVG}style")) == (1, STYLE)
    assert not re.search(r"url|import|expression|http", STYLE)
    for element in elements:
        assert not any(name.startswith("on") or "href" in name or name == "style" for name in element.attrib)
        assert not any("url(" in value for value in element.attrib.values())
    assert root.get("role") == "img"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    found = Drawn(
        width=width,
        height=height,
        title=root.findtext(f"{_SVG}title") or "",
        description=root.findtext(f"{_SVG}desc") or "",
        texts=[_text(element, float(root.attrib["font-size"])) for element in root.iter(f"{_SVG}text")],
        marks=[
            Mark(name, element.get("class", ""), element.attrib)
            for name, element in zip(names, elements, strict=True)
            if name in {"line", "polyline", "polygon", "path", "rect"}
        ],
    )
    assert found.title
    assert found.description
    return found


def assert_legible(picture: Drawn) -> None:
    """Texts are large enough, within the picture, and apart from each other."""
    for text in picture.texts:
        assert text.size >= 14, text
        assert text.left >= -1, text
        assert text.right <= picture.width + 1, text
        assert 0 <= text.top < text.bottom <= picture.height, text
    for one, other in combinations(sorted(picture.texts, key=lambda text: text.top)[:400], 2):
        assert not one.overlaps(other), (one, other)
    for mark in picture.marks:
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", mark.attributes.get("points", ""))]
        assert all(-1 <= each <= picture.width + 1 for each in numbers[::2]), mark
        assert all(-1 <= each <= picture.height + 1 for each in numbers[1::2]), mark


def _text(element: ET.Element, usual: float) -> Text:
    content = element.text or ""
    size = float(element.get("font-size", usual))
    width = sum(_em(character) for character in content) * size * (1.08 if "font-weight" in element.attrib else 1.0)
    x, y = float(element.attrib["x"]), float(element.attrib["y"])
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
    return Text(content, size, left, left + width, y - 0.76 * size, y + 0.2 * size)


def _em(character: str) -> float:
    if character in "\u2068\u2069":
        return 0.0
    if character in " .,:;'|!()[]{}iIjlftr·/-":
        return _WIDTHS_PER_EM["narrow"]
    return _WIDTHS_PER_EM["wide" if character in "mMwW%—…@" else "other"]
