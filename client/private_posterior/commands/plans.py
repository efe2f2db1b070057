"""The command `posterior plan`, which is free."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypedDict, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.cells import Names
from private_posterior.commands.names import readable_or_listed
from private_posterior.commands.options import Level, Merge, Only, amount
from private_posterior.commands.show import AsJson, as_json, echo, fail, note, share_text, table
from private_posterior.commands.sizes import made_up_counts, stated
from private_posterior.dataset import DEFAULT_DELTA, payable_delta
from private_posterior.wording import Contrast, number_text

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        ExactInterval,
        ExpectedInterval,
        NotPlanned,
        Plan,
        PlanCreate,
        PlanOption,
        PlanPoint,
        ReachedTarget,
        SmallerTable,
        Suggestion,
        Target,
    )

_MOST_PLANNED_CATEGORIES: Final = 1000
_LARGEST_RATIO: Final = 1e6
_MOST_SETS: Final = 3
"""Number of merged sets that are named."""
_CHARGES: Final = {"basic": ("0.1", "0.2", "0.5", "1", "2"), "zcdp": ("0.001", "0.01", "0.1", "1")}
_RATIO_OF_TRIAL: Final = 3
"""The number of the ratio among the five questions that a trial is planned as."""
_EVEN_NOTE: Final = (
    "No sizes were stated, so the made-up records are spread evenly: all categories are alike. Rare ones have "
    "intervals that are much wider, relative to their size. State your sizes: --about 'outcome=ill = 1 in "
    "1000', or --counts."
)


class _PlanQuestion(NamedTuple):
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
        if any(self.trial):
            return "ratio"
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
    contrast: Annotated[Contrast | None, typer.Option(help="The comparison. By default the ratio.")] = None,
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
            help="ε at which the mechanisms are compared; give it up to 40 times. By default 0.1, 0.2, 0.5, 1 and 2.",
        ),
    ] = None,
    rho: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AMOUNT",
            parser=amount("--rho"),
            help="ρ at which the mechanisms are compared, for a budget in ρ. By default 0.001, 0.01, 0.1 and 1.",
        ),
    ] = None,
    merge: Merge = None,
    only: Only = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help="A mechanism to compare; can be repeated. By default those that add noise to counts."
        ),
    ] = None,
    exact_counts: Annotated[
        bool,
        typer.Option(
            "--exact-counts", help="The table is a register with about these counts. By default it is a sample."
        ),
    ] = False,
    above: Annotated[
        float | None, typer.Option(metavar="SHARE", help="A value that the share is to be distinguished from: 0.1.")
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
            help=f"δ at which gaussian is compared. By default {DEFAULT_DELTA}, or less if less is left for you.",
        ),
    ] = None,
    level: Level = 0.95,
    target_width: Annotated[
        float | None,
        typer.Option(
            metavar="WIDTH",
            help=(
                "Also find the smallest charge with no interval wider than this. For a ratio: the upper end divided by "
                "the lower one, as in the column."
            ),
        ),
    ] = None,
    target_power: Annotated[
        float | None,
        typer.Option(
            metavar="FRACTION", help="Also find the smallest charge that decides this often, such as 0.8, if any does."
        ),
    ] = None,
    target_of: Annotated[
        Literal["first_risk", "second_risk", Contrast] | None,
        typer.Option(help="The figure of a trial that the targets are about. By default the ratio."),
    ] = None,
    target_error: Annotated[
        float | None,
        typer.Option(help="Also find the smallest charge whose expected Hellinger error is at most this."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare the mechanisms at equal charge before you pay, and suggest a charge. Free.

    The plan is computed from made-up counts: yours, or ones with the sizes that you expect. No data set is read. It
    says how wide an interval will be, how often it contains your guess, and how often it decides.
    """
    asked = _PlanQuestion(where, given, than, than_given, contrast, by or (), (outcome, first, second))
    asked.check()
    if about and (counts is not None or shape is not None):
        fail("give --about, or --counts, or --shape")
    guess = None if counts is None else _whole_numbers(counts)
    if guess is None and dataset is None and (records is None or categories is None):
        fail("give --counts, or --dataset, or --records and --categories")
    with connected() as client:
        public = _public_facts_of(client, dataset, categories if guess is None else len(guess), delta)
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
            data = {"kind": "counts", "counts": guess or made_up_counts(records, names, sizes)}
        accountant = public["accountant"] or ("zcdp" if rho else "basic")
        amounts, others = (epsilon, rho) if accountant == "basic" else (rho, epsilon)
        if others:
            fail(f"give --{'epsilon' if accountant == 'basic' else 'rho'}: plans compare charges of one accountant")
        if data["kind"] == "shape":
            data["category_count"] = size
        body: dict[str, Any] = {
            "data": data,
            "accountant": accountant,
            "epsilons" if accountant == "basic" else "rhos": sorted({*(amounts or _CHARGES[accountant])}, key=Decimal),
            "delta": public["delta"],
            "counts": "exact" if exact_counts else "drawn",
            "level": level,
            "records_per_unit": public["records_per_unit"],
            "relation": "add_remove" if n_is_private else "replace_one",
            "smaller_tables": True,
        }
        merged = names.merged(merge, only)
        question = asked.request(names)
        if question or merged:
            body |= {"labels": list(names.labels)} | question | merged
            if names.attributes:
                body["attributes"] = list(names.attributes)
        optional = {
            "mechanisms": mechanism, "above": above, "target_width": target_width, "target_power": target_power,
            "target_of": target_of, "target_error": target_error,
        }  # fmt: skip
        body |= {name: value for name, value in optional.items() if value is not None}
        found = client.plan(cast("PlanCreate", body))
    if json:
        as_json(found)
        return
    shown = _ShownColumns(
        _RATIO_OF_TRIAL if outcome is not None else 0,
        found["without_noise"][0]["decides"] is not None or outcome is not None,
        has_error=any(option["error"] for point in found["points"] for option in point["options"]),
        level=level,
        is_ratio=asked.kind in {"ratio", "odds_ratio"},
    )
    exact = found["without_noise"][shown.place]
    name = f"“{exact['name']}”" if question else "the largest category"
    rows = [shown.row("exact counts", "", exact)]
    for point in found["points"]:
        rows += [shown.option(option, _charge(point)) for option in point["options"]]
        if (beside := point["at_public_size"]) is not None:
            rows.append(shown.option(beside, _charge(point), ", n public"))
    table(shown.headings(), rows, alignment="<" * 2 + ">" * (len(shown.headings()) - 2))
    if by or outcome is not None:
        _show_intervals(found, level)
    for text in _lines_without_intervals(found):
        note(text)
    if found["target"] is not None:
        _show_target(found["target"], shown)
    for point in found["points"]:
        if (best := point["recommended"]) is not None:
            note(f"Recommended at {_charge(point)}: {best['kind']}, as {best['reason']}.")
    for smaller in found["smaller_tables"]:
        note(_smaller_table_advice(smaller, shown, found["accountant"]))
    if merged:
        count = size - sum(len(each) - 1 for each in merged["merged"])
        note(f"Planned for {count} groups of categories: nothing within a group can be asked afterwards.")
    suggested = found["suggested"]
    note(
        suggested["reason"]
        if suggested["kind"] is None
        else f"Suggested: {_charge(suggested)} with {suggested['kind']}: {suggested['reason']}."
    )
    if delta is None and Decimal(public["delta"]) < Decimal(DEFAULT_DELTA):
        note(f"The plan is for delta {public['delta']}, because no more is left for you. --delta takes another.")
    if guess is None and not sizes and shape is None:
        note(_EVEN_NOTE)
    for protected in found["protects"] if n_is_private else []:
        note(protected["statement"])
    of_ratio = "“Upper/lower” is the upper end of an interval divided by its lower end. " if shown.is_ratio else ""
    options = [option for point in found["points"] for option in point["options"]]
    runs = max((each["runs"] for option in options for each in option["intervals"]), default=0)
    off = f"from {runs} simulated releases: fractions are off by up to 5 points" if runs else "sums over all releases"
    power = "A charge is accepted for --target-power if it decides up to 2 points less often. " if target_power else ""
    note(
        f"“Contains”: the fraction of releases whose interval contains the guess. {of_ratio}Figures in rows are of "
        f"{name}, {off}. {power}{found['note']}"
    )


