"""The page that checks saved texts, in a real browser under its policy: it sends nothing, and knows no key but those
that somebody brings.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.checker.texts import KEY, VECTORS, signed
from tests.harness.chromium import Visitor
from tests.harness.server import Server
from tests.service.conftest import make_study

pytestmark = pytest.mark.long
FILES: Final = [VECTORS / name for name in ("release.json", "public_release.json", "evidence.json", "ledger.jsonl")]


def opened(chromium: Browser, server: Server) -> Visitor:
    visitor = Visitor.at(chromium, server.url)
    visitor.go("/console/check")
    expect(visitor.page.locator("#checking")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    visitor.requests.clear()
    return visitor


def words(page: Page, what: str | re.Pattern[str]) -> set[str]:
    rows = page.locator("#lines tbody tr", has=page.locator("th", has_text=what))
    return set(rows.locator(".tag").all_text_contents())


def checked(page: Page, count: int) -> None:
    expect(page.locator("#said")).to_have_text(f"{count} file{'s' if count > 1 else ''} checked.")


def test_a_stranger_checks_texts_with_a_key_of_their_own(chromium: Browser, sqlite_server: Server) -> None:
    visitor = opened(chromium, sqlite_server)
    page = visitor.page
    page.locator("#key").fill(KEY)
    page.locator("#files").set_input_files(FILES)
    checked(page, len(FILES))
    assert words(page, re.compile("^signature")) == {"holds"}
    assert words(page, re.compile("hashes of entries")) == {"holds"}
    expect(page.get_by_role("heading", name="Nothing that was checked is false")).to_be_visible()
    assert "valid" not in (page.locator("#lines").text_content() or "").lower()
    assert all("/console/" in each.url and each.method == "GET" for each in visitor.requests)
    assert not any(each.post_data for each in visitor.requests)
    assert visitor.complaints == []


def test_a_changed_text_is_false_line_by_line(chromium: Browser, sqlite_server: Server, tmp_path: Path) -> None:
    changed = tmp_path / "changed.json"
    changed.write_text(FILES[1].read_text(encoding="utf-8").replace("[36,", "[37,"), encoding="utf-8")
    page = opened(chromium, sqlite_server).page
    page.locator("#key").fill(KEY)
    page.locator("#files").set_input_files([changed, FILES[2]])
    checked(page, 2)
    expect(page.get_by_role("heading", name=re.compile("statements? (is|are) false"))).to_be_visible()
    assert words(page, "signature.body.sha256: all bytes") == {"false"}
    page.locator("#key").fill("nonsense")
    page.locator("#again").focus()
    expect(page.locator("#error")).to_have_text("Public key: a public key is not 32 bytes in base64url.")
    page.locator("#again").click()
    expect(page.locator("#lines")).to_be_empty()


def test_without_a_key_a_signature_is_only_by_the_shown_key(
    chromium: Browser, sqlite_server: Server, tmp_path: Path
) -> None:
    study = make_study(sqlite_server.new("owner"), sqlite_server.new("analyst"))
    release = study.analyst.release(study.dataset_id).json()["id"]
    study.owner.patch(f"/v1/releases/{release}", {"public": True})
    text = tmp_path / "public.json"
    text.write_bytes(sqlite_server.http.get(f"/v1/public/releases/{release}").content)
    page = opened(chromium, sqlite_server).page
    page.locator("#files").set_input_files([text])
    checked(page, 1)
    assert words(page, re.compile("^signature$")) == {"agrees"}
    expect(page.locator("#lines")).to_contain_text("signed by the key that this service shows")
    page.locator("#files").set_input_files([FILES[1]])
    checked(page, 2)
    assert words(page, re.compile("^signature$")) == {"agrees", "not checked"}


def test_two_texts_of_a_forked_ledger_are_named(chromium: Browser, sqlite_server: Server, tmp_path: Path) -> None:
    document = json.loads(FILES[2].read_text(encoding="utf-8"))
    body = document["signature"]["body"] | {"chain_hash": "0" * 64}
    other = tmp_path / "evidence.json"  # the same name in another folder
    other.write_text(json.dumps(document | {"signature": signed(body)}), encoding="utf-8")
    page = opened(chromium, sqlite_server).page
    page.locator("#key").fill(KEY)
    page.locator("#files").set_input_files([FILES[2]])
    page.locator("#files").set_input_files([other])
    checked(page, 2)
    expect(page.locator("#lines")).to_contain_text("a fork: entry 10 of bud_")
    expect(page.get_by_role("heading", name="evidence.json and evidence.json (2)")).to_be_visible()
