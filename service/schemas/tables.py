"""Schemas of a noisy table that somebody published, as a source of posteriors."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from typing_extensions import TypeAliasType

from core.inference.published import MAX_CHANGE, MAX_CHANGES, MAX_ROWS, MAX_SCALE, MAX_VALUE
from core.limits import MAX_CATEGORIES
from service.schemas.cells import MAX_ATTRIBUTES, Attributes, Where
from service.schemas.model import AS_WHOLE, NOT_NULL, Request, ShortText, examples

MAX_FURTHER_TABLES: Final = 9
MAX_CELLS_IN_ALL: Final = 20_000


def _number(value: object) -> float:
    # A table can have thousands of values.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if not abs(value) <= MAX_VALUE:
        raise ValueError("must be finite and not beyond 2^53")
    return float(value)


_NUMBER_SCHEMA: Final = {"type": "number", "minimum": -MAX_VALUE, "maximum": MAX_VALUE}
Value = Annotated[float, BeforeValidator(_number), WithJsonSchema(_NUMBER_SCHEMA)]
Whole = Annotated[int, Field(strict=True, ge=-MAX_VALUE, le=MAX_VALUE), AS_WHOLE]
_PositiveNumber = Annotated[float, Field(strict=True, gt=0, le=MAX_SCALE**2)]
_Sensitivity = Annotated[float, Field(strict=True, gt=0, le=MAX_SCALE)]
Count = Annotated[int, Field(strict=True, ge=0, le=MAX_VALUE), AS_WHOLE]


NoiseLaw: TypeAlias = Literal[
    "geometric", "laplace", "floored_laplace", "discrete_gaussian", "gaussian", "table", "none"
]
Rounding: TypeAlias = Literal["at_random", "half_even", "half_up", "half_down", "half_away"]
_Change = Annotated[str, Field(pattern=r"^-?[0-9]{1,4}$")]
_Probability = Annotated[float, Field(strict=True, ge=0, le=1)]
ChangesOfCount = TypeAliasType(
    "ChangesOfCount",
    Annotated[
        dict[_Change, _Probability],
        Field(min_length=1, max_length=2 * MAX_CHANGE + 1, examples=[{"-1": 0.25, "0": 0.5, "1": 0.25}]),
    ],
)
CellLevels = TypeAliasType(
    "CellLevels",
    Annotated[
        dict[ShortText, ShortText],
        Field(max_length=MAX_ATTRIBUTES, examples=[{"smoker": "yes", "age": "20-29"}]),
    ],
)


class TableNoise(Request):
    """The noise that was added to each count, independently: its law, and one of `scale`, `variance`, `epsilon` and
    `rho`, in records, or for the law `table` the perturbation table in `changes`.
    """

    model_config = examples(
        {"law": "geometric", "epsilon": 1},
        {"law": "discrete_gaussian", "rho": 0.01505, "l2_sensitivity": 3.1623},
        {"law": "laplace", "scale": 20},
        {"law": "table", "changes": [{"0": 1}, {"-1": 0.5, "1": 0.5}, {"-1": 0.25, "0": 0.5, "1": 0.25}]},
    )

    law: NoiseLaw = Field(
        description=(
            "`geometric`: P(z) ∝ e^(−|z|/scale) on whole numbers, also called discrete Laplace. `discrete_gaussian`: "
            "P(z) ∝ e^(−z²/2σ²) on whole numbers. `laplace` and `gaussian` are continuous. `floored_laplace` is "
            "continuous Laplace noise rounded down. `table`: the publisher's perturbation table, as with cell keys. "
            "`none`: the counts are exact, though they may be rounded or suppressed."
        )
    )
    scale: _PositiveNumber | None = Field(
        default=None,
        description="The reciprocal of the rate of `geometric` noise, b of Laplace noise, σ of Gaussian noise.",
    )
    variance: _PositiveNumber | None = Field(default=None, description="Variance of the noise; σ² for Gaussian noise.")
    epsilon: _PositiveNumber | None = Field(
        default=None, description="ε of `geometric` or Laplace noise, whose scale is `l1_sensitivity` / ε."
    )
    l1_sensitivity: _Sensitivity = Field(
        default=1.0,
        description=(
            "With `epsilon`: the largest sum of absolute changes of the counts that one person causes. 1 if a person "
            "is added or removed, 2 if a person's category changes."
        ),
    )
    rho: _PositiveNumber | None = Field(
        default=None, description="ρ (zCDP) of Gaussian noise, whose σ is `l2_sensitivity` / √(2ρ)."
    )
    l2_sensitivity: _Sensitivity = Field(
        default=1.0, description="With `rho`: the largest Euclidean length of the change that one person causes."
    )
    second_scale: _PositiveNumber | None = Field(
        default=None, description="The scale of a second noise of the same law, if two were added to each count."
    )
    changes: Annotated[list[ChangesOfCount], Field(min_length=1, max_length=MAX_ROWS)] | None = Field(
        default=None,
        description=(
            "The perturbation table, for the law `table`: the first item has the changes of the count 0 with their "
            "probabilities, the next those of 1, and so on. The last item also holds for all larger counts. At most "
            f"{MAX_CHANGES} probabilities in all. Values that were perturbed together, such as a cell that is printed "
            "twice, have the same change: give them once."
        ),
    )


class TablePrinted(Request):
    """What the publisher did to each noisy value, in this order: rounding, clamping at zero, suppression."""

    round_to: Annotated[int, Field(strict=True, ge=1, le=MAX_VALUE), AS_WHOLE] | None = Field(
        default=None, description="Values are rounded to multiples of this number. Needs `rounding`."
    )
    rounding: Annotated[Rounding | None, NOT_NULL] = Field(
        default=None,
        description=(
            "How values are rounded. `at_random`: exact counts go to one of the two neighbouring multiples, such that "
            "the mean is the count, also called random or unbiased rounding. The others round to the nearest multiple. "
            "They say where a value halfway between two multiples goes: to the even multiple, up, down, or away from 0."
        ),
    )
    clamped_at_zero: bool = Field(default=False, strict=True, description="Negative values are printed as 0.")
    shown_from: Whole | None = Field(
        default=None, description="Values below this threshold are suppressed: give them as null."
    )


class TableCell(Request):
    """One published cell: its value, or null if it is suppressed, or an interval."""

    label: ShortText | None = Field(default=None, description="The label of the cell, in a table without attributes.")
    levels: CellLevels | None = Field(
        default=None, description="The level of each attribute, in a table with `attributes`."
    )
    value: Value | None = Field(
        default=None, description="The published value. Null if it is suppressed, for which `shown_from` is needed."
    )
    between: Annotated[list[Value | None], Field(min_length=2, max_length=2)] | None = Field(
        default=None,
        description=(
            "In place of a value: the least and the largest value that the count with its noise can have, both "
            "included; null for an end that is not known. `[null, null]` says that nothing is published."
        ),
        examples=[[1, 9]],
    )
    noise: TableNoise | None = Field(default=None, description="The noise of this cell; that of the table if left out.")

    @model_validator(mode="after")
    def _check_named_once(self) -> Self:
        if (self.label is None) is (self.levels is None):
            raise ValueError("must have either label or levels")
        return self


class FurtherTable(Request):
    """A further observation of the same counts, with noise of its own. Cells that are left out carry no information."""

    cells: Annotated[list[TableCell], Field(min_length=1, max_length=MAX_CATEGORIES)] = Field(
        description="The published cells."
    )
    noise: TableNoise = Field(description="The noise of each count.")
    printed: TablePrinted | None = Field(
        default=None, description="What was done to the noisy values; nothing if left out."
    )


class PublishedTotal(Request):
    """The number of records of the table as it was published, with noise of its own."""

    value: Value = Field(description="The published number.")
    noise: TableNoise = Field(description="The noise of this number.")
    printed: TablePrinted | None = Field(
        default=None, description="What was done to the noisy values; nothing if left out."
    )


class TableTotal(Request):
    """What is known about the number of records: exactly (`known`), a bound (`at_most`), a noisy
    figure (`published`), or a bound and a noisy figure.
    """

    known: Annotated[int, Field(strict=True, ge=1, le=MAX_VALUE), AS_WHOLE] | None = Field(
        default=None, description="The exact number of records."
    )
    at_most: Count | None = Field(default=None, description="Each number of records up to this is equally likely.")
    published: PublishedTotal | None = Field(default=None, description="The number as it was published, with noise.")

    @model_validator(mode="after")
    def _check_total_once(self) -> Self:
        said = self.at_most is not None or self.published is not None
        if (self.known is not None) is said:
            raise ValueError("must have either known, or at_most or published")
        return self


class TableSource(Request):
    """A noisy table that somebody published. The cells must have been published independently of each other."""

    kind: Literal["table"]
    cells: Annotated[list[TableCell], Field(min_length=2, max_length=MAX_CATEGORIES)] = Field(
        description=(
            "All cells of the table, suppressed ones too: an omitted cell would be taken as one that does not exist."
        )
    )
    attributes: Attributes | None = Field(
        default=None, description="The attributes of a cross table, whose cells have `levels`."
    )
    impossible: Annotated[list[Where], Field(max_length=1000)] = Field(
        default=[], description="Predicates of the combinations of levels that no record can have."
    )
    noise: TableNoise = Field(description="The noise of all cells without noise of their own.")
    printed: TablePrinted | None = Field(
        default=None, description="What was done to the noisy values; nothing if left out."
    )
    further: Annotated[list[FurtherTable], Field(max_length=MAX_FURTHER_TABLES)] = Field(
        default=[], description="Further noisy tables of the same counts."
    )
    total: TableTotal | None = Field(
        default=None,
        description="The number of records. If left out, every number is equally likely before the table is seen.",
    )
    no_totals: bool = Field(
        default=False,
        strict=True,
        description=(
            "Whether each cell is a category, also one whose value is close to the sum of the others. Otherwise such "
            "a cell is refused, because a total would count everybody twice."
        ),
    )
    adjusted: bool = Field(
        default=False,
        strict=True,
        description=(
            "Whether cells were changed because of other cells: made to add up, made consistent with other tables, or "
            "suppressed to protect another cell. The posterior of such tables cannot be computed, and true is refused."
        ),
    )