def _smaller_table_advice(table: SmallerTable, shown: _ShownColumns, accountant: str) -> str:
    """Return what a smaller table gives, and how to plan it."""
    needed, whole = (_loss(table[name], accountant) for name in ("same_width", "whole"))
    widths = [_width(table[name]["intervals"][shown.place]) for name in ("same_charge", "whole")]
    count, merged = table["category_count"], table["merged"]
    if (attributes := table["attributes"]) is None:
        shown_sets = [", ".join(each[:_MOST_SETS]) + ", …" * (len(each) > _MOST_SETS) for each in merged[:_MOST_SETS]]
        sets = "; ".join(shown_sets) + "; …" * (len(merged) > _MOST_SETS)
        first = f"The question does not tell apart {sets}. A table of the {count} groups"
        how = "a --merge for each of them"
    else:
        first = f"The table of {', '.join(attributes)} alone has {count} cells, and"
        how = f"--only {','.join(attributes)}"
    return (
        f"{first} needs {needed} for what the whole table gives at {whole}. At {whole} its {shown.headings()[3]} "
        f"is {widths[0]} in place of {widths[1]}. Plan and release it with {how}; nothing else can be asked of it."
    )


def _loss(option: PlanOption, accountant: str) -> str:
    loss = option["certified"]
    assert loss is not None, "it can run"
    if accountant == "zcdp":
        return f"rho {loss['rho']}"
    return f"epsilon {loss['epsilon']}" + ("" if loss["delta"] == "0" else f" and delta {loss['delta']}")


