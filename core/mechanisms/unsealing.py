"""The one way to look into a `Private` value. An import contract lets only `core.mechanisms` import this module."""

from typing import TypeVar

from core.private import Private

T = TypeVar("T")


def unseal(private: Private[T]) -> T:
    """The value inside; whoever calls this answers for everything derived from it until noise has been added."""
    return private._Private__sealed  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001  the one reader there is
