"""The command `posterior plan`, which is free."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypedDict, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.names import readable_or_listed
from private_posterior.commands.options import Level, Prior, amount, prior_of
from private_posterior.commands.show import AsJson, as_json, echo, fail, note, number_text, share_text, table
from private_posterior.commands.sizes import made_up_counts, stated

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        ExactInterval,
        ExpectedInterval,
        Plan,
        PlanCreate,
        PlanOption,
        ReachedTarget,
        Target,
    )

_MOST_PLANNED_CATEGORIES: Final = 1000
_DELTA: Final = "1e-6"
_SMALL_PRIOR: Final = 0.3
"""Prior below which the error of a narrow width is relative to 0.01, as the API's description says."""
_EVEN: Final = (
    "No sizes were stated, so the made-up records are spread evenly: all categories are alike. Rare ones have "
    "intervals that are much wider, relative to their size. State your sizes: --about 'outcome=ill = 1 in "
    "1000', or --counts."
)


class _Asked(NamedTuple):
    """The question of a plan: a share, or a contrast of two, also by strata; or a trial."""

    where: str | None
    given: str | None
    than: str | None
    than_given: str | None
    contrast: str | None
    by: Sequence[str]
    trial: tuple[str | None, ...]
    """The outcome and both groups."""

    def check(self) -> None:
        """End the command if options are missing, or contradict each other."""
        if any(self.trial):
            if not all(self.trial):
                fail("a trial needs --outcome, --first and --second")
            if any(self[:-1]):
                fail("give --where and its options, or --outcome, --first and --second")
            return
        if self.where is None and any(self[:-1]):
            fail("--given, --than, --than-given, --contrast and --by need --where: the share of which categories?")
        if self.contrast is not None and self.than is None and self.than_given is None:
            fail("--contrast needs --than or --than-given: what is the share compared with?")

    @property
    def kind(self) -> str:
        """Return the kind of the question. A comparison is a ratio unless another contrast is asked for."""
        return "share" if self.than is None and self.than_given is None else self.contrast or "ratio"

    def request(self, names: Names) -> dict[str, Any]:
        """Return the fields of a plan that ask this."""
        if self.where is None:
            parts = zip(("outcome", "first", "second"), self.trial, strict=True)
            trial = {name: names.cells(text) for name, text in parts if text is not None}
            return {"trial": trial} if trial else {}
        question: dict[str, Any] = {"kind": self.kind, **names.share(self.where, self.given)}
        if self.kind != "share":
            second = names.share(self.than or self.where, self.than_given or self.given)
            question = {"kind": self.kind, "first": names.share(self.where, self.given), "second": second}
        return {"by": {"attributes": self.by, "question": question}} if self.by else {"questions": [question]}

    def __str__(self) -> str:
        if self.where is None:
            return "the largest category" if not any(self.trial) else f"the risk of {self.trial[0]} in {self.trial[1]}"
        first = _named(self.where, self.given)
        if self.kind == "share":
            return f"the share of {first}"
        second = _named(self.than or self.where, self.than_given or self.given)
        return f"the {self.kind.replace('_', ' ')} of {first} to {second}"


def _named(where: str, given: str | None) -> str:
    return where if given is None else f"{where} among {given}"