def _charge(charged: PlanPoint | ReachedTarget | Suggestion) -> str:
    return f"epsilon {charged['epsilon']}" if charged["rho"] is None else f"rho {charged['rho']}"


class _ShownColumns(NamedTuple):
    """What the table of a plan shows: the number of the question, whether it decides, and whether there are errors."""

    place: int
    decides: bool
    has_error: bool
    level: float
    is_ratio: bool

    def headings(self) -> list[str]:
        width = "upper/lower" if self.is_ratio else "width"
        found = ["at", "mechanism", "charged", width, f"{self.level} interval", "contains"]
        return found + ["decides"] * self.decides + ["error", "95 % of errors below"] * self.has_error

    def option(self, option: PlanOption, at: str, note: str = "") -> list[str]:
        loss, error = option["certified"], option["error"]
        cost = "not now"
        if loss is not None:
            cost = f"epsilon {loss['epsilon']}" + ("" if loss["delta"] == "0" else f", delta {loss['delta']}")
            if at.startswith("rho"):
                cost = f"rho {loss['rho']}"
        interval = option["intervals"][self.place] if option["intervals"] else None
        figures = [] if error is None else [f"{error['expected']:.4f}", f"{error['quantile_95']:.4f}"]
        return self.row(_calibration_name(option) + note, cost, interval, at, figures)

    def row(
        self,
        name: str,
        cost: str,
        interval: ExactInterval | ExpectedInterval | None,
        at: str = "",
        errors: Sequence[str] = (),
    ) -> list[str]:
        row = [at, name, cost]
        if interval is None:
            row += ["not known", "", ""] + [""] * self.decides
        else:
            ends = f"{share_text(interval['low'])} to {share_text(interval['high'])}"
            row += [_width(interval), ends, f"{interval['contains']:.3f}"]
            row += [f"{interval['decides']:.3f}" if interval["decides"] is not None else ""] * self.decides
        return row + [*errors, "", ""][: 2 * self.has_error]


def _lines_without_intervals(found: Plan) -> list[str]:
    """Return a line for each mechanism without an interval."""
    options = [option for point in found["points"] for option in point["options"]]
    lines = [
        f"{_calibration_name(option)}: no interval, because {option['intervals_unavailable_reason']}"
        for option in options
        if option["intervals_unavailable_reason"] is not None
    ]
    lines += [
        f"{_calibration_name(option)}: {option['unavailable_reason']}"
        for option in options
        if option["unavailable_reason"] is not None
    ]
    lines += [f"{_calibration_name(each)}: {each['reason']}" for each in found["not_planned"]]
    return list(dict.fromkeys(each.replace("`mechanisms`", "--mechanism") for each in lines))


