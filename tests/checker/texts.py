"""Runs the checker in Node, and signs texts by the key of the vectors."""

from __future__ import annotations

import base64
import json
import subprocess
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.harness.process import ROOT
from tests.harness.programs import installed

Line = dict[str, Any]
Case = tuple[dict[str, str], list[str]]
VECTORS: Final = ROOT / "tests" / "vectors"
SIGNATURES: Final = json.loads((VECTORS / "signatures.json").read_text(encoding="utf-8"))
KEY: Final[str] = SIGNATURES["public_key"]


def checked(cases: list[Case]) -> list[list[Line]]:
    """The lines of the checker for each case: files by name, and keys."""
    body = json.dumps([{"files": files, "keys": keys} for files, keys in cases])
    node = installed("node")
    done = subprocess.run(
        [node, str(ROOT / "tests" / "checker" / "cases.mjs")], input=body, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    lines: list[list[Line]] = json.loads(done.stdout)
    return lines


def vector(name: str) -> str:
    return (VECTORS / name).read_text(encoding="utf-8")


def false(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["word"] == "false"]


def missing(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.get("missing")]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def signed(body: dict[str, Any]) -> dict[str, Any]:
    """A signed object by the key of the vectors."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SIGNATURES["seed"]))
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    signature = base64.urlsafe_b64encode(key.sign(text.encode())).rstrip(b"=").decode()
    return {"body": body, "key_id": SIGNATURES["key_id"], "signature": signature}
