"""Every page is well-formed, labelled, without inline code, under one policy, and without a count."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import httpx
import pytest

from tests.harness.bodies import registration, unique
from tests.harness.browser import Browser, Page
from tests.harness.server import Party, Role, Server
from tests.service.conftest import COUNTS, Study, make_study
from tests.service.console.conftest import browser_of

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HOSTILE = [
    "<script>alert(1)</script>",
    "</textarea><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %}",
    "\u05d0\u05d1\u05d2 \u0627\u0644\u0639",
    "'\" & <b>",
    "x" * 200,
]


def pages_of(study: Study, server: Server) -> list[Page]:
    """Every page that a person can open, as its visitors see it."""
    nobody, owner, admin, analyst = Browser(server.url), *map(browser_of, (study.owner, server.admin, study.analyst))
    data = f"/console/data/{study.dataset_id}"
    found = [
        nobody.get(path)
        for path in ("/console/sign-in", "/console/", "/console/nothing", "/console/help", "/console/check", data)
    ]
    found += [
        owner.get(path) for path in ("/console/", "/console/data/new", "/console/keys", data, f"{data}/statement")
    ]
    found += [admin.get(path) for path in ("/console/admin", "/console/keys", data)]
    found += [analyst.get(path) for path in ("/console/", "/console/admin", data)]
    found.append(nobody.sign_in("ppe_an-invitation"))
    found.append(nobody.sign_in("pp_wrong"))
    found.append(owner.send(owner.get(data), f"{data}/delete", delete_name="another", key=study.owner.key))
    found.append(owner.post(f"{data}/grants", [("analyst", "pri_x"), ("cap", "1")]))
    return found


def _named_party(server: Server, role: Role, name: str) -> Party:
    made = server.admin.api.create_principal({"role": role, "name": f"{name} {unique('x')}"})
    assert made["enrolment"] is not None
    return server.enrol(made["enrolment"]["token"])


@pytest.fixture(scope="module")
def hostile(server_of_module: Server) -> list[Page]:
    """The pages about a data set whose name, labels and people contain markup."""
    owner = _named_party(server_of_module, "owner", HOSTILE[0])
    analyst = _named_party(server_of_module, "analyst", HOSTILE[1])
    body = registration(
        [3, 4, 5, 6, 7, 8], labels=HOSTILE, name=f"{unique('')}{HOSTILE[0]}{HOSTILE[3]}", unit=HOSTILE[1]
    )
    body["budget"]["budget"]["name"] = f"{HOSTILE[1]}{unique('')}"
    data = owner.post("/v1/datasets", body).json()
    grant = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
    given = owner.post(f"/v1/datasets/{data['id']}/grants", grant).json()
    study = Study(owner, data["id"], data["budget_id"], analyst, given["id"])
    analyst.release(data["id"], {"prior": [1] * 6, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}})
    return pages_of(study, server_of_module)


@pytest.fixture(scope="module")
def server_of_module(sqlite_server: Server) -> Server:
    return sqlite_server


def test_every_page_has_one_heading_landmarks_and_a_language(hostile: list[Page]) -> None:
    for page in hostile:
        root = page.root
        assert [len(root.all(name)) for name in ("h1", "main", "header", "footer", "title")] == [1] * 5, page.path
        assert root.all("html")[0].get("lang") == "en"
        assert root.all("title")[0].text.strip().endswith("Private Posterior")
        skip = root.all("a")[0]
        assert skip.get("href") == f"#{root.all('main')[0].get('id')}"
        levels = [int(heading.name[1]) for heading in root.all("h1", "h2", "h3", "h4")]
        assert all(after - before <= 1 for before, after in pairwise(levels)), (page.path, levels)


def test_every_field_has_a_label_and_every_reference_leads_somewhere(hostile: list[Page]) -> None:
    for page in hostile:
        ids = [element.get("id") for element in page.root.all() if element.has("id")]
        assert len(set(ids)) == len(ids), (page.path, sorted(each for each in ids if ids.count(each) > 1))
        labelled = {label.get("for") for label in page.root.all("label")}
        assert labelled <= set(ids)
        for element in page.root.all("input", "select", "textarea"):
            if element.get("type") != "hidden" and not element.has("hidden"):
                is_labelled = element.get("id") in labelled or element.get("aria-label")
                assert is_labelled, (page.path, element.attributes)
        for element in page.root.all():
            for attribute in ("aria-describedby", "aria-labelledby"):
                assert set(element.get(attribute).split()) <= set(ids), (page.path, element.attributes)
            if element.name == "a" and element.get("href").startswith("#"):
                assert element.get("href")[1:] in ids
        for button in page.root.all("button"):
            assert button.text.strip(), page.path
            assert not any(outer.name in {"button", "a"} for outer in button.ancestors)
        for form in page.forms:
            assert not any(outer.name == "form" for outer in form.ancestors)


def test_every_table_has_a_caption_and_every_picture_a_text(hostile: list[Page]) -> None:
    for page in hostile:
        for table in page.root.all("table"):
            assert table.all("caption")[0].text.strip(), page.path
        for picture in page.root.all("img"):
            assert picture.get("alt").strip(), page.path
        for picture in page.root.all("svg"):
            assert picture.get("aria-label").strip(), page.path
            assert picture.get("role") == "img"


def test_no_page_has_code_or_style_of_its_own(hostile: list[Page]) -> None:
    for page in hostile:
        for element in page.root.all():
            assert not any(name == "style" or name.startswith("on") for name in element.attributes), (
                page.path,
                element,
            )
            assert element.name not in {"style", "iframe", "object", "embed", "base"}, page.path
        for script in page.root.all("script"):
            assert script.get("src").startswith("/console/static/")
            assert not script.text
        for element in page.root.all("a", "link", "script", "img", "form"):
            for attribute in ("href", "src", "action"):
                address = element.get(attribute)
                assert not address or address.startswith(("/console/", "#")), page.path


def test_what_is_written_to_break_a_page_is_shown_as_text(hostile: list[Page]) -> None:
    about = [
        page for page in hostile if page.path.endswith(("/statement", "/console/")) or "/console/data/dat_" in page.path
    ]
    for text in HOSTILE:
        assert any(text in page.text for page in about), text
    for page in hostile:
        assert not page.root.all("b")
        assert "49 {" not in page.text
        assert all(picture.get("src") != "x" for picture in page.root.all("img"))


def test_every_page_has_the_policy_and_is_stored_nowhere(hostile: list[Page]) -> None:
    for page in hostile:
        headers = page.response.headers
        assert headers.get_list("Content-Security-Policy") == [POLICY], page.path
        assert headers.get_list("X-Content-Type-Options") == ["nosniff"]
        assert headers.get_list("Referrer-Policy") == ["same-origin"]
        assert headers.get_list("Cache-Control") == ["no-store"], page.path


def test_the_files_of_pages_have_the_policy_too(server: Server) -> None:
    files = {"static/console.css": "text/css", "static/forms.js": "text/javascript", "static/icon.svg": "image/svg+xml"}
    with httpx.Client(base_url=server.url) as http:
        for name, kind in (files | {"checker/verify.mjs": "text/javascript"}).items():
            answer = http.get(f"/console/{name}")
            assert answer.headers["Content-Type"].startswith(kind)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cache-Control"] == "no-cache"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        for path in ("/console/static/../app.py", "/console/static/%2e%2e/pages.py", "/console/static/nothing.js"):
            assert http.get(path).status_code == 404


def test_no_file_of_the_console_names_another_host() -> None:
    from service.console import console

    for path in console._FILES.parent.rglob("*"):
        if path.suffix in {".html", ".css", ".js", ".svg"}:
            hosts = set(re.findall(r"(?:https?:)?//([a-z0-9.-]+\.[a-z]+)", path.read_text(encoding="utf-8")))
            assert hosts <= {"www.w3.org"}, path


def test_no_count_is_on_any_page(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    study.analyst.release(study.dataset_id)
    pages = pages_of(study, server)
    for text in (page.response.text for page in pages):
        digits = re.sub(r"[\s,.\u202f_]", "", text)
        assert not any(str(count) in digits for count in COUNTS)
    shown = next(page for page in pages if page.path == f"/console/data/{study.dataset_id}" and page.status == 200)
    assert str(sum(COUNTS)) in re.sub(r"\s", "", shown.text)  # the search would find a count


def test_the_picture_of_the_spending_says_its_numbers(study: Study) -> None:
    for _ in range(2):
        assert study.analyst.release(study.dataset_id).status_code == 201
    page = browser_of(study.owner).get(f"/console/data/{study.dataset_id}")
    [picture] = page.root.all("svg")
    assert "Budget: ε = 1; spent: 0.2; left: 0.8; 2 charges" in picture.all("desc")[0].text
    assert page.root.all("img") == []


def test_roles_see_their_own_pages(study: Study, server: Server) -> None:
    owner, admin, analyst = map(browser_of, (study.owner, server.admin, study.analyst))
    data = f"/console/data/{study.dataset_id}"
    for path, allowed in (("/console/data/new", [owner]), (data, [owner]), ("/console/admin", [admin])):
        for browser in (owner, admin, analyst):
            assert (browser.get(path).status == 200) == (browser in allowed), path
    other = browser_of(server.new("owner"))
    assert other.get(data).status == 404
    assert other.get(f"{data}/statement").status == 404


def test_nobody_acts_on_anothers_data(study: Study, server: Server) -> None:
    data = f"/console/data/{study.dataset_id}"
    before: Any = study.ledger()
    for party in (server.new("owner"), server.admin, study.analyst):
        browser = browser_of(party)
        marks = browser.get("/console/keys").marks
        for path, fields in (
            (f"/console/budgets/{study.budget_id}/freeze", {}),
            (f"{data}/total", {"total_epsilon": "3"}),
            (f"{data}/grants", {"analyst": study.analyst.principal_id, "cap": "1"}),
            (f"{data}/grants/{study.grant_id}/close", {}),
            (f"{data}/delete", {"delete_name": "x"}),
        ):
            page = browser.post(path, [*marks, ("key", party.key), *fields.items()])
            assert page.status in {403, 404}, (path, page.text)
    assert study.ledger() == before
