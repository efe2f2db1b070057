"""Who may make, open and print what is private, and who may draw: what import contracts cannot say, read off the syntax
tree.

`tests/` is not bound by these rules. What no reading of the source can find (`getattr` with a computed name, `ctypes`,
a debugger) is left to review.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
MAKES_PRIVATE = {"core/mechanisms/merging.py", "service/drawing/draw.py"}
MAKES_RELEASED = "core/mechanisms/"
UNSEALS = "core/mechanisms/unsealing.py"
DRAWS = "core/samplers/"
SEEDED = {"core/samplers/entropy.py", "core/samplers/reproducible.py", "core/samplers/__init__.py"}
ENCRYPTED_COUNTS = {"service/datasets/counts.py", "service/database/tables.py"}


def breaches(path: str, source: str) -> set[str]:
    """The rules that a module of the application at `path` breaks."""
    return set(_breaches(path, ast.parse(source)))


def _breaches(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=called) if _name(called) == "Private" and path not in MAKES_PRIVATE:
                yield "makes a private value"
            case ast.Call(func=called) if _name(called) == "Released" and not path.startswith(MAKES_RELEASED):
                yield "makes a released value"
            case ast.ImportFrom(names=names) if any(
                a.asname and a.name in {"Private", "Released", "unseal", "encrypted_counts"} for a in names
            ):
                yield "renames what the rules go by"
            case ast.Attribute(attr=name) | ast.Constant(value=str(name)) if name.endswith("__sealed") and path not in {
                UNSEALS,
                "core/private.py",
            }:
                yield "opens a private value"
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if (
                name == "SeededEntropy" and path not in SEEDED
            ):
                yield "draws from a seed"
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if (
                name == "Reproducible" and path.startswith("service/")
            ):
                yield "draws from a seed"
            case ast.alias(name="numpy.random" | "scipy.stats.sampling"):
                yield "draws outside the samplers"
            case ast.Attribute(attr="random" | "rvs" | "default_rng" | "RandomState") if _is_in_core_outside_samplers(
                path
            ):
                yield "draws outside the samplers"
            case ast.alias(name="random" | "secrets" | "urandom" | "getrandom") if _is_in_core_outside_samplers(path):
                yield "draws outside the samplers"
            case (
                ast.Name(id="encrypted_counts")
                | ast.Attribute(attr="encrypted_counts")
                | ast.alias(name="encrypted_counts")
            ) if path not in ENCRYPTED_COUNTS:
                yield "reads counts"
            case ast.Name(id="print") if path.startswith("core/"):
                yield "prints"
            case _:
                pass


def _is_in_core_outside_samplers(path: str) -> bool:
    return path.startswith("core/") and not path.startswith(DRAWS)


def _name(called: ast.expr) -> str | None:
    """The last part of the called name: `Private` for `Private(...)`, `Private[X](...)` and `private.Private(...)`."""
    match called:
        case ast.Subscript(value=generic):
            return _name(generic)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return None


def modules() -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for package in ("core", "service")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


def test_every_module_keeps_the_rules_of_private_values() -> None:
    found = {path: breaches(path, (ROOT / path).read_text()) for path in modules()}
    assert len(found) > 100
    assert {path: rules for path, rules in found.items() if rules} == {}


PLANTED = [
    ("service/releases/release.py", "Private(counts)", "makes a private value"),
    ("service/releases/release.py", "Private[Counts](counts)", "makes a private value"),
    ("service/releases/release.py", "private.Private(counts)", "makes a private value"),
    ("service/releases/release.py", "Released(counts, loss)", "makes a released value"),
    ("core/planning/plans.py", "Released(counts, loss)", "makes a released value"),
    ("service/datasets/counts.py", "from core.private import Private as Open", "renames what the rules go by"),
    ("service/releases/release.py", "private._Private__sealed", "opens a private value"),
    ("service/releases/release.py", "getattr(private, '_Private__sealed')", "opens a private value"),
    ("service/releases/release.py", "from core.samplers.entropy import SeededEntropy", "draws from a seed"),
    ("service/releases/release.py", "entropy.SeededEntropy(1)", "draws from a seed"),
    ("service/releases/release.py", "from core.samplers.reproducible import Reproducible", "draws from a seed"),
    ("core/planning/plans.py", "np.random.default_rng(1)", "draws outside the samplers"),
    ("core/planning/plans.py", "import numpy.random", "draws outside the samplers"),
    ("core/planning/plans.py", "from numpy import random", "draws outside the samplers"),
    ("core/planning/plans.py", "from os import urandom", "draws outside the samplers"),
    ("core/planning/plans.py", "import secrets", "draws outside the samplers"),
    ("core/planning/plans.py", "stats.beta(1, 1).rvs(10)", "draws outside the samplers"),
    ("service/releases/release.py", "from service.database.tables import encrypted_counts", "reads counts"),
    ("service/releases/release.py", "models.encrypted_counts.c.ciphertext", "reads counts"),
    ("core/planning/plans.py", "print(counts)", "prints"),
]


def test_each_planted_breach_is_found() -> None:
    missed = [row for row in PLANTED if row[2] not in breaches(row[0], row[1])]
    assert missed == []


def test_permitted_modules_pass_the_lint() -> None:
    assert breaches("service/datasets/counts.py", "read(encrypted_counts)") == set()
    assert breaches("service/drawing/draw.py", "Private(decrypted)") == set()
    assert breaches("core/mechanisms/laplace.py", "Released(counts, loss)") == set()
    assert breaches("core/samplers/entropy.py", "import secrets; class_ = SeededEntropy") == set()
