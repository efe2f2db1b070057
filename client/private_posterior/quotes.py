"""Answers about the cost of a release, before and after it: quotes, plans, answers to queries, and statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from private_posterior.answers import Answer, Table, interval_of, table_of
from private_posterior.drawing import Bar, Picture
from private_posterior.payload import unit_of
from private_posterior.wording import amount_words


class MarginsQuoteAnswer(Answer):
    """The cost of margins, the margins that would be measured, and the widths of the tables' intervals."""

    title = "Quote of margins"
    confidence: float = 0.95
    """The confidence of the request."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each table: `quote.rows()[0]["half_width"]`."""
        return [
            {
                "table": ", ".join(each["attributes"]),
                "cells": each["cell_count"],
                **interval_of(each, self.confidence),
                "half_width_of_full_release": full,
            }
            for each, full in zip(self["tables"], self["full_release"]["half_widths"], strict=True)
        ]

    def table(self) -> Table:
        headings = {
            "table": "table",
            "cells": "cells",
            "half_width": "half width",
            "simultaneous_half_width": "half width, all at once",
            "half_width_of_full_release": "half width of one full release",
        }
        return table_of(self.rows(), headings)

    def remark(self) -> str:
        charge = amount_words(self["would_charge"])
        measured = "; ".join(", ".join(each["attributes"]) or "number of records" for each in self["measured"])
        granted = "granted now" if self["granted"] else f"not granted now: {self['blocked_by']}"
        better = "One full release is nearly as precise: `release` is the better buy. "
        better = better if self["full_release"]["is_nearly_as_precise"] else ""
        return f"{better}Would charge {charge}, {granted}. Would measure: {measured}."


class QueriesAnswer(Answer):
    """Answers to queries, measured or from earlier releases."""

    title = "Answers to queries"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each query: `answer.rows()[0]["estimate"]`."""
        return [
            {
                "query": number,
                "estimate": None if each is None else each["estimate"],
                **{name: None if each is None else each["interval"][name] for name in ("low", "high", "confidence")},
            }
            for number, each in enumerate(self["answers"], start=1)
        ]

    def table(self) -> Table:
        names = ["query", "estimate", "low", "high", "confidence"]
        return Table(["query", "estimate", "from", "to", "confidence"], [[e[n] for n in names] for e in self.rows()])

    def remark(self) -> str:
        if "id" not in self:
            return ""
        charged = amount_words(self["charged"])
        return f"Released on {self['created_at']}, free." if self.replayed else f"Charged {charged}: {self['id']}."


class QuoteAnswer(Answer):
    """The cost of a release, and whether it would be granted now."""

    title = "Quote"

    def table(self) -> Table:
        paid, accuracy, proof = self["paid_under_key"], self.get("expected_accuracy"), self.get("certificate")
        rows = [
            ("would charge", self["would_charge"]),
            (
                "paid before",
                None if paid is None else f"{paid['id']} on {paid['created_at']}: the same request is free",
            ),
            ("granted", self["granted"] or f"no: {self['blocked_by']}"),
            ("most possible", self["largest_possible_charge"]),
            ("released before", f"{len(self['already_released'])} that answer any prior and question, free"),
            ("accuracy", None if accuracy is None else accuracy["warning"] or accuracy["summary"]),
            ("certificate", None if proof is None else proof["statement"]),
        ]
        return Table(["", ""], [each for each in rows if each[1] is not None])


class PlanAnswer(Answer):
    """The predicted cost and error of each mechanism."""

    title = "Plan: the mechanisms, at made-up counts"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each charge, mechanism and question: `plan.rows()[0]["width"]`."""
        asked = [each["name"] for each in self["without_noise"]]
        main, *_ = units = self._units()
        return [
            {
                "requested": point[main],
                "mechanism": each["kind"],
                "calibration": each["calibration"],
                **{name: each["certified"] and each["certified"][name] for name in units},
                "question": question,
                "low": interval and interval["low"],
                "high": interval and interval["high"],
                "width": interval and interval["width"],
                "standard_error": interval and interval["standard_error"],
                "contains": interval and interval["contains"],
                "decides": interval and interval["decides"],
                "width_without_noise": exact["width"],
                "error": each["error"] and each["error"]["expected"],
                "error_quantile_95": each["error"] and each["error"]["quantile_95"],
            }
            for point in self["points"]
            for each in point["options"]
            for question, exact, interval in zip(
                asked, self["without_noise"], each["intervals"] or [None] * len(asked), strict=True
            )
        ]

    def table(self) -> Table:
        headings = {name: name for name in ("requested", "mechanism", *self._units(), "question")}
        headings |= {
            "width": "interval width",
            "width_without_noise": "without noise",
            "contains": "contains the guess",
        }
        headings |= {"error": "error"}
        rows = [each | {"mechanism": _calibration_name(each["mechanism"], each["calibration"])} for each in self.rows()]
        return table_of(rows, headings)

    def pictures(self) -> list[Picture]:
        several, (main, *_) = len(self["points"]) > 1, self._units()
        bars = [
            Bar(
                _calibration_name(each["kind"], each["calibration"]) + (f", {main} {point[main]}" if several else ""),
                each["error"]["expected"],
                0.0,
                each["error"]["quantile_95"],
            )
            for point in self["points"]
            for each in point["options"]
            if each["error"] is not None
        ]
        return [Picture("Hellinger error: expected, and the value that 95 % are below", bars)] if bars else []

    def remark(self) -> str:
        main, *_ = self._units()
        recommended = [
            f"Recommended at {main} {point[main]}: {best['kind']}, as {best['reason']}."
            for point in self["points"]
            if (best := point["recommended"]) is not None
        ]
        smaller = [
            f"A table of {each['category_count']} categories, smaller_tables[{number}]['merged'], needs {main} "
            f"{each['same_width']['certified'][main]} for what the whole one gives at "
            f"{each['whole']['certified'][main]}."
            for number, each in enumerate(self["smaller_tables"])
        ]
        suggested = self["suggested"]
        if suggested["kind"] is None:
            return " ".join([*recommended, *smaller, suggested["reason"]])
        best = f"Suggested: {main} {suggested[main]} with {suggested['kind']}: {suggested['reason']}."
        return " ".join([*recommended, *smaller, best])

    def _units(self) -> Sequence[str]:
        """Return the units of the charges, the main one first."""
        return ("rho",) if self["accountant"] == "zcdp" else ("epsilon", "delta")


def _calibration_name(kind: str, calibration: str | None) -> str:
    return f"{kind}, {calibration}" if calibration else kind


class StatementAnswer(Answer):
    """The guarantee to the people in a data set, and what was spent."""

    title = "Statement"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each release of the statement's page: `statement.rows()[0]["charged"]`."""
        return list(self["releases"]["items"])

    def table(self) -> Table:
        return Table(["", ""], [[number, sentence] for number, sentence in enumerate(self["summary"], start=1)])

    def pictures(self) -> list[Picture]:
        unit = unit_of(self["budget_total"]["accountant"])
        bars = [
            Bar(name, float(self[field][unit]), 0.0, float(self[field][unit]))
            for name, field in (
                ("budget", "budget_total"), ("spent", "budget_spent"), ("this data set", "charged_to_dataset")
            )
        ]  # fmt: skip
        return [Picture(f"Budget in {'ε' if unit == 'epsilon' else 'ρ'}", bars)]

    def remark(self) -> str:
        data_set = self["dataset"]
        return f"{data_set['name']}: one record stands for {data_set['unit']}. As of {self['created_at']}."
