"""The ways to request a mechanism: the schema of each, and its record, from which plans, allowances, prices, the API's
union and the words on pages follow.

`core.mechanisms.catalogue` has the records of the mechanisms themselves. A new way to request one is a schema here and
a record in `REQUESTS`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
)

from pydantic import Field, TypeAdapter, model_validator
from typing_extensions import TypeAliasType

from core import limits
from core.accounting.group import share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.zcdp import ConversionError, largest_rho
from core.mechanisms import calibrations, catalogue, gaussian, laplace, private_size
from core.mechanisms.catalogue import Event, certify, certify_unit
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.exponential import calibration as exponential
from core.mechanisms.exponential.mechanism import MAX_CATEGORIES, MAX_RECORDS
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.weighting import is_small
from core.mechanisms.mechanism import Calibration
from core.mechanisms.mechanism import Mechanism as CoreMechanism
from core.mechanisms.private_size import PrivateSize
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from service.schemas.model import (
    NOTHING_LEFT_OUT,
    DeltaOfRelease,
    DeltaOrNone,
    EpsilonField,
    EpsilonOfRelease,
    Relation,
    Request,
    Response,
    RhoField,
    RhoOfRelease,
    is_none,
)

A = TypeVar("A", Epsilon, Rho)


class MechanismRequest(Request):
    """A mechanism and the amounts that a release requests of it. Each schema has a `kind` of its own."""

    always_hashed: ClassVar[tuple[str, ...]] = ()
    """Fields that got their default after version 0.1.0: the hash of a request contains them nevertheless."""
    depends_on_prior: ClassVar[bool] = False
    """Whether the prior changes what is drawn."""
    if TYPE_CHECKING:
        kind: str


R = TypeVar("R", bound=MechanismRequest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Largest(Generic[A]):
    """How an allowance finds the largest release.

    - `least`: the least amount of a release for one record.
    - `loss`: an upper bound on the certified loss of a release of n records, or None if n is private, m categories,
      this amount and δ, and records of one unit.
    - `takes_delta`: whether a release needs a δ.
    - `runs_at`: whether the mechanism runs at n records and m categories.
    """

    least: A
    loss: Callable[[int | None, int, A, Delta, int], PrivacyLoss]
    takes_delta: bool
    runs_at: Callable[[int | None, int], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRecord(Generic[R]):
    """One way to request a mechanism. Its `kind` names it in the API, in budgets and in the ledger.

    - `schema`: the schema of the request. Its docstring describes it to people.
    - `name`: its name on pages.
    - `calibrations`: the calibrations that find its channel.
    - `calibration`: the one of this request.
    - `for_one_record`: returns the parameters for one record, at which several lose at most the requested amount. It
      raises EventError if the share of one record rounds to 0.
    - `calibrate`: returns the event of the parameters for one record, at n records under a prior. It raises EventError.
    - `relations`: the neighbour relations under which it runs.
    - `at_private_n`: returns the event at m categories and records of one unit, if the number of records is private. It
      raises EventError, also if the mechanism needs a public number.
    - `check`: raises what `calibrate` raises, as far as that can be decided without a search. It is None if `calibrate`
      makes no search.
    - `asked`: returns the request by a calibration at (epsilon, delta) of m categories. Its charge is at most
      (epsilon, delta), if the calibration bounds it. It is None if the mechanism needs a positive δ.
    - `largest_epsilon`, `largest_rho`: how to find the largest release by its ε or its ρ. Both are None if only a
      certificate states the charge.
    """

    schema: type[R]
    name: str
    calibrations: tuple[Calibration[Any], ...]
    calibration: Callable[[R], Calibration[Any]]
    for_one_record: Callable[[R, int], R]
    calibrate: Callable[[R, int, tuple[float, ...]], Event]
    relations: tuple[NeighbourRelation, ...]
    at_private_n: Callable[[R, int, int], PrivateSize]
    check: Callable[[R, int, tuple[float, ...]], object] | None
    asked: Callable[[Calibration[Any], Epsilon, Delta, int], R | None]
    largest_epsilon: Largest[Epsilon] | None
    largest_rho: Largest[Rho] | None

    @property
    def kind(self) -> str:
        (kind,) = get_args(self.schema.model_fields["kind"].annotation)
        return str(kind)

    @property
    def description(self) -> str:
        """What the mechanism does, for statisticians."""
        return " ".join(inspect.cleandoc(self.schema.__doc__ or "").split())


def anywhere(_: int | None, m: int) -> bool:
    """The `runs_at` of a mechanism that runs at every size of a posterior."""
    return 1 <= m <= limits.MAX_CATEGORIES


def _runs_at_public_n(n: int | None, m: int) -> bool:
    return n is not None and anywhere(n, m)


def _runs_at_private_n(n: int | None, m: int) -> bool:
    return n is None and anywhere(n, m)


def _public_record_count(n: int | None) -> int:
    """Return n for a mechanism that runs at a public number of records only (`runs_at`)."""
    assert n is not None, "it does not run at a private number of records"
    return n


def refused_at_private_n(of: CoreMechanism[Any]) -> Callable[[Any, int, int], PrivateSize]:
    """Return the `at_private_n` of a mechanism that needs a public number of records."""
    reason = of.refused_at_private_n
    assert reason is not None, "it runs at a private number of records"

    def refuse(_: MechanismRequest, __: int, ___: int) -> PrivateSize:
        raise EventError(f"can't be used: {reason}")

    return refuse


def shared(request: R, records: int, epsilon: Epsilon, delta: Delta | None, name: str = "epsilon") -> R:
    """Return the request with the shares of one record of its ε, which has this name, and of its δ, if it has one."""
    shares: dict[str, Epsilon | Delta] = {name: share_of_epsilon(epsilon, records)}
    if delta is not None:
        shares["delta"] = share_of_delta(delta, epsilon, records)
        if delta.units and not shares["delta"].units:
            raise EventError("delta is too small for this number of records of one unit")
    return request.model_copy(update=shares)


class SimplexGeometric(MechanismRequest):
    """Adds two-sided geometric (discrete Laplace) noise to every count, conditioned on the total, which stays exact.
    Pure ε-DP. Recommended: usually the narrowest intervals without a δ, at any size.
    """

    kind: Literal["simplex_geometric"]
    epsilon: EpsilonOfRelease


class Geometric(MechanismRequest):
    """Adds two-sided geometric (discrete Laplace) noise to every count, of scale k/ε at k records of one unit. Pure
    ε-DP. Only for tables whose number of records is private, where it is recommended.
    """

    kind: Literal["geometric"]
    epsilon: EpsilonOfRelease


class Laplace(MechanismRequest):
    """The papers' Laplace mechanism. Adds rounded-down Laplace noise of scale 2/ε to every count but the last, and cuts
    the counts back to sum to n. The last count is the remainder of the total. If the number of records is private, it
    adds noise of scale k/ε at k records of one unit to every count, and cuts nothing.
    """

    kind: Literal["laplace"]
    epsilon: EpsilonOfRelease


class Gaussian(MechanismRequest):
    """Adds discrete Gaussian noise to every count; ρ-zCDP. A basic budget is charged δ, and the ε that ρ implies at δ.
    Cheapest if you make many releases on a budget in ρ. Give ρ, or the ε from which the largest ρ follows at δ.
    """

    kind: Literal["gaussian"]
    rho: RhoOfRelease | None = Field(default=None, exclude_if=is_none, description="Give either rho or epsilon.")
    epsilon: EpsilonOfRelease | None = Field(
        default=None,
        exclude_if=is_none,
        description="Bound on the charge under `basic`: the noise is that of the largest rho that implies it at delta.",
    )
    delta: DeltaOfRelease

    @model_validator(mode="after")
    def _check_amount_once(self) -> Self:
        if (self.rho is None) is (self.epsilon is None):
            raise ValueError("must have either rho or epsilon")
        return self

    @property
    def largest_rho(self) -> Rho:
        """The requested ρ, or the largest one that implies (epsilon, delta)."""
        if self.rho is not None:
            return self.rho
        assert self.epsilon is not None, "a request has one of them"
        try:
            return min(largest_rho(self.epsilon, self.delta), gaussian.MAX_RHO)
        except ConversionError as error:
            raise EventError(str(error)) from None


class Exponential(MechanismRequest):
    """Draws a whole posterior: the nearer to the true one by Hellinger distance, the more likely. Calibrated to smooth
    sensitivity. It uses the largest rate that is proven for ε. Only for few records and categories.
    """

    depends_on_prior = True
    kind: Literal["exponential"]
    always_hashed = ("calibration",)
    calibration: Literal["certified", "proven"] = Field(
        default="proven",
        description=(
            "`proven` calibrates by a theorem, at any size, and needs no delta. `certified` evaluates the whole "
            "channel exactly, which allows a larger rate but only at small sizes. Its first use at a size can take a "
            "while: see `/v1/certificates`."
        ),
    )
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description=("With `certified`, a positive delta makes the release slightly more accurate; 0 gives pure ε-DP."),
    )


class ExponentialPublished(MechanismRequest):
    """The exponential mechanism with the noise of the original papers, which claim (ε, δ)-DP for the nominal ε. The
    charge is the proven loss, which can be more.
    """

    depends_on_prior = True
    kind: Literal["exponential_published"]
    nominal_epsilon: EpsilonOfRelease = Field(
        description="The ε that the papers claim. `max_charge` of the release limits what is charged."
    )
    delta: DeltaOfRelease


class ExponentialGlobal(MechanismRequest):
    """The exponential mechanism with noise for the worst table, by global sensitivity. Pure ε-DP. The noisiest."""

    depends_on_prior = True
    kind: Literal["exponential_global"]
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Ignored: this mechanism needs no delta and spends none.",
    )


def _asked_laplace(calibration: Calibration[Any], epsilon: Epsilon, _: Delta, m: int) -> Laplace:
    # At two categories and a public number of records it spends half of its nominal epsilon.
    is_half = m == 2 and calibration is calibrations.LAPLACE
    return Laplace(kind="laplace", epsilon=min(Epsilon(2 * epsilon.units), MAX_EPSILON) if is_half else epsilon)


def _asked_exponential(calibration: Calibration[Any], epsilon: Epsilon, delta: Delta, _: int) -> Exponential:
    by: Literal["certified", "proven"] = "certified" if calibration is calibrations.EXPONENTIAL_CERTIFIED else "proven"
    return Exponential(kind="exponential", calibration=by, epsilon=epsilon, delta=delta)


def _calibrate_exponential(request: Exponential, n: int, prior: tuple[float, ...]) -> Event:
    search = exponential.calibrate_proven if request.calibration == "proven" else exponential.calibrate_certified
    return search(n, prior, request.epsilon, request.delta)


def _check_exponential(request: Exponential, n: int, prior: tuple[float, ...]) -> None:
    if request.calibration == "proven":
        exponential.check_proven(n, prior, request.epsilon, request.delta)
    else:
        exponential.check_evaluable(n, prior, request.epsilon)


def _loss_of_simplex_geometric(n: int | None, m: int, epsilon: Epsilon, _: Delta, records: int) -> PrivacyLoss:
    size = _public_record_count(n)
    event = simplex_geometric.SimplexGeometric(size, m, share_of_epsilon(epsilon, records))
    if is_small(size, m):  # its certificate takes up to a second
        return PrivacyLoss(Epsilon(records * event.epsilon.units))
    return certify_unit(event, records).loss


def _loss_of_laplace(n: int | None, m: int, epsilon: Epsilon, _: Delta, records: int) -> PrivacyLoss:
    if n is None:
        return private_size.certify(PrivateSize(m, "laplace", epsilon, records_per_unit=records)).loss
    return certify_unit(laplace.Laplace(n, m, share_of_epsilon(epsilon, records)), records).loss


def _loss_of_gaussian(n: int | None, m: int, rho: Rho, delta: Delta, _: int) -> PrivacyLoss:
    if n is None:
        return private_size.certify(PrivateSize(m, "gaussian", rho, delta)).loss
    return certify(gaussian.Gaussian(n, m, rho, delta)).loss


def _calibrate_geometric(_: Geometric, __: int, ___: tuple[float, ...]) -> Event:
    raise EventError(
        "must not be geometric at a public number of records: use simplex_geometric, whose noise is narrower"
    )


_SIMPLEX_GEOMETRIC: Final = RequestRecord(
    schema=SimplexGeometric,
    name="simplex geometric",
    calibrations=(calibrations.SIMPLEX_GEOMETRIC,),
    calibration=lambda _: calibrations.SIMPLEX_GEOMETRIC,
    for_one_record=lambda request, records: shared(request, records, request.epsilon, None),
    calibrate=lambda request, n, prior: simplex_geometric.SimplexGeometric(n, len(prior), request.epsilon),
    relations=(NeighbourRelation.REPLACE_ONE,),
    at_private_n=refused_at_private_n(catalogue.SIMPLEX_GEOMETRIC),
    check=None,
    asked=lambda _, epsilon, __, ___: SimplexGeometric(kind="simplex_geometric", epsilon=epsilon),
    largest_epsilon=Largest(
        least=MIN_EPSILON,
        loss=_loss_of_simplex_geometric,
        takes_delta=False,
        runs_at=_runs_at_public_n,
    ),
    largest_rho=None,
)
_GEOMETRIC: Final = RequestRecord(
    schema=Geometric,
    name="geometric",
    calibrations=(calibrations.GEOMETRIC_AT_PRIVATE_N,),
    calibration=lambda _: calibrations.GEOMETRIC_AT_PRIVATE_N,
    for_one_record=lambda request, _: request,
    calibrate=_calibrate_geometric,
    relations=(NeighbourRelation.ADD_REMOVE,),
    at_private_n=lambda request, m, records: PrivateSize(m, "geometric", request.epsilon, records_per_unit=records),
    check=None,
    asked=lambda _, epsilon, __, ___: Geometric(kind="geometric", epsilon=epsilon),
    largest_epsilon=Largest(
        least=MIN_EPSILON,
        loss=lambda _, m, epsilon, __, records: (
            private_size.certify(PrivateSize(m, "geometric", epsilon, records_per_unit=records)).loss
        ),
        takes_delta=False,
        runs_at=_runs_at_private_n,
    ),
    largest_rho=None,
)
_LAPLACE: Final = RequestRecord(
    schema=Laplace,
    name="Laplace",
    calibrations=(calibrations.LAPLACE, calibrations.LAPLACE_AT_PRIVATE_N),
    calibration=lambda _: calibrations.LAPLACE,
    for_one_record=lambda request, records: shared(request, records, request.epsilon, None),
    calibrate=lambda request, n, prior: laplace.Laplace(n, len(prior), request.epsilon),
    relations=tuple(NeighbourRelation),
    at_private_n=lambda request, m, records: PrivateSize(m, "laplace", request.epsilon, records_per_unit=records),
    check=None,
    asked=_asked_laplace,
    largest_epsilon=Largest(
        least=MIN_EPSILON,
        loss=_loss_of_laplace,
        takes_delta=False,
        runs_at=anywhere,
    ),
    largest_rho=None,
)
_GAUSSIAN: Final = RequestRecord(
    schema=Gaussian,
    name="Gaussian",
    calibrations=(calibrations.GAUSSIAN, calibrations.GAUSSIAN_AT_PRIVATE_N),
    calibration=lambda _: calibrations.GAUSSIAN,
    for_one_record=lambda request, records: request.model_copy(
        update={"rho": share_of_rho(request.largest_rho, records), "epsilon": None}
    ),
    calibrate=lambda request, n, prior: gaussian.Gaussian(n, len(prior), request.largest_rho, request.delta),
    relations=tuple(NeighbourRelation),
    at_private_n=lambda request, m, records: PrivateSize(m, "gaussian", request.largest_rho, request.delta, records),
    check=None,
    asked=lambda _, epsilon, delta, __: (
        Gaussian(kind="gaussian", rho=min(largest_rho(epsilon, delta), gaussian.MAX_RHO), delta=delta)
        if delta.units
        else None
    ),
    largest_epsilon=None,
    largest_rho=Largest(
        least=gaussian.MIN_RHO,
        loss=_loss_of_gaussian,
        takes_delta=True,
        runs_at=anywhere,
    ),
)


def _runs_exponential(n: int | None, m: int) -> bool:
    return n is not None and n <= MAX_RECORDS and m <= MAX_CATEGORIES


_LARGEST_BY_ITS_EPSILON: Final = Largest(
    least=MIN_EPSILON,
    loss=lambda _, __, epsilon, ___, ____: PrivacyLoss(epsilon),  # it never costs more than the requested epsilon
    takes_delta=False,
    runs_at=_runs_exponential,
)
_EXPONENTIAL: Final = RequestRecord(
    schema=Exponential,
    name="exponential",
    calibrations=(calibrations.EXPONENTIAL_PROVEN, calibrations.EXPONENTIAL_CERTIFIED),
    calibration=lambda request: (
        calibrations.EXPONENTIAL_PROVEN if request.calibration == "proven" else calibrations.EXPONENTIAL_CERTIFIED
    ),
    for_one_record=lambda request, records: shared(request, records, request.epsilon, request.delta),
    calibrate=_calibrate_exponential,
    relations=(NeighbourRelation.REPLACE_ONE,),
    at_private_n=refused_at_private_n(catalogue.EXPONENTIAL),
    check=_check_exponential,
    asked=_asked_exponential,
    largest_epsilon=_LARGEST_BY_ITS_EPSILON,
    largest_rho=None,
)
_EXPONENTIAL_PUBLISHED: Final = RequestRecord(
    schema=ExponentialPublished,
    name="exponential as published",
    calibrations=(calibrations.EXPONENTIAL_PUBLISHED,),
    calibration=lambda _: calibrations.EXPONENTIAL_PUBLISHED,
    for_one_record=lambda request, records: shared(
        request, records, request.nominal_epsilon, request.delta, "nominal_epsilon"
    ),
    calibrate=lambda request, n, prior: exponential.calibrate_published(
        n, prior, request.nominal_epsilon, request.delta
    ),
    relations=(NeighbourRelation.REPLACE_ONE,),
    at_private_n=refused_at_private_n(catalogue.EXPONENTIAL),
    check=None,
    asked=lambda _, epsilon, delta, __: (
        ExponentialPublished(kind="exponential_published", nominal_epsilon=epsilon, delta=delta)
        if delta.units
        else None
    ),
    largest_epsilon=None,
    largest_rho=None,
)
_EXPONENTIAL_GLOBAL: Final = RequestRecord(
    schema=ExponentialGlobal,
    name="exponential by global sensitivity",
    calibrations=(calibrations.EXPONENTIAL_GLOBAL,),
    calibration=lambda _: calibrations.EXPONENTIAL_GLOBAL,
    for_one_record=lambda request, records: shared(request, records, request.epsilon, request.delta),
    calibrate=lambda request, n, prior: exponential.calibrate_global(n, prior, request.epsilon, request.delta),
    relations=(NeighbourRelation.REPLACE_ONE,),
    at_private_n=refused_at_private_n(catalogue.EXPONENTIAL),
    check=None,
    asked=lambda _, epsilon, __, ___: ExponentialGlobal(kind="exponential_global", epsilon=epsilon),
    largest_epsilon=_LARGEST_BY_ITS_EPSILON,
    largest_rho=None,
)

REQUESTS: Final[tuple[RequestRecord[Any], ...]] = (
    _SIMPLEX_GEOMETRIC,
    _GEOMETRIC,
    _LAPLACE,
    _GAUSSIAN,
    _EXPONENTIAL,
    _EXPONENTIAL_PUBLISHED,
    _EXPONENTIAL_GLOBAL,
)
"""All of them, in the order of the API."""
LINEAR: Final = "linear"
"""The kind of rows that are measured for linear queries, which a budget can allow."""
MARGINS: Final = "margins"
"""The kind of a release of margins of a cross table, which a budget can allow."""
_REQUEST_BY_KIND: Final = {each.kind: each for each in REQUESTS}
KINDS: Final = tuple(_REQUEST_BY_KIND)


class MarginsMechanism(Response):
    """Adds independent noise to every cell of several margins of a cross table, geometric or discrete Gaussian. It has
    the loss of all margins together, as ε or as ρ.
    """

    kind: Literal["margins"]
    epsilon: EpsilonField | None = Field(default=None, exclude_if=is_none, description="The ε of all margins together.")
    rho: RhoField | None = Field(default=None, exclude_if=is_none, description="The ρ of all margins together.")


_OTHER_MECHANISMS: Final[dict[str, type[Response]]] = {MARGINS: MarginsMechanism}
"""The mechanisms of paid kinds other than counts and queries, by the name of their kind."""

if TYPE_CHECKING:
    Mechanism: TypeAlias = MechanismRequest
    MechanismKind: TypeAlias = str
    AllowedKind: TypeAlias = str
else:
    Mechanism = TypeAliasType(
        "Mechanism", Annotated[reduce(or_, (each.schema for each in REQUESTS)), Field(discriminator="kind")]
    )
    MechanismKind = TypeAliasType("MechanismKind", Literal[KINDS])
    AllowedKind = TypeAliasType("AllowedKind", Literal[(*KINDS, LINEAR, *_OTHER_MECHANISMS)])


if TYPE_CHECKING:
    StatedMechanism: TypeAlias = MechanismRequest | MarginsMechanism
else:
    StatedMechanism = TypeAliasType(
        "StatedMechanism",
        Annotated[
            reduce(or_, (*(each.schema for each in REQUESTS), *_OTHER_MECHANISMS.values())), Field(discriminator="kind")
        ],
    )


class MechanismParameter(Response):
    """A parameter of a mechanism's request."""

    name: str = Field(description="Name of the field in a request.")
    required: bool = Field(description="Whether a request needs it.")
    choices: list[str] | None = Field(description="The accepted texts; null for an amount.")


