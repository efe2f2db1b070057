"""Base models of requests and responses, and their texts, ids, times and amounts.

An amount is decimal text in responses, and decimal text or a JSON number in requests. A text with more digits than the
unit has is refused, since the caller chose it. A JSON number with more digits is rounded down, since 0.1 + 0.2 arrives
as 0.30000000000000004. Responses echo the amount used.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Annotated, Any, ClassVar, Final, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic.config import JsonDict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypeAliasType

from core.accounting.accountants import Accountant, Cost
from core.mechanisms.event import check_epsilon
from core.privacy import AmountError, Delta, Epsilon, Rho
from service.database.rows import PaidKind
from service.identifiers.identifiers import ID_PATTERN, timestamp

# Control characters, line and paragraph separators, marks that reverse the direction of text, invisible marks, and
# codes that are not characters. With them a name could forge a line of a report, pass for another name, or break a
# picture.
_CONTROL = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
)
_INVISIBLE_CHARACTERS_BEYOND_THE_FIRST_PLANE = (
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_CHARACTERS_BEYOND_THE_FIRST_PLANE = "".join(
    f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000)
)
_CONTROL_CHARACTER = re.compile(
    f"[{_CONTROL}{_INVISIBLE_CHARACTERS_BEYOND_THE_FIRST_PLANE}{_CHARACTERS_BEYOND_THE_FIRST_PLANE}]"
)
_BLANK = r"\s\u2800"
"""Spaces, and the empty cell of Braille."""
_JOINING = "\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Marks that join or separate letters, or select a form of one."""


def _check_visible_text(text: str) -> str:
    if _CONTROL_CHARACTER.search(text):
        raise ValueError("must not have control characters or other invisible marks")
    if not re.sub(f"[{_BLANK}{_JOINING}]", "", text):
        raise ValueError("must have a visible character")
    return text


def as_seen(text: str) -> str:
    """Return a normal form: two texts that look alike have the same one.

    Joining marks are removed, the text is composed (NFC), and runs of spaces become single spaces.
    """
    return re.sub(f"[{_BLANK}]+", " ", unicodedata.normalize("NFC", re.sub(f"[{_JOINING}]", "", text)))


def _text(max_length: int) -> tuple[object, ...]:
    constraints = StringConstraints(strip_whitespace=True, min_length=1, max_length=max_length)
    return constraints, AfterValidator(_check_visible_text)


ShortText = Annotated[str, *_text(200)]
LongText = Annotated[str, *_text(500)]
_NAME_CHARACTERS: Final = 200


def _fold_name(name: str) -> str:
    folded = re.sub(f"[{_BLANK}]+", " ", unicodedata.normalize("NFC", name))
    if len(folded) > _NAME_CHARACTERS:  # the normal form of a few letters is longer
        raise ValueError(f"must have at most {_NAME_CHARACTERS} characters")
    return folded


Name = Annotated[str, *_text(_NAME_CHARACTERS), AfterValidator(_fold_name)]
"""A name in NFC and with single spaces. Names that look alike are therefore equal, and are refused if a name must be
unique.
"""
Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
T = TypeVar("T")
R = TypeVar("R")


_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_FIRST_INSTANT = datetime(1970, 1, 1, tzinfo=UTC)


def _instant(value: object) -> int:
    """Return the Unix time of an ISO 8601 text, in whole seconds, rounded down. Raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool):
        raise ValueError("must be a text such as 2027-01-31T12:00:00Z, not a number of seconds")
    text = value if isinstance(value, str) and _INSTANT.fullmatch(value) else ""
    try:
        since = datetime.fromisoformat(text.upper()) - _FIRST_INSTANT
    except ValueError:
        raise ValueError("must be a time in ISO 8601 with its offset from UTC, as in 2027-01-31T12:00:00Z") from None
    if since.days < 0:
        raise ValueError("must be in 1970 or later")
    return since.days * 86_400 + since.seconds


_DATE_TIME = {"type": "string", "format": "date-time", "examples": ["2027-01-31T12:00:00Z"]}
Instant = Annotated[
    int,
    PlainValidator(_instant, json_schema_input_type=str),
    PlainSerializer(timestamp, return_type=str),
    WithJsonSchema(_DATE_TIME),
]
"""A time in a request; the code sees Unix time in whole seconds."""
Timestamp = Annotated[str, WithJsonSchema(_DATE_TIME)]
"""A time in a response: ISO 8601 in UTC, whole seconds."""


_LARGEST_DECIMAL: Final = 10**15
"""A double represents every decimal text below it with 15 digits; 9007199254740991.4 would lose its fraction."""


def _whole_number(value: object) -> object:
    """Return 10.0 and 1e1 as 10, since JSON does not distinguish whole numbers."""
    if not isinstance(value, float) or not value.is_integer():
        return value
    if abs(value) >= _LARGEST_DECIMAL:
        raise ValueError("must be written without a point and an exponent if it is 10^15 or more")
    return int(value)


AS_WHOLE: Final = BeforeValidator(_whole_number)
"""Put it after a field's limits, so that they apply to the converted number."""


