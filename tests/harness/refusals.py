"""The refusals of requests that fit the published schema: rules between fields, rules that depend on what is stored,
and rules that JSON Schema has no words for. Schemathesis, which loads this module, takes any other for a failure, and
also each request that breaks the schema and is accepted, except for JSON numbers as amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import schemathesis
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case
from schemathesis.hooks import HookContext
from schemathesis.openapi.checks import RejectedPositiveData

from service.cli.serving import HEAD_BYTES


@dataclass(frozen=True, slots=True)
class Rule:
    """A refusal that an operation may give at a place, with this rule. `operations` and `place` are regular
    expressions; list indices are left out of places, and numbers out of rules.
    """

    operations: str
    place: str
    words: str


_CELLS = (
    r"(compute_\w+|combine_margins|create_margins\w*|compare_releases|create_plan|create_rehearsal|create_quer\w+|"
    r"plot_\w+)"
)
_MADE_UP = r"create_(plan|rehearsal)"
_OF_CELLS = r"create_(dataset|plan|rehearsal)"
_OF_TABLES = r"(create|change)_dataset|create_plan"
_QUERIES = r"create_(queries|query_quote)"
_OF_BUDGETS = (
    r"change_budget|create_grant|change_grant|create_write_off|create_release|create_quote|create_queries|"
    r"(create|change)_access_request"
)
_MECHANISMS = r"create_(certificate|quote|release|rehearsal)"
_TABLES = "compute_table_posterior|plot_table"
_TABLE_CELLS = r"body\.(further\.)?cells"
_TABLE_NOISE = rf"({_TABLE_CELLS}|body|body\.further|body\.total\.published)\.noise(\.\w+)?"
_MARGINS = "create_margins(_quote)?|combine_margins"
_WEIGHT = r"body\.queries\.weights(\.(\w+|\(unknown\)))?"
_AMOUNT = r"body\..*(epsilons?|delta|rho|delta_conversion)"

RULES = (
    # Fields that replace each other, or of which one is required.
    Rule("create_dataset", "body", "must have either labels or attributes"),
    Rule("(create|change)_dataset", "body", "must have either counts or named_counts"),
    Rule("create_dataset", "body", "must have either one_record_per_unit or records_per_unit"),
    Rule(_CELLS, r"body\..*", "must have either labels or where"),
    Rule(_QUERIES, r"body\.queries", "must have either of or weights"),
    Rule(_MECHANISMS, r"body\.mechanism", "must have either rho or epsilon"),
    Rule(_MECHANISMS, r"body\.mechanism", "it needs a delta above # and below #"),
    Rule(_QUERIES, r"body\.queries\.between", "must have low, high or both"),
    Rule(_OF_TABLES, r"body\.impossible", "needs attributes: leave impossible labels out"),
    Rule(_MECHANISMS, r"body\.mechanism", "must not be geometric at a public number of records: .*"),
    Rule(r"compute_\w+", r"body\.margin", "must be left out, because this release is not a release of margins"),
    Rule(r"compute_\w+", r"body\.at_most", "must be left out, because the number of records is public"),
    Rule(_CELLS, r"body\.(trial\.)?effect", "must have either above or below"),
    Rule("compare_releases", "body", "must have `trial` true if it has `effect`"),
    Rule(_MARGINS, "body", "needs a data set with attributes: .*"),
    Rule(_MARGINS, "body", "must have either margins or all"),
    Rule(_MARGINS, "body", "must have exactly one of epsilon, rho and half_widths"),
    Rule(_MARGINS, "body", "must have no weights beside half_widths"),
    Rule(_MARGINS, r"body\.(all|margins)", "must be at most #, the number of attributes with several levels"),
    Rule(_MARGINS, r"body\.all", "must make at most # tables"),
    Rule(_MARGINS, r"body\.(all|margins)", "must make tables of at most # cells together"),
    Rule(_MARGINS, r"body\.margins", "must differ from those before, .*"),
    Rule(_MARGINS, r"body\.margins", "must (name each attribute once|have an attribute with several levels)"),
    Rule(_MARGINS, r"body\.delta", "must be above # on a budget of kind zcdp: .*"),
    Rule(_MARGINS, r"body\.weights", "must have one number for each of the # tables"),
    Rule(_MARGINS, r"body\.half_widths", "must have one number, or one for each of the # tables"),
    Rule("create_plan", "body", "target_error needs a public number of records: .*"),
    Rule(_QUERIES, r"body\.queries\.weights", "must have one number for each category of the data set"),
    Rule(_TABLES, r"body\.total", "must have either known, or at_most or published"),
    Rule(_TABLES, r"body\.total", "must be a whole number from # to #.#"),
    Rule(_TABLES, _TABLE_CELLS, "must have either label or levels"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.value", "must be a number, unless `shown_from` states the threshold of .*"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.value", "must be at least `shown_from`, as smaller values are suppressed"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.value", "must not be negative in .*"),
    Rule(_TABLES, rf"({_TABLE_CELLS}|body\.total\.published)\.value", "must be a whole number with this noise"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.value", "must be a multiple of `round_to`"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.between", "must (have ends|contain a value) .*"),
    Rule(_TABLES, r"body\.(further\.)?printed\.shown_from", "must be at least # if values are clamped at zero"),
    Rule(_TABLES, r"body\.adjusted", "must be false: .*"),
    Rule(_TABLES, r"body\.impossible", "needs `attributes`"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.label", "must be left out of a table with attributes: .*"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.levels", "needs the field `attributes` of the table"),
    Rule(_TABLES, _TABLE_NOISE, "needs exactly one of scale, variance, epsilon, rho"),
    Rule(_TABLES, _TABLE_NOISE, "must be left out, as exact counts have no noise"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.between", "must be left out if there is a value"),
    # Fields that must fit each other.
    Rule(_TABLES, rf"{_TABLE_CELLS}\.levels", "must have the level of each attribute"),
    Rule(_TABLES, _TABLE_CELLS, "must have every possible combination of levels: .*"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.(label|levels)", "must differ from those of the cells before"),
    Rule(_TABLES, rf"{_TABLE_CELLS}\.(label|levels)", "must name a cell of the table"),
    Rule(_TABLES, r"body\.prior", "must have one number for each cell"),
    Rule(_TABLES, _TABLE_NOISE, r"does not describe \w+ noise"),
    Rule("create_budget", r"body\.delta_conversion", "must be at most delta"),
    Rule("create_dataset", r"body\.counts", "must have as many counts as there are (labels|cells)"),
    Rule("create_plan", "body", "prior and made-up counts must have the same length"),
    Rule("create_rehearsal", "body", "labels, counts and prior must have the same length"),
    Rule("create_plan", r"body\.prior", "must have one number for each label, or possible cell"),
    Rule(_QUERIES, r"body\.queries\.between", "low must not be above high"),
    Rule(_CELLS, r"body\.hypotheses", "must have low below high"),
    Rule("(create|change)_dataset", r"body\.named_counts\.cell", "must name one label"),
    Rule(_OF_CELLS, r"body\.impossible", "names an attribute that this data set does not have"),
    Rule("create_plan", r"body\.epsilons", "epsilons must rise"),
    Rule("create_access_request", r"body\.(epsilon|rho)", "must be above #"),
    # Sums and comparisons within a list. JSON Schema could say with `contains` that some count is above 0; Schemathesis
    # does not come to an end with that in a long list.
    Rule(
        r"(create|change)_dataset|create_plan|create_rehearsal",
        r"body\..*counts",
        "the counts must hold at least one record",
    ),
    Rule(
        r"(create|change)_dataset|create_plan|create_rehearsal",
        r"body\..*counts",
        r"the counts must sum to at most #\^#",
    ),
    Rule(_OF_CELLS, r"body\.attributes", "must have at most # combinations of levels"),
    Rule(_OF_CELLS, r"body\..*labels", "labels must differ from each other"),
    # The time of the request.
    Rule(
        "create_(key|enrolment|grant)|change_grant",
        r"body\.expires_at",
        "must lie in the future.*|must be in # or later",
    ),
    Rule("create_key", r"body\.expires_at", "must lie within eight hours for a session"),
    # The kind of budget that it is about.
    Rule(_OF_BUDGETS, r"body\.(release_cap\.|max_charge\.)?(epsilon|rho)", "is not a unit of this budget; .*"),
    Rule(_OF_BUDGETS, r"body\.(release_cap\.)?(epsilon|rho)", "is required"),
    # What a grant has spent.
    Rule("change_grant", "body", "a cap can't be below what the grant already spent"),
    # What is spent of it.
    Rule("change_budget", "body", "a total can't be below what is already spent"),
    Rule("create_write_off", "body", "is more than remains of the budget; raise its total first"),
    # The data set, the releases or the people that it is about.
    Rule("create_grant", r"body\.principal_id", "must be the id of an analyst"),
    Rule(_CELLS, r"(body|query)\..*", "is not a (label of this data set|level of this attribute)"),
    Rule(_CELLS, r"(body|query)\..*", "names (an attribute|a label) that this data set does not have"),
    Rule(_CELLS, r"(body|query)\..*", "needs a data set with attributes"),
    Rule("create_(quote|release)", r"body\.prior", "must have one number for each category of the data set"),
    Rule(r"compute_\w+", r"body\.prior", "must have one number for each category of the release"),
    Rule("compare_releases", r"body\.second\.release_id", "must be a different release; .*"),
    Rule(_CELLS, r"(body|query)\..*", "must share a cell with `within`"),
    Rule(_CELLS, r"(body|query)\..*", "must leave out a cell of the denominator: .*"),
    Rule(_CELLS, r"body\..*", "must differ from the first share"),
    # The ranges of amounts, which their descriptions name.
    Rule(r"\w+", _AMOUNT, r"must be (above|below|at most|0 or at least) [#.]+"),
    Rule(r"\w+", rf"{_AMOUNT}|body\.mechanism", r"(epsilon|rho|delta) must lie (between|above) .*"),
    # What JSON Schema has no words for: digits of a binary fraction, JSON within a text of the query, and marks beyond
    # the first 65 536 characters. Names that end in a line break fit a pattern with `$` as Schemathesis reads it.
    Rule(_QUERIES, _WEIGHT, "must have at most # digits after the point"),
    Rule(r"plot_\w+", r"query\.prior", r"must be a JSON list of numbers from [#.]+ to # one for each category"),
    Rule(r"\w+", r"body\..*counts?", r"must be written without a point and an exponent if it is #\^# or more"),
    Rule(_QUERIES, _WEIGHT, "must be a plain decimal text such as .*"),
    Rule(r"\w+", r"(body|query)\..*", "must not have control characters or other invisible marks"),
    Rule(r"\w+", r"(body|query)\..*", "must have a visible character"),
    Rule(r"plot_\w+", r"query\.of", "must be cells as JSON: .*"),
    Rule(r"list_\w+", r"query\.cursor", "must be the next_cursor of a page of this list"),
    # Limits of a mechanism at a size.
    Rule(_MECHANISMS, r"body\.mechanism", "the exponential mechanism takes at most # (categories|records)"),
    Rule(_MECHANISMS, r"body\.mechanism", "delta is too small for this number of records of one unit"),
    Rule(_MADE_UP, r"body\.attributes", "must leave from # to # possible cells"),
)

PROBLEMS = {
    "computation-too-large": r"(create_(plan|rehearsal)|comp\w+|plot_\w+)",
    "idempotency-key-reused": r"create_\w+|replace_key",
    "body-too-large": r"\w+",
}
"""Problems that are no matter of the schema, and the operations that answer with them: an estimate of time, a key that
was used before, and the size of the whole body.
"""


def is_listed(operation: str, document: dict[str, Any]) -> bool:
    """Whether a problem that an operation answered is listed above, with everything that it names."""
    problem = document["type"].removeprefix("/problems/")
    if problem in PROBLEMS:
        return re.fullmatch(PROBLEMS[problem], operation) is not None
    told = document.get("errors", [])
    return bool(told) and all(_is_ruled(operation, each["location"], each["rule"]) for each in told)


def _is_ruled(operation: str, location: str, words: str) -> bool:
    place, words = re.sub(r"\[\d+\]", "", location), re.sub(r"\d[\d,]*", "#", words)
    return any(
        re.fullmatch(rule.operations, operation)
        and re.fullmatch(rule.place, place, re.DOTALL)
        and re.fullmatch(rule.words, words)
        for rule in RULES
    )


_FRACTIONS = st.integers(1, 999).map(lambda digits: f"0.{digits}")
_ENDS = st.sampled_from(["0", "1", "2.5", "50", "1e-8", "2.5e-4"])
schemathesis.openapi.format("decimal", st.one_of(_FRACTIONS, _FRACTIONS, _FRACTIONS, _ENDS))
schemathesis.openapi.format("visible", st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1))


@schemathesis.hook
def before_load_schema(_: HookContext, raw_schema: dict[str, Any]) -> None:
    """Give texts a format that stands for what the document says of them in words: they can be seen."""
    _mark_texts(raw_schema["components"]["schemas"])


def _mark_texts(value: Any) -> None:
    match value:
        case {"type": "string"}:
            if not value.keys() & {"pattern", "enum", "const", "format"}:
                value["format"] = "visible"
        case dict():
            if isinstance(names := value.get("propertyNames"), dict):
                names.setdefault("type", "string")
            for part in value.values():
                _mark_texts(part)
        case list():
            for part in value:
                _mark_texts(part)
        case _:
            return


_FORMATS = FormatChecker(())


@_FORMATS.checks("decimal")
def _is_decimal(value: object) -> bool:
    return not isinstance(value, str) or re.fullmatch(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", value) is not None


def _type(validator: Any, types: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    if schema.get("format") == "decimal" and validator.is_type(instance, "number"):
        return iter(())
    if types == "array" and schema.get("items", {}).get("type") == "string" and validator.is_type(instance, "string"):
        return iter(())
    found: Iterator[ValidationError] = Draft202012Validator.VALIDATORS["type"](validator, types, instance, schema)
    return found


_WITH_NUMBERS: Any = extend(Draft202012Validator, {"type": _type})  # type: ignore[no-untyped-call]  # jsonschema's own


def breaks_schema_by_numbers_alone(body: object, schema: Mapping[str, Any], components: Mapping[str, Any]) -> bool:
    """Return whether a body fits its schema except that some amounts are JSON numbers, or some lists of texts one text,
    which the service accepts.
    """
    validator: Draft202012Validator = _WITH_NUMBERS({**schema, "components": components}, format_checker=_FORMATS)
    return validator.is_valid(body)


@schemathesis.hook
def filter_failure(_: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Return whether a finding counts. A listed refusal of what fits the schema does not count, nor a JSON number that
    is accepted as an amount, nor any answer to a request whose head is too large to be read.
    """
    if len(str(response.request.url)) > HEAD_BYTES:
        return False
    if isinstance(failure, AcceptedNegativeData):
        return not _has_numbers_as_amounts(case)
    if not isinstance(failure, RejectedPositiveData):
        return True
    return not is_listed(case.operation.definition.raw["operationId"], response.json())


def _has_numbers_as_amounts(case: Case[Any]) -> bool:
    """Return whether the only thing wrong with a request is that it has JSON numbers as amounts."""
    if case.meta is None or any(
        part.mode.is_negative for place, part in case.meta.components.items() if place != ParameterLocation.BODY
    ):
        return False
    schema = case.operation.definition.raw["requestBody"]["content"]["application/json"]["schema"]
    return breaks_schema_by_numbers_alone(case.body, schema, case.operation.schema.raw_schema["components"])
