"""Code that repeats what a page shows, in Python, R and with curl."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from service.console.questions import Question


def code_of(server: str, path: str, level: str, questions: Sequence[Question]) -> list[tuple[str, str]]:
    """The name of each language, and the code. Keys are read from the environment."""
    body = {"level": float(level), "quantiles": [0.5], "events": list(questions)}
    has_key = not path.startswith("/v1/public/")
    return [
        ("Python", _python(server + path, body, has_key=has_key)),
        ("R", _r(server + path, body, has_key=has_key)),
        ("curl", _curl(server + path, body, has_key=has_key)),
    ]


def _python(address: str, body: Mapping[str, Any], *, has_key: bool) -> str:
    imports = "import os\n\nimport httpx\n" if has_key else "import httpx\n"
    key = (
        'http = httpx.Client(headers={"Authorization": f"Bearer {os.environ[\'PRIVATE_POSTERIOR_KEY\']}"})'
        if has_key
        else "http = httpx.Client()"
    )
    return f"""\
{imports}
{key}
release = http.get({address!r}).json()
body = {body!r}
posterior = http.post({f"{address}/posterior"!r}, json=body, timeout=60).json()
for each in posterior["categories"]:
    print(each["label"], each["mean"], each["interval"]["low"], each["interval"]["high"])
for each in posterior["events"]:
    print(each["question"], each["quantiles"][0]["value"], each["interval"]["low"], each["interval"]["high"])
"""


def _r(address: str, body: Mapping[str, Any], *, has_key: bool) -> str:
    key = '  req_auth_bearer_token(Sys.getenv("PRIVATE_POSTERIOR_KEY")) |>\n' if has_key else ""
    text = json.dumps(body, ensure_ascii=False)
    dashes = "-" * next(count for count in range(3, 300) if "]" + "-" * count + '"' not in text)
    return f"""\
library(httr2)

body <- r"{dashes}[{text}]{dashes}"
posterior <- request({json.dumps(f"{address}/posterior")}) |>
{key}  req_body_raw(body, "application/json") |>
  req_perform() |>
  resp_body_json()
for (each in posterior$categories)
  cat(each$label, each$mean, each$interval$low, each$interval$high, "\\n")
for (each in posterior$events)
  cat(each$question$kind, each$quantiles[[1]]$value, each$interval$low, each$interval$high, "\\n")
"""


def _curl(address: str, body: Mapping[str, Any], *, has_key: bool) -> str:
    key = '  -H "Authorization: Bearer $PRIVATE_POSTERIOR_KEY" \\\n' if has_key else ""
    return f"""\
curl {shlex.quote(f"{address}/posterior")} \\
{key}  -H 'Content-Type: application/json' \\
  -d {shlex.quote(json.dumps(body, ensure_ascii=False))}
"""
