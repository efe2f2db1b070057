"""One type for private values and one for released values; only mechanisms convert the first into the second.

`Private` holds a value that must not leave. Printing and formatting show a constant text. Comparison, hashing,
iteration and pickling raise an error. A log line, an exception text, a cache key or a response model that receives one
by mistake therefore contains no data. The only access is `unseal` in `core.mechanisms.unsealing`, which an import
contract reserves for mechanisms' draws. Only `service.datasets.datasets` creates instances.

This cannot prevent deliberate access by code in this process (a debugger, `ctypes`, the name-mangled slot). The type
prevents mistakes, the import contracts prevent habits, and review must prevent intent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Never, TypeVar, final

if TYPE_CHECKING:
    from core.privacy import PrivacyLoss

T = TypeVar("T")


class PrivateValueError(TypeError):
    """Code that is not a mechanism tried to access a private value. The message contains no value."""


def _refuse(*_: object, **__: object) -> Never:
    raise PrivateValueError("a private value can be opened by a mechanism only")


@final
class Private(Generic[T]):
    """A value that only a mechanism may open. All other access is refused, and it prints as `Private(...)`."""

    __slots__ = ("__sealed",)

    def __init__(self, value: T) -> None:
        self.__sealed = value

    def __repr__(self) -> str:
        return "Private(...)"

    def __format__(self, _: str) -> str:
        return "Private(...)"

    if TYPE_CHECKING:
        # If mypy saw the refusals it would treat them as ordinary methods, and accept `for count in private`.
        __eq__: ClassVar[None]  # type: ignore[assignment]  # an object compares
        __ne__: ClassVar[None]  # type: ignore[assignment]  # as above
        __hash__: ClassVar[None]  # type: ignore[assignment]  # an object hashes
    else:
        __eq__ = __hash__ = __bool__ = __iter__ = __len__ = __getitem__ = _refuse
        __getstate__ = _refuse  # used by copying and pickling


@final
@dataclass(frozen=True, slots=True)
class Released(Generic[T]):
    """The output of a mechanism, which is public. `loss` is the loss proven of the channel that it was drawn from."""

    value: T
    loss: PrivacyLoss