class MechanismDescription(Response):
    """A mechanism, its name on pages, what it does, and the parameters of its request."""

    kind: MechanismKind
    name: str = Field(description="The name of the mechanism on pages.")
    description: str = Field(description="What the mechanism does.")
    relations: list[Relation] = Field(description="The neighbour relations that it supports.")
    parameters: list[MechanismParameter] = Field(description="The fields of a request, without `kind`.")


class Mechanisms(Response):
    """All mechanisms, the recommended one first."""

    items: list[MechanismDescription]


STATED_MECHANISM: Final[TypeAdapter[StatedMechanism]] = TypeAdapter(StatedMechanism)


def name_of(kind: str) -> str:
    """Return the name of a kind on pages. Raises KeyError if there is none."""
    return kind if kind in _OTHER_MECHANISMS else record_of(kind).name


def record_of(kind: str) -> RequestRecord[Any]:
    """Return the record of a kind. Raises KeyError if there is none."""
    return _REQUEST_BY_KIND[kind]


def describe(record: RequestRecord[Any]) -> MechanismDescription:
    """Return the words and the parameters of a mechanism for people and programs."""
    parameters = [
        MechanismParameter(
            name=name,
            required=field.is_required(),
            choices=list(get_args(field.annotation)) if get_origin(field.annotation) is Literal else None,
        )
        for name, field in record.schema.model_fields.items()
        if name != "kind"
    ]
    return MechanismDescription(
        kind=record.kind,
        name=record.name,
        description=record.description,
        relations=[each.value for each in record.relations],
        parameters=parameters,
    )


def asked_by(calibration: Calibration[Any], epsilon: Epsilon, delta: Delta, m: int) -> Mechanism | None:
    """Return a request of this calibration at (epsilon, delta), or None if it needs a positive delta and has none."""
    return record_of_calibration(calibration).asked(calibration, epsilon, delta, m)


def record_of_calibration(calibration: Calibration[Any]) -> RequestRecord[Any]:
    """Return the record of the requests that this calibration serves."""
    return next(each for each in REQUESTS if calibration in each.calibrations)
