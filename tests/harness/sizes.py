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
    statements = functions = 0
    for node in ast.walk(ast.parse(text)):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not is_docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            statements += 1
        functions += isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return statements, functions


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