def examples(*bodies: dict[str, Any]) -> ConfigDict:
    """Return a configuration with example bodies that a reader can send unchanged except for ids."""
    return ConfigDict(json_schema_extra={"examples": list(bodies)})


def is_none(value: object) -> bool:
    """Return whether a field has no value. As its `exclude_if`, it leaves the field out of responses and hashes."""
    return value is None


class Request(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _NotNull:
    """A nullable field whose published schema has no null: it can be left out, and null would change nothing."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        published = handler(schema)
        rest = [each for each in published.get("anyOf", []) if each != {"type": "null"}]
        return rest[0] if len(rest) == 1 else published


NOT_NULL: Final = _NotNull()


class Change(Request):
    """Fields to change. Fields that are left out stay as they are. Null clears a field of `CLEARED`, and is refused
    elsewhere.
    """

    CLEARED: ClassVar[frozenset[str]] = frozenset()

    @field_validator("*", mode="before")
    @classmethod
    def _can_be_null(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None and info.field_name not in cls.CLEARED:
            raise ValueError("can't be null: leave it out to keep the present value")
        return value


MAIN_AMOUNTS: Final = frozenset({"epsilon", "rho"})


class PaidBody(Request):
    """The body of a request that spends budget."""

    kind: PaidKind
    once: bool = Field(
        default=False,
        strict=True,
        description=(
            "If true, and you already paid for a release of the same noise under any Idempotency-Key, that release is "
            "returned, free. `level` and `max_charge` never change the noise; `prior` changes only that of exponential "
            "mechanisms. Failed and lost releases are not returned."
        ),
    )

    def payload(self) -> dict[str, Any]:
        """Return the body in the form from which the hash of its Idempotency-Key is computed
        (`service.releases.spec.hash_payload`). It has no `kind`, as in version 0.2.0, and no `once`.
        """
        return self.model_dump(mode="json", exclude_defaults=True, exclude={"kind", "once"})

    @property
    def finds_price(self) -> bool:
        """Whether the service finds the price. The request then names the most that may be charged."""
        return False

    @property
    def broken_rule(self) -> tuple[str, str] | None:
        """The field and the rule that this body breaks, which an earlier version did not have. Such a request only
        finds what it paid for.
        """
        limit: Request | None = getattr(self, "max_charge", None)
        named = set() if limit is None else limit.model_dump(exclude_none=True).keys()
        if self.finds_price and named.isdisjoint(MAIN_AMOUNTS):
            return "max_charge", "must name epsilon or rho: the service finds the charge for the half widths"
        return None if named or limit is None else ("max_charge", "must name an amount, or be left out")


class Response(BaseModel):
    """A response body."""

    model_config = ConfigDict(frozen=True)


def listed_members(kind: type[Response], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the schema of `kind` lists of a document, at every depth. An object at a place without listed members
    is empty.
    """
    schema = _schema_of(kind)
    found: dict[str, Any] = _listed_members(schema, document, schema.get("$defs", {}))
    return found


@lru_cache
def _schema_of(kind: type[Response]) -> dict[str, Any]:
    return kind.model_json_schema(mode="serialization")


def _listed_members(schema: dict[str, Any], value: Any, definitions: Mapping[str, Any]) -> Any:
    if not isinstance(value, dict | list):
        return value
    match schema:
        case {"$ref": str(place)}:
            return _listed_members(definitions[place.rpartition("/")[2]], value, definitions)
        case {"anyOf": [*alternatives]}:  # a value or null
            return _listed_members(
                next(each for each in alternatives if each.get("type") != "null"), value, definitions
            )
        case {"discriminator": {"propertyName": name, "mapping": kinds}} if isinstance(value, dict):
            return _listed_members({"$ref": kinds[value[name]]}, value, definitions)
        case {"x-names": [*names]}:
            members: dict[str, Any] = {name: {} for name in names}
        case _:
            members = schema.get("properties", {})
    if isinstance(value, list):
        return [_listed_members(schema.get("items", {}), each, definitions) for each in value]
    return {name: _listed_members(members[name], part, definitions) for name, part in value.items() if name in members}


Relation = TypeAliasType(
    "Relation",
    Annotated[
        Literal["replace_one", "add_remove"],
        Field(
            description=(
                "The neighbouring data sets. `replace_one`: one record is in another category, and the number of "
                "records is public. `add_remove`: all records of one unit are added or removed, and the number of "
                "records is private."
            )
        ),
    ],
)
"""A neighbour relation."""
Method = TypeAliasType("Method", Literal["exact", "simulation"])
"""How a probability was computed."""


class Interval(Response):
    """A central interval of a share, a contrast or a number. Its ends are rounded outward."""

    level: float = Field(description="The probability that the interval contains the value.")
    low: float | None = Field(description="The lower end; null if the logarithm of an odds ratio has none.")
    high: float | None = Field(
        description=(
            "The upper end; null if a ratio has none: its quantile is larger than 1e300, because the divisor may be 0."
        )
    )


class Page(Response, Generic[T]):
    """A page of items in order of creation."""

    items: list[T]
    next_cursor: str | None = Field(description="Pass it as `cursor` to get the next page; null on the last page.")


_MOST_CHARACTERS: Final = 500_000
"""Largest number of characters of text on a page, before the items are built."""


def page_of(rows: Sequence[R], limit: int, item: Callable[[R], T], cursor: Callable[[R], object]) -> Page[T]:
    """Return a page of at most `limit` rows, fewer if their texts are long. The caller passes one row more than `limit`
    if there is one. The next page begins after `cursor` of the last row shown.
    """
    ends = takewhile(lambda characters: characters <= _MOST_CHARACTERS, accumulate(map(_characters, rows[:limit])))
    shown = rows[: max(1, sum(1 for _ in ends))]
    more = len(rows) > len(shown)
    return Page(items=[item(row) for row in shown], next_cursor=str(cursor(shown[-1])) if more else None)


def _characters(row: object) -> int:
    """Return the number of characters in a row, nested rows included."""
    if isinstance(row, str):
        return len(row)
    return sum(map(_characters, row)) if isinstance(row, tuple) else 0


A = TypeVar("A", Epsilon, Delta, Rho)

# Larger amounts guarantee nothing. The database's integers are large enough for these.
_MAX: dict[type[Epsilon | Delta | Rho], int] = {Epsilon: 1000, Delta: 1, Rho: 1000}
_TEXT = re.compile(r"(0|[1-9][0-9]{0,17})(\.[0-9]{1,40})?|[0-9](\.[0-9]{1,40})?[eE][+-]?[0-9]{1,2}")


def read_amount(kind: type[A], value: object) -> A:
    """Return the amount of a JSON value. Raises ValueError with the rule and never the value."""
    if isinstance(value, kind):
        return value
    amount = _parse_amount(kind, value)
    if amount > kind.floor(_MAX[kind]):
        raise ValueError(f"must be at most {_MAX[kind]}")
    return amount


def _parse_amount(kind: type[A], value: object) -> A:
    if isinstance(value, bool):
        raise ValueError("must be a decimal text or a number")
    if isinstance(value, int):
        return _check_amount(kind, str(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("must be finite")
        if value < 0:
            raise ValueError("must not be negative")
        return kind.floor(Decimal(repr(value)))
    if isinstance(value, str):
        if not _TEXT.fullmatch(value):
            raise ValueError("must be a plain decimal text such as 0.25 or 2.5e-8, without sign or spaces")
        exponent = Decimal(value).as_tuple().exponent
        if isinstance(exponent, int) and exponent < -kind.digits:  # trailing zeros count as digits, too
            raise ValueError(f"must have at most {kind.digits} digits after the point")
        return _check_amount(kind, value)
    raise ValueError("must be a decimal text or a number")


def _check_amount(kind: type[A], text: str) -> A:
    try:
        return kind.parse(text)
    except AmountError as error:
        raise ValueError(str(error)) from None


def _documented_schema(kind: type[A], values: str = "") -> WithJsonSchema:
    """Return the schema of an amount: a decimal text. `values` documents those that a field accepts; the code that uses
    the amount enforces them.
    """
    description, example = _DESCRIPTIONS[kind]
    return WithJsonSchema(
        {
            "type": "string",
            "format": "decimal",
            "description": f"{description}{values and f' {values}'}, in steps of 1e-{kind.digits}.",
            "examples": [example],
        }
    )


_DESCRIPTIONS: Final[dict[type[Epsilon | Delta | Rho], tuple[str, str]]] = {
    Epsilon: ("An ε of differential privacy", "0.8"),
    Delta: ("A δ of differential privacy", "1e-8"),
    Rho: ("A ρ of zero-concentrated differential privacy", "0.05"),
}

EpsilonField = Annotated[
    Epsilon,
    PlainValidator(lambda v: read_amount(Epsilon, v)),
    PlainSerializer(str, return_type=str),
    _documented_schema(Epsilon),
]
NOTHING_LEFT_OUT: Final[JsonDict] = {"default": "0"}
"""The default 0, documented as a caller writes it."""
DeltaField = Annotated[
    Delta,
    PlainValidator(lambda v: read_amount(Delta, v)),
    PlainSerializer(str, return_type=str),
    _documented_schema(Delta),
]
RhoField = Annotated[
    Rho, PlainValidator(lambda v: read_amount(Rho, v)), PlainSerializer(str, return_type=str), _documented_schema(Rho)
]


def _check_below_one(delta: Delta) -> Delta:
    if delta.value >= 1:
        raise ValueError("must be below 1")
    return delta


def _check_release_epsilon(epsilon: Epsilon) -> Epsilon:
    check_epsilon(epsilon)
    return epsilon


EpsilonOfRelease = Annotated[
    EpsilonField, AfterValidator(_check_release_epsilon), _documented_schema(Epsilon, "from 0.0001 to 50")
]
RhoOfRelease = Annotated[RhoField, _documented_schema(Rho, "from 1e-8 to 1000")]
DeltaOfRelease = Annotated[
    DeltaField, AfterValidator(_check_below_one), _documented_schema(Delta, "above 0 and below 1")
]
DeltaOrNone = Annotated[DeltaField, AfterValidator(_check_below_one), _documented_schema(Delta, "below 1")]
EpsilonOfBudget = Annotated[EpsilonField, _documented_schema(Epsilon, "above 0 and at most 1000")]
DeltaOfBudget = Annotated[DeltaField, _documented_schema(Delta, "that is 0, or at least 1e-15 and below 1")]
DeltaOfConversion = Annotated[DeltaField, _documented_schema(Delta, "above 0 and below 1")]


class Guarantee(BaseModel):
    """(epsilon, delta)-differential privacy."""

    model_config = ConfigDict(frozen=True)

    epsilon: EpsilonField
    delta: DeltaField


AccountantName = TypeAliasType("AccountantName", Literal["basic", "zcdp"])


class Amount(BaseModel):
    """An amount of a budget: ε and δ under `basic`, ρ and δ under `zcdp`."""

    model_config = ConfigDict(frozen=True)

    accountant: AccountantName = Field(
        description="`basic`: ε and δ add up. `zcdp`: ρ adds up, and the δ that some releases are charged in addition."
    )
    epsilon: Annotated[EpsilonField | None, NOT_NULL] = Field(
        default=None, exclude_if=is_none, description="Left out under `zcdp`."
    )
    rho: Annotated[RhoField | None, NOT_NULL] = Field(
        default=None, exclude_if=is_none, description="Left out under `basic`."
    )
    delta: DeltaField


def amount(accountant: Accountant, cost: Cost) -> Amount:
    """Return `cost` in the dimensions of `accountant`."""
    if accountant is Accountant.BASIC:
        return Amount(accountant="basic", epsilon=cost.epsilon, delta=cost.delta)
    return Amount(accountant="zcdp", rho=cost.rho, delta=cost.delta)
