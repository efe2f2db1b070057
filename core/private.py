"""One type stands for "private" and one for "released"; only mechanisms turn one into the other.

`Private` holds a value that must not leave. It shows, compares, hashes, iterates, pickles and formats as nothing at
all, so that a log line, an exception text, a cache key or a response model that is handed one by mistake carries no
data. The single way in is `unseal`, in `core.mechanisms.unsealing`, which an import contract reserves for the draws of
mechanisms, and `service.datasets.datasets` alone makes instances.

What this cannot prevent: code that runs in this process and means to look can (a debugger, `ctypes`, the name-mangled
slot). The type catches mistakes, the import contracts catch habits, and review has to catch intent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Never, TypeVar, final

if TYPE_CHECKING:
    from core.privacy import PrivacyLoss

T = TypeVar("T")


class PrivateValueError(TypeError):
    """Something tried to look at a private value other than through a mechanism. Carries no value."""


def _refuse(*_: object, **__: object) -> Never:
    raise PrivateValueError("a private value can be opened by a mechanism only")


@final
class Private(Generic[T]):
    """A value that only a mechanism may open. Every look at it from outside is refused, and it prints as
    `Private(...)`.
    """

    __slots__ = ("__sealed",)

    def __init__(self, value: T) -> None:
        self.__sealed = value

    def __repr__(self) -> str:
        return "Private(...)"

    def __format__(self, _: str) -> str:
        return "Private(...)"

    if TYPE_CHECKING:
        # mypy would take a refusal that it saw for a method like any other, and let `for count in private` pass.
        __eq__: ClassVar[None]  # type: ignore[assignment]  # an object compares
        __ne__: ClassVar[None]  # type: ignore[assignment]  # as above
        __hash__: ClassVar[None]  # type: ignore[assignment]  # an object hashes
    else:
        __eq__ = __hash__ = __bool__ = __iter__ = __len__ = __getitem__ = _refuse
        __getstate__ = _refuse  # what copying and pickling ask for


@final
@dataclass(frozen=True, slots=True)
class Released(Generic[T]):
    """What a mechanism put out: public from here on. `loss` is what was proven for the channel it was drawn from."""

    value: T
    loss: PrivacyLoss