class _PublicFacts(TypedDict):
    """What a plan takes from a data set, or without one from the options. `record_count` is None if it is private or
    not stated, and `accountant` if there is no budget.
    """

    names: Names
    delta: str
    accountant: str | None
    record_count: int | None
    records_per_unit: int
    relation: str


def _public_facts_of(client: Client, dataset: str | None, categories: int | None, delta: str | None) -> _PublicFacts:
    """Return the public facts of the data set, or those of made-up categories. `delta` None means the default."""
    if dataset is None:
        if (categories or 0) > _MOST_PLANNED_CATEGORIES:
            _fail_too_many(categories or 0)
        names = Names([str(number) for number in range(categories or 0)], [])
        return {
            "names": names,
            "delta": delta or DEFAULT_DELTA,
            "accountant": None,
            "record_count": None,
            "records_per_unit": 1,
            "relation": "replace_one",
        }
    found = readable_or_listed(client, dataset)
    if found["category_count"] > _MOST_PLANNED_CATEGORIES:
        _fail_too_many(found["category_count"])
    if delta is None:
        delta = payable_delta(client, found["id"]) if "budget_id" in found else DEFAULT_DELTA
    return {
        "names": Names.of(found),
        "delta": delta,
        "accountant": found["accountant"],
        "record_count": found["record_count"],
        "records_per_unit": found["records_per_unit"],
        "relation": found["relation"],
    }


def _fail_too_many(categories: int) -> None:
    fail(
        f"a plan takes at most {number_text(_MOST_PLANNED_CATEGORIES)} categories, and these are "
        f"{number_text(categories)}; `posterior release --dry-run` shows the charge of a release"
    )


def _show_intervals(found: Plan, level: float) -> None:
    """Show where the interval of each question is expected to lie: without noise, and by the recommended mechanism."""
    columns: list[tuple[str, Sequence[ExactInterval | ExpectedInterval]]] = [("without noise", found["without_noise"])]
    for point in found["points"]:
        if (best := point["recommended"]) is None:
            continue
        intervals = next(
            (each["intervals"] for each in point["options"] if each["kind"] == best["kind"] and each["intervals"]), []
        )
        columns.append((f"{best['kind']}, {_charge(point)}", intervals))
    rows = [
        [exact["name"]]
        + [
            f"{share_text(of[place]['low'])} to {share_text(of[place]['high'])}" if of else "not known"
            for _, of in columns
        ]
        for place, exact in enumerate(found["without_noise"])
    ]
    echo()
    table([f"{level} interval of", *(name for name, _ in columns)], rows, alignment="<" + ">" * len(columns))
    for each in found["strata_without_answer"]:
        note(f"{each['label']}: {each['reason']}")


def _width(interval: ExactInterval | ExpectedInterval) -> str:
    """Return a width as text: of a ratio, its upper end divided by its lower one."""
    ratio = interval["upper_over_lower"]
    if ratio is None:
        return share_text(interval["width"])
    return f"{ratio:.3g}" if ratio < _LARGEST_RATIO else "over 1e6"


def _show_target(target: Target, shown: _ShownColumns) -> None:
    """Show the smallest charge of each mechanism that reaches the target."""
    if target["unreachable_reason"] is not None:
        note(target["unreachable_reason"])
        return
    rows = []
    for each in target["reached"]:
        if each["option"] is None:
            rows.append(["none", _calibration_name(each), each["reason"] or "", *[""] * (len(shown.headings()) - 3)])
        else:
            rows.append(shown.option(each["option"], _charge(each)))
    table(["needed", *shown.headings()[1:]], rows, alignment="<" * 2 + ">" * (len(shown.headings()) - 2))
    if target["recommended"] is not None:
        note(f"Recommended for this: {target['recommended']['kind']}, as {target['recommended']['reason']}.")


def _calibration_name(option: PlanOption | ReachedTarget | NotPlanned) -> str:
    return f"{option['kind']}, {option['calibration']}" if option["calibration"] else option["kind"]


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        fail("--counts takes whole numbers with commas between")
