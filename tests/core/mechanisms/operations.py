"""Counts the operations of a computation: every statement of `core` that it runs and every expression that it
evaluates, with the size of its value.

The syntax tree of each module is rewritten so that every statement and every expression reports to a counter, and so
does the target of an augmented assignment. Counted are, for each place in the source, how often it was evaluated and
how large what came out was: the shape and type of an array, the words of 64 bits of an integer, the length of a
sequence; of anything else the type alone. So a branch taken, a loop that goes on, a mask that selects, an array that is
longer and an integer that has more digits all count, and numbers that differ in value alone do not.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

import core

Operations = Counter[tuple[str, int, int, object]]

_NAME: Final = "_counted"
_FUNCTIONS_OF_DRAWN_VALUES: Final = {"candidate", "candidate_count", "_add_kept", "consistent", "nearest_on_simplex"}
"""Functions that work on what is released or on which proposals were kept, and one that takes public sizes alone."""


class _Report(ast.Expr):
    """A statement that reports to the counter."""


class _Counting(ast.NodeTransformer):
    """Wraps each expression whose value is computed in a call of the counter, and adds a call before each statement and
    after each augmented assignment.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        for block in (each for inner in ast.walk(node) for each in self._blocks(inner)):
            block[:] = [counting for statement in block for counting in self._reporting(statement)]
        return node

    def _blocks(self, node: ast.AST) -> list[list[ast.stmt]]:
        """The blocks of a statement that no visit has changed yet."""
        names = ("body", "orelse", "finalbody")
        blocks = [block for name in names if isinstance(block := getattr(node, name, None), list)]
        return [block for block in blocks if block and not isinstance(block[0], _Report)]

    def _reporting(self, statement: ast.stmt) -> list[ast.stmt]:
        reports: list[ast.stmt] = [_Report(self._call(statement, ast.Constant(None)))]
        after: list[ast.stmt] = []
        if isinstance(statement, ast.AugAssign):
            target = ast.parse(ast.unparse(statement.target), mode="eval").body
            after.append(_Report(self._call(statement, target)))
        found = [*reports, statement, *after]
        return [ast.fix_missing_locations(ast.copy_location(each, statement)) for each in found]

    def _call(self, node: ast.expr | ast.stmt, value: ast.expr) -> ast.Call:
        place: list[ast.expr] = [ast.Constant(node.lineno), ast.Constant(node.col_offset)]
        return ast.Call(ast.Name(_NAME, ast.Load()), [*place, value], [])

    def visit(self, node: ast.AST) -> Any:
        node = super().visit(node)
        computed = ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp | ast.Subscript | ast.IfExp
        if not isinstance(node, computed) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        return ast.fix_missing_locations(ast.copy_location(self._call(node, node), node))

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = None if node.value is None else self.visit(node.value)
        return node


def size_of(value: object) -> object:
    """The size of a value, without its content."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int", max(1, -(-value.bit_length() // 64))
    if isinstance(value, list | tuple | bytes | str | dict | set):
        return type(value).__name__, len(value)
    return type(value).__name__


def _code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_objects(constant)


def _functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    """Of a module and its classes, those under decorators too."""
    holders: list[Any] = [module, *(each for each in vars(module).values() if inspect.isclass(each))]
    for holder in holders:
        for each in vars(holder).values():
            found: Any = each
            if isinstance(found, property):
                found = found.fget
            found = getattr(found, "__func__", found)
            while isinstance(found, functools._lru_cache_wrapper):
                found = found.__wrapped__
            if isinstance(found, types.FunctionType) and found.__module__ == module.__name__:
                yield found


def _modules(package: types.ModuleType) -> Iterator[types.ModuleType]:
    yield package
    for info in pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + "."):
        yield importlib.import_module(info.name)


@functools.cache
def _instrumented_functions(package: types.ModuleType) -> list[tuple[types.FunctionType, types.CodeType]]:
    """Every function of the package, and its code that counts."""
    found = []
    for module in _modules(package):
        path = Path(str(module.__file__))
        compiled = compile(_Counting().visit(ast.parse(path.read_text(encoding="utf-8"))), str(path), "exec")
        by_place = {(code.co_qualname, code.co_firstlineno): code for code in _code_objects(compiled)}
        for function in _functions(module):
            old = function.__code__
            if old.co_filename != str(path):
                continue  # made by a decorator
            new = by_place[old.co_qualname, old.co_firstlineno]
            if new.co_freevars == old.co_freevars and old.co_name not in _FUNCTIONS_OF_DRAWN_VALUES:
                found.append((function, new))
    return found


@contextmanager
def counted(operations: Operations, *more: types.ModuleType) -> Iterator[None]:
    """Counts the evaluations of `core`, and of `more` modules, during a block."""
    functions = [each for package in (core, *more) for each in _instrumented_functions(package)]
    originals = [(function, function.__code__) for function, _ in functions]

    def counter(module: str) -> Callable[[int, int, Any], Any]:
        def count(line: int, column: int, value: Any) -> Any:
            operations[module, line, column, size_of(value)] += 1
            return value

        return count

    try:
        for function, code in functions:
            function.__globals__.setdefault(_NAME, counter(function.__module__))
            function.__code__ = code
        yield
    finally:
        for function, original in originals:
            function.__code__ = original
            function.__globals__.pop(_NAME, None)