def plan(
    dataset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Plan for the public size and categories of this data set: name or id."),
    ] = None,
    counts: Annotated[
        str | None, typer.Option(metavar="LIST", help="Made-up counts, separated by commas: '5,995'.")
    ] = None,
    records: Annotated[
        int | None,
        typer.Option(min=1, help="Number of records, if you give no --counts; your guess of it, if it is private."),
    ] = None,
    categories: Annotated[
        int | None, typer.Option(min=2, help="Number of categories, if you give no --counts.")
    ] = None,
    shape: Annotated[
        Literal["even", "falling", "prior_mean"] | None,
        typer.Option(help=("Distribution of the made-up records over categories. By default even.")),
    ] = None,
    about: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CELLS=SIZE",
            help="A size that you expect: 'outcome=ill = 1 in 1000', 'outcome=ill given arm=new = 2 %', 'arm=new = "
            "500' records. Can be repeated; the rest is spread evenly.",
        ),
    ] = None,
    where: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Plan for the share of these categories: 'outcome=ill'.")
    ] = None,
    given: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Restrict that share to these records: 'arm=vaccinated'.")
    ] = None,
    than: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Plan for a comparison with the share of these categories.")
    ] = None,
    than_given: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Restrict the other share to these records: 'arm=placebo'.")
    ] = None,
    contrast: Annotated[
        Literal["difference", "ratio", "odds_ratio"] | None, typer.Option(help="The comparison. By default the ratio.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="ATTRIBUTE", help="Also plan for each stratum of this attribute: 'age'. Can be repeated."),
    ] = None,
    outcome: Annotated[
        str | None, typer.Option(metavar="CELLS", help="Plan for a trial with this outcome: 'outcome=ill'.")
    ] = None,
    first: Annotated[
        str | None, typer.Option(metavar="CELLS", help="The first group of the trial: 'arm=vaccine'.")
    ] = None,
    second: Annotated[
        str | None, typer.Option(metavar="CELLS", help="The group that it is compared with: 'arm=placebo'.")
    ] = None,
    epsilon: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--epsilon"),
            help="ε at which the mechanisms are compared; give it up to 40 times. By default 0.5.",
        ),
    ] = None,
    n_is_private: Annotated[
        bool,
        typer.Option(
            "--n-is-private",
            help="Plan for a table whose number of records is private. --dataset says this by itself.",
        ),
    ] = False,
    delta: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--delta"),
            help=f"δ at which gaussian is compared. By default {_DELTA}, or less if less is left for you.",
        ),
    ] = None,
    prior: Prior = "uniform",
    level: Level = 0.95,
    target_width: Annotated[
        float | None,
        typer.Option(
            metavar="WIDTH",
            help=(
                "Also find the smallest ε with no interval wider than this. For a ratio: the logarithm of its upper "
                "over its lower end."
            ),
        ),
    ] = None,
    target_error: Annotated[
        float | None, typer.Option(help="Also find the smallest ε whose expected Hellinger error is at most this.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare the cost, error and interval widths of the mechanisms before you pay. Free.

    The plan is computed from made-up counts: yours, or ones with the sizes that you expect. No data set is read.
    """
    asked = _Asked(where, given, than, than_given, contrast, by or (), (outcome, first, second))
    asked.check()
    if about and (counts is not None or shape is not None):
        fail("give --about, or --counts, or --shape")
    guess = None if counts is None else _whole_numbers(counts)
    if guess is None and dataset is None and (records is None or categories is None):
        fail("give --counts, or --dataset, or --records and --categories")
    with connected() as client:
        public = _public(client, dataset, categories if guess is None else len(guess), delta)
        n_is_private = n_is_private or public["relation"] == "add_remove"
        if guess is None and (public["record_count"] or records) is None:
            fail("the number of records of this data set is private: guess it with --records, or give --counts")
        names, records = public["names"], public["record_count"] or records or 0
        size = len(names.labels)
        if guess is not None and len(guess) != size:
            fail(f"--counts takes {size} numbers, one for each category; these are {len(guess)}")
        sizes = [stated(each, names, records) for each in about or []]
        data: dict[str, Any] = {"kind": "shape", "shape": shape or "even", "record_count": records}
        if guess is not None or sizes:
            data = {"kind": "counts", "counts": guess or made_up_counts(records, size, sizes)}
        body: dict[str, Any] = {
            "prior": prior_of(prior, size),
            "data": data,
            "epsilons": sorted({*(epsilon or ["0.5"])}, key=Decimal),
            "delta": public["delta"],
            "level": level,
            "records_per_unit": public["records_per_unit"],
            "relation": "add_remove" if n_is_private else "replace_one",
        }
        if question := asked.request(names):
            body |= {"labels": list(names.labels)} | question
            if names.attributes:
                body["attributes"] = list(names.attributes)
        if target_error is not None:
            body["target_error"] = target_error
        if target_width is not None:
            body["target_width"] = target_width
        found = client.plan(cast("PlanCreate", body))
    if json:
        as_json(found)
        return
    if question:
        note(f"Intervals are of {asked}.")
    is_ratio = asked.kind in {"ratio", "odds_ratio"}
    exact = _width(found["without_noise"][0]["width"], is_ratio=is_ratio)
    width = f"{level:g} upper/lower" if is_ratio else f"{level:g} width"
    headings = ["mechanism", "charged", width, "standard error", "without noise", "error", "95 % of errors below"]
    several = len(found["points"]) > 1
    rows = []
    for point in found["points"]:
        shown = [point["epsilon"]] if several else []
        rows += [[*shown, *_row(option, exact, is_ratio=is_ratio)] for option in point["options"]]
        if (beside := point["at_public_size"]) is not None:
            called, *figures = _row(beside, exact, is_ratio=is_ratio)
            rows.append([*shown, f"{called}, n public", *figures])
    table(["epsilon", *headings] if several else headings, rows, alignment=">" * several + "<<>>>>>")
    if by or outcome is not None:
        _show_intervals(found, asked, level)
    options = [option for point in found["points"] for option in point["options"]]
    reasons = [(option, option["unavailable_reason"]) for option in options]
    reasons += [
        (option, f"no interval, because {reason}")
        for option in options
        if (reason := option["intervals_unavailable_reason"]) is not None
    ]
    for text in dict.fromkeys(f"{_called(option)}: {reason}" for option, reason in reasons if reason is not None):
        note(text)
    if found["target"] is not None:
        _show_target(found["target"], exact, is_ratio=is_ratio)
    for point in found["points"]:
        at = f" at {point['epsilon']}" if several else ""
        note(f"Recommended{at}: {point['recommended']['kind']}, as {point['recommended']['reason']}.")
    if delta is None and Decimal(public["delta"]) < Decimal(_DELTA):
        note(f"The plan is for delta {public['delta']}, because no more is left for you. --delta takes another.")
    if guess is None and not sizes and shape is None:
        note(_EVEN)
    for protected in found["protects"] if n_is_private else []:
        note(protected["statement"])
    of_ratio = "“Upper/lower” is the upper end of an interval divided by its lower end. " if is_ratio else ""
    size = len(found["without_noise"])
    averaged = f"The recommendation has the average over all {size} intervals. " if size > 2 else ""
    note(
        f"Errors are Hellinger distances, from 0 to 1. {of_ratio}Widths in the table are of {asked}, and off by "
        f"at most {_width_error(body['prior'], n_is_private=n_is_private)}. {averaged}{found['note']}"
    )


class _Public(TypedDict):
    """What a plan takes from a data set, or without one from the options. `record_count` is None if it is private or
    not stated.
    """

    names: Names
    delta: str
    record_count: int | None
    records_per_unit: int
    relation: str


def _public(client: Client, dataset: str | None, categories: int | None, delta: str | None) -> _Public:
    """Return the public facts of the data set, or those of made-up categories. `delta` None means the default."""
    if dataset is None:
        if (categories or 0) > _MOST_PLANNED_CATEGORIES:
            _fail_too_many(categories or 0)
        names = Names([str(number) for number in range(categories or 0)], [])
        return {
            "names": names,
            "delta": delta or _DELTA,
            "record_count": None,
            "records_per_unit": 1,
            "relation": "replace_one",
        }
    found = readable_or_listed(client, dataset)
    if found["category_count"] > _MOST_PLANNED_CATEGORIES:
        _fail_too_many(found["category_count"])
    if delta is None:
        delta = _payable_delta(client, found["id"]) if "budget_id" in found else _DELTA
    return {
        "names": Names.of(found),
        "delta": delta,
        "record_count": found["record_count"],
        "records_per_unit": found["records_per_unit"],
        "relation": found["relation"],
    }


def _payable_delta(client: Client, dataset_id: str) -> str:
    """Return the default delta, or what is left of it for the caller, so that a plan has what can be paid for."""
    left = client.allowance(dataset_id)
    charge = left["largest_possible_charge"]
    if not left["can_release"] or charge["accountant"] != "basic":
        return _DELTA
    return min(_DELTA, charge["delta"], key=Decimal)


def _fail_too_many(categories: int) -> None:
    fail(
        f"a plan takes at most {number_text(_MOST_PLANNED_CATEGORIES)} categories, and these are "
        f"{number_text(categories)}; `posterior release --dry-run` shows the charge of a release"
    )


def _show_intervals(found: Plan, asked: _Asked, level: float) -> None:
    """Show where the interval of each question is expected to lie: without noise, and by the recommended mechanism."""
    columns: list[tuple[str, Sequence[ExactInterval | ExpectedInterval]]] = [("without noise", found["without_noise"])]
    for point in found["points"]:
        kind = point["recommended"]["kind"]
        intervals = next(
            (each["intervals"] for each in point["options"] if each["kind"] == kind and each["intervals"]), []
        )
        columns.append((f"{kind}, {point['epsilon']}", intervals))
    rows = [
        [_row_name(exact, place, asked)]
        + [
            f"{share_text(of[place]['low'])} to {share_text(of[place]['high'])}" if of else "not known"
            for _, of in columns
        ]
        for place, exact in enumerate(found["without_noise"])
    ]
    echo()
    table([f"{level:g} interval of", *(name for name, _ in columns)], rows, alignment="<" + ">" * len(columns))
    for each in found["strata_without_answer"]:
        note(f"{each['label']}: {each['reason']}")


def _row_name(exact: ExactInterval, place: int, asked: _Asked) -> str:
    if asked.by:
        return exact["stratum"] or "all"
    kind = exact["question"]["kind"]
    return f"risk, {asked.trial[1 + place]}" if kind == "share" else kind.replace("_", " ")


def _width(width: float, *, is_ratio: bool) -> str:
    """Return a width as text: of a ratio, its upper end divided by its lower one."""
    if not is_ratio:
        return share_text(width)
    return f"{math.exp(width):.3g}" if width < math.log(1e6) else "over 1e6"


def _row(option: PlanOption, exact: str, *, is_ratio: bool) -> list[str]:
    error, widths, loss = option["error"], option["intervals"], option["certified"]
    cost = "" if loss is None else f"epsilon {loss['epsilon']}" + (
        "" if loss["delta"] == "0" else f", delta {loss['delta']}"
    )  # fmt: skip
    return [
        _called(option),
        cost or "not now",
        _width(widths[0]["width"], is_ratio=is_ratio) if widths else "not known",
        share_text(widths[0]["standard_error"]) if widths else "",
        exact if widths else "",
        "" if error is None else f"{error['expected']:.4f}",
        "" if error is None else f"{error['quantile_95']:.4f}",
    ]


def _show_target(target: Target, exact: str, *, is_ratio: bool) -> None:
    """Show the smallest ε of each mechanism that reaches the target."""
    if target["unreachable_reason"] is not None:
        note(target["unreachable_reason"])
        return
    rows = []
    for each in target["reached"]:
        if each["option"] is None:
            rows.append([_called(each), "none", "", "", each["reason"] or ""])
        else:
            called, charged, width, _, _, error, _ = _row(each["option"], exact, is_ratio=is_ratio)
            rows.append([called, each["epsilon"] or "none", width, error, charged])
    width = "upper/lower" if is_ratio else "width"
    table(["mechanism", "epsilon needed", width, "error", "charged"], rows, alignment="<>>><")
    if target["recommended"] is not None:
        note(f"Recommended for this: {target['recommended']['kind']}, as {target['recommended']['reason']}.")


def _width_error(prior: list[float], *, n_is_private: bool) -> str:
    if len(prior) == 2 and not n_is_private:
        return "1 %"
    narrow = " (of 0.01, if the width is smaller)" if min(prior) < _SMALL_PRIOR else ""
    return f"four standard errors and 5 %{narrow}"


def _called(option: PlanOption | ReachedTarget) -> str:
    return f"{option['kind']}, {option['calibration']}" if option["calibration"] else option["kind"]


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        fail("--counts takes whole numbers with commas between")
