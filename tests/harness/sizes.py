"""The statements and functions of each room: `python -m tests.harness.sizes`.

Imports, docstrings and generated code do not count.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
ROOTS = ("core", "service", "client/private_posterior")
GENERATED = "client/private_posterior/models"
"""The client's models, made from `docs/openapi.json`."""


def files() -> Iterator[Path]:
    for root in ROOTS:
        yield from (path for path in sorted((REPOSITORY / root).rglob("*.py")) if GENERATED not in path.as_posix())


def room(path: Path) -> str:
    """The folder of a file below its root: `service/ledger`, or `service` for a file of its own."""
    parts = path.relative_to(REPOSITORY).parts
    depth = 3 if parts[0] == "client" else 2
    return "/".join(parts[: min(depth, len(parts) - 1)])


def counted(text: str) -> tuple[int, int]:
    """The statements and the functions of one file."""
    found = list(_statements(ast.parse(text)))
    return len(found), sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in found)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for part in ("body", "orelse", "handlers", "cases", "finalbody"):
        for child in getattr(node, part, ()):
            is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.stmt) and not isinstance(child, ast.Import | ast.ImportFrom) and not is_docstring:
                yield child
            yield from _statements(child)


def by_room() -> dict[str, tuple[int, int]]:
    statements, functions = Counter[str](), Counter[str]()
    for path in files():
        of_statements, of_functions = counted(path.read_text())
        statements[room(path)] += of_statements
        functions[room(path)] += of_functions
    return {name: (statements[name], functions[name]) for name in statements}


if __name__ == "__main__":
    sizes = by_room()
    for name, (statements, functions) in sizes.items():
        print(f"{name:32} {statements:6} {functions:5}")
    print(f"{'all':32} {sum(s for s, _ in sizes.values()):6} {sum(f for _, f in sizes.values()):5}")
