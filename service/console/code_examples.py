"""Code in Python, in R and for curl that repeats the computation of a page."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

_KEY: Final = (
    "# Put a key of yours into the environment variable PRIVATE_POSTERIOR_KEY. The release was paid for already: this\n"
    "# reads it, and charges nothing.\n"
)


class Figure(NamedTuple):
    """A figure that the code prints: its name, the keys that lead to it in the posterior, and its estimate's key."""

    name: str
    path: Sequence[str | int]
    statistic: str


def code_of(release: str, posteriors: str, body: Mapping[str, Any], figures: Sequence[Figure]) -> list[tuple[str, str]]:
    """Return the name of each language and its code. `release` is the address of the release, and `posteriors` takes
    the request `body`. The code reads the key from the environment, unless the release is public.
    """
    has_key = "/v1/public/" not in release
    return [
        ("Python", _python(posteriors, body, figures, has_key=has_key)),
        ("R", _r(posteriors, body, figures, has_key=has_key)),
        ("curl", _curl(release, posteriors, body, has_key=has_key)),
    ]


def _python(address: str, body: Mapping[str, Any], figures: Sequence[Figure], *, has_key: bool) -> str:
    imports = (f"{_KEY}import os\n" if has_key else "") + "import time\n\nimport httpx  # pip install httpx\n"
    key = (
        'headers = {"Authorization": f"Bearer {os.environ[\'PRIVATE_POSTERIOR_KEY\']}"}' if has_key else "headers = {}"
    )
    listed = "".join(f"    {tuple(each)!r},\n" for each in figures)
    return f"""\
{imports}
# If the service has a certificate of its own, name its file in the environment variable SSL_CERT_FILE.
{key}
body = {dict(body)!r}
# The name of each figure, the keys that lead to it in the answer, and its estimate: the mean of a share, and the median
# of a ratio or a difference.
figures = [
{listed}]
while True:
    answer = httpx.post({address!r}, json=body, headers=headers, timeout=60)
    answer.raise_for_status()
    if answer.status_code != 202:
        break
    time.sleep(2)  # It takes longer than a moment. The same request finds the result later.
posterior = answer.json()
for each in posterior["categories"]:
    print(each["label"], each["mean"], each["interval"]["low"], each["interval"]["high"])
for name, path, estimate in figures:
    each = posterior
    for key in path:
        each = each[key]
    print(name, each[estimate], each["interval"]["low"], each["interval"]["high"])
    if each.get("above"):
        print("  above", each["above"]["threshold"], "with probability", each["above"]["probability"])
effect = (posterior["trial"] or {{}}).get("effect")
if effect:
    print("efficacy above", effect["effect"]["above"], "with probability", effect["probability"])
"""


def _r(address: str, body: Mapping[str, Any], figures: Sequence[Figure], *, has_key: bool) -> str:
    key = '  req_auth_bearer_token(Sys.getenv("PRIVATE_POSTERIOR_KEY")) |>\n' if has_key else ""
    listed = ",\n".join(
        f"  list({_raw(each.name)}, list({', '.join(map(_key_in_r, each.path))}), {json.dumps(each.statistic)})"
        for each in figures
    )
    return f"""\
{_KEY if has_key else ""}library(httr2)  # install.packages(c("httr2", "jsonlite"))

# If the service has a certificate of its own, add req_options(cainfo = "its file") |> above req_perform().
body <- {_raw(json.dumps(body, ensure_ascii=False))}
# The name of each figure, the keys that lead to it in the answer, and its estimate: the mean of a share, and the median
# of a ratio or a difference.
figures <- list(
{listed}
)
posterior <- request({json.dumps(address)}) |>
{key}  req_body_raw(body, "application/json") |>
  # An answer 202 takes longer than a moment. The same request finds the result later.
  req_retry(max_seconds = 120, is_transient = \\(answer) resp_status(answer) == 202, backoff = \\(tries) 2) |>
  req_perform() |>
  resp_body_json()
for (each in posterior$categories)
  cat(each$label, each$mean, each$interval$low, each$interval$high, "\\n")
for (figure in figures) {{
  each <- Reduce(\\(found, key) found[[key]], figure[[2]], posterior)
  ends <- lapply(each$interval[c("low", "high")], \\(end) if (is.null(end)) NA else end)
  cat(figure[[1]], each[[figure[[3]]]], ends$low, ends$high, "\\n")
  if (!is.null(each$above))
    cat("  above", each$above$threshold, "with probability", each$above$probability, "\\n")
}}
effect <- posterior$trial$effect
if (!is.null(effect))
  cat("efficacy above", effect$effect$above, "with probability", effect$probability, "\\n")
"""


def _key_in_r(key: str | int) -> str:
    return str(key + 1) if isinstance(key, int) else json.dumps(key)


def _raw(text: str) -> str:
    """Return the text as a raw string of R."""
    dashes = "-" * next(count for count in range(3, 300) if "]" + "-" * count + '"' not in text)
    return f'r"{dashes}[{text}]{dashes}"'


def _curl(release: str, posteriors: str, body: Mapping[str, Any], *, has_key: bool) -> str:
    # The key is in no argument, which other users of the machine could read.
    key = "printf 'Authorization: Bearer %s' \"$PRIVATE_POSTERIOR_KEY\" | " if has_key else ""
    authorization = "-H @- " if has_key else ""
    return f"""\
{_KEY if has_key else ""}# If the service has a certificate of its own, add --cacert and its file.
# An answer with "state": "pending" takes longer than a moment: the same command finds the result later.
# The release itself, with event and posterior.noisy_counts: {key}curl {authorization}{shlex.quote(release)}
{key}curl {shlex.quote(posteriors)} \\
  {authorization}-H 'Content-Type: application/json' \\
  -d {shlex.quote(json.dumps(body, ensure_ascii=False))}
"""
