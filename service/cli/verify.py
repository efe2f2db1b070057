"""Runs `private-posterior verify`: recomputes one budget's ledger, fetched over HTTP with its owner's key, and
compares its end with the one kept from the last time.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from service.cli.terminal import fail

_SERVER: Final = "PRIVATE_POSTERIOR_SERVER"
_KEY: Final = "PRIVATE_POSTERIOR_KEY"
_BAD_LEDGER: Final = 1
_NO_SERVICE: Final = 5


def verify(
    budget: Annotated[str, typer.Argument(metavar="BUDGET", help="Id of a budget, bud_….")],
) -> None:
    """Recompute the ledger of a budget, and compare it with what this command saw of it before.

    The signed end of the ledger and the public keys are kept from one time to the next: a ledger that was cut or
    rewritten since, or signed by another key, is found. Exit codes: 0, intact; 1, not what was once written.
    """
    from service.ledger.files import UnreadableError, read_checkpoints
    from service.ledger.verification import verify_export

    home = Path(os.environ.get("PRIVATE_POSTERIOR_HOME") or Path.home() / ".private-posterior")
    kept = home / "heads"
    kept.mkdir(mode=0o700, parents=True, exist_ok=True)
    keys, text = _fetch(home, budget)
    known = {each["key_id"]: each["public_key"] for each in (*keys["earlier"], keys)}
    pinned, head = kept / f"{budget}.keys.json", kept / f"{budget}.json"
    trusted = json.loads(pinned.read_text(encoding="utf-8")) if pinned.exists() else {}
    with tempfile.TemporaryDirectory() as directory:
        export, end = Path(directory) / "ledger.jsonl", Path(directory) / "head.json"
        export.write_bytes(text)
        end.write_bytes(text.splitlines()[-1])
        try:
            heads = read_checkpoints([end, *([head] if head.exists() else [])], known | trusted)
            (finding,) = verify_export([export], heads)
        except UnreadableError as error:
            fail(str(error), _BAD_LEDGER)
    typer.echo(str(finding))
    lost = not trusted.items() <= known.items()
    if lost:
        typer.echo("The service no longer publishes a key that it signed with before.")
    if lost or finding.fault is not None:
        raise typer.Exit(_BAD_LEDGER)
    if not head.exists():
        typer.echo("No head was kept from before; this one is kept now, and the next run compares with it.", err=True)
    _keep(head, text.splitlines()[-1])
    _keep(pinned, json.dumps(known).encode())


def _fetch(home: Path, budget: str) -> tuple[dict[str, Any], bytes]:
    """The public keys of the service, and the ledger with its signed head as the last line."""
    import httpx

    file = home / "credentials.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    server, key = os.environ.get(_SERVER) or kept.get("server"), os.environ.get(_KEY) or kept.get("key")
    if not server or not key:
        fail(f"set {_SERVER} and {_KEY}, or run `posterior enrol`")
    try:
        with httpx.Client(base_url=server, headers={"Authorization": f"Bearer {key}"}, timeout=120) as http:
            answers = [http.get("/v1/public-key"), http.get(f"/v1/budgets/{budget}/ledger.jsonl")]
    except httpx.HTTPError:
        fail(f"nothing answers at {server}", _NO_SERVICE)
    for answer in answers:
        if answer.is_error:
            fail(f"the service refused: {answer.json()['detail']}", 3)
    return answers[0].json(), answers[1].content


def _keep(path: Path, text: bytes) -> None:
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    new.replace(path)
