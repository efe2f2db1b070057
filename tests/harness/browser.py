"""A browser without JavaScript: it reads pages, keeps a cookie, and sends forms with typed values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urlencode

import httpx

from tests.harness.deadlines import PATIENCE

_VOID: Final = frozenset({"meta", "link", "input", "img", "br", "hr", "col", "source", "wbr"})
_FORM_FIELDS: Final = frozenset({"input", "select", "textarea"})


@dataclass(slots=True)
class Element:
    """An element of a page, with the texts and elements in it."""

    name: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def ancestors(self) -> list[Element]:
        return [] if self.parent is None else [self.parent, *self.parent.ancestors]

    def all(self, *names: str) -> list[Element]:
        """Every element of these names below this one."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if not names or child.name in names else []
                found += child.all(*names)
        return found

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute) or ""

    def has(self, attribute: str) -> bool:
        return attribute in self.attributes


class _Reader(HTMLParser):
    """Parses a page strictly: every opened element is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("#document", {})
        self._current_element = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice: {attrs}"
        element = Element(tag, dict(attrs), self._current_element)
        self._current_element.children.append(element)
        if tag not in _VOID:
            self._current_element = element

    def handle_endtag(self, tag: str) -> None:
        assert tag == self._current_element.name, f"</{tag}> closes <{self._current_element.name}>"
        assert self._current_element.parent is not None
        self._current_element = self._current_element.parent

    def handle_data(self, data: str) -> None:
        self._current_element.children.append(data)

    def finish(self) -> Element:
        self.close()
        assert self._current_element is self.root, f"<{self._current_element.name}> is never closed"
        return self.root


@dataclass(frozen=True, slots=True)
class Page:
    """An answer with a page in it."""

    response: httpx.Response
    root: Element

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def path(self) -> str:
        return self.response.url.path

    @property
    def text(self) -> str:
        return " ".join(self.root.all("main")[0].text.split())

    @property
    def heading(self) -> str:
        return " ".join(self.root.all("h1")[0].text.split())

    @property
    def forms(self) -> list[Element]:
        return self.root.all("form")

    @property
    def links(self) -> list[str]:
        """The addresses of its links."""
        return [each.get("href") for each in self.root.all("a")]

    def link(self, text: str) -> str:
        """The address of the first link with this text in it."""
        return next(each.get("href") for each in self.root.all("a") if text in " ".join(each.text.split()))

    def by_id(self, id_: str) -> Element:
        return next(each for each in self.root.all() if each.get("id") == id_)

    def error_at(self, id_: str) -> str:
        """The error message of a field, found through the field's description."""
        assert self.by_id(id_).get("aria-invalid") == "true", self.text
        assert f"{id_}-error" in self.by_id(id_).get("aria-describedby").split()
        return self.by_id(f"{id_}-error").text

    def value(self, name: str) -> str:
        """The value of a field of any form."""
        return next(value for form in self.forms for each, value in fields_of(form) if each == name)

    @property
    def marks(self) -> list[tuple[str, str]]:
        """The fields that every form carries: the token of its session, and whose page it is on."""
        return [(name, self.value(name)) for name in ("form_token", "whose")]


def fields_of(form: Element) -> list[tuple[str, str]]:
    """The values that a form sends unchanged, without buttons."""
    found: list[tuple[str, str]] = []
    for each in form.all(*_FORM_FIELDS):
        name = each.get("name")
        if not name or each.has("disabled"):
            continue
        if each.name == "textarea":
            found.append((name, each.text.removeprefix("\n")))
        elif each.name == "select":
            options = each.all("option")
            chosen = next((option for option in options if option.has("selected")), options[0])
            found.append((name, chosen.get("value")))
        elif each.get("type") in {"checkbox", "radio"}:
            found += [(name, each.get("value"))] if each.has("checked") else []
        else:
            found.append((name, each.get("value")))
    return found


@dataclass(slots=True)
class Browser:
    """The browser of one person. `seen` has every page that it received."""

    url: str
    http: httpx.Client = field(init=False, repr=False)
    seen: list[Page] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.http = httpx.Client(
            base_url=self.url,
            timeout=PATIENCE,
            follow_redirects=True,
            headers={
                "Sec-Fetch-Site": "same-origin",
                "Accept": "text/html,application/xhtml+xml",
                "Connection": "close",  # no socket is left behind
            },
        )

    @property
    def cookie(self) -> str:
        return next((each.value or "" for each in self.http.cookies.jar if each.name == "posterior_session"), "")

    def plant(self, cookie: str) -> None:
        """Puts a cookie in the place of that of the console."""
        self.http.cookies.clear()
        self.http.cookies.set("posterior_session", cookie, domain=httpx.URL(self.url).host, path="/console")

    def get(self, path: str, **headers: str) -> Page:
        return self._patiently(lambda: self.http.get(path, headers=headers))

    def send(self, page: Page, action: str, *, button: str = "", **typed: str) -> Page:
        """Sends the form whose action ends with `action`, with typed values. `button`: the label of the pressed button,
        if it has a value.
        """
        form = next(each for each in page.forms if each.get("action").endswith(action))
        fields = [(name, value) for name, value in fields_of(form) if name not in typed]
        pressed = next((each for each in form.all("button") if each.get("name") == button), None) if button else None
        if pressed is not None:
            fields.append((button, pressed.get("value")))
        target = (pressed.get("formaction") if pressed is not None else "") or form.get("action")
        return self.post(target, [*fields, *typed.items()])

    def post(self, path: str, fields: list[tuple[str, str]], headers: Mapping[str, str] | None = None) -> Page:
        given = {"Content-Type": "application/x-www-form-urlencoded"} | dict(headers or {})
        return self._patiently(lambda: self.http.post(path, content=urlencode(fields), headers=given))

    def sign_in(self, key: str) -> Page:
        return self.send(self.get("/console/sign-in"), "/console/sign-in", key=key)

    def _patiently(self, ask: Callable[[], httpx.Response]) -> Page:
        """Asks again where a computation takes long on a busy machine, as the page says."""
        page = self._page(ask())
        for _ in range(5):
            if "Ask once more in a minute" not in page.text:
                break
            page = self._page(ask())
        return page

    def _page(self, response: httpx.Response) -> Page:
        assert response.headers["Content-Type"] == "text/html; charset=utf-8", response.text
        reader = _Reader()
        reader.feed(response.text)
        page = Page(response, reader.finish())
        self.seen.append(page)
        return page
