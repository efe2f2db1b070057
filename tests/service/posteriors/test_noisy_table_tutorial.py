"""The tutorial on a noisy table from elsewhere prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from private_posterior.client import Client

if TYPE_CHECKING:
    from tests.harness.server import Server

PAGE = Path(__file__).parents[3] / "docs" / "tutorials" / "noisy-table.md"


@pytest.mark.long
def test_each_step_of_the_tutorial_on_a_noisy_table_prints_what_it_says(
    sqlite_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVATE_POSTERIOR_KEY", sqlite_server.admin.key)
    text = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", sqlite_server.url)
    steps = re.findall(r"```python\n(.*?)```\n\n```console\n(.*?)```", text, re.DOTALL)
    assert len(steps) == text.count("```python\n") == 5
    names: dict[str, Any] = {}
    try:
        for code, wanted in steps:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, names)  # noqa: S102  the page's own code
            assert printed.getvalue() == wanted
    finally:
        if isinstance(client := names.get("client"), Client):
            client.__exit__(None, None, None)
