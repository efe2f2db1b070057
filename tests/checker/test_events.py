"""Random events: the checker and the service agree on every loss and charge, and one unit less is refused where the
loss is exact. EVENTS sets their number.
"""

from __future__ import annotations

import os

import pytest

from core.accounting.accountants import Accountant
from tests.checker.events import certified_events
from tests.checker.texts import KEY, Case, checked, false

pytestmark = pytest.mark.long
COUNT = int(os.environ.get("EVENTS", "300"))
SEED = int(os.environ.get("SEED", "74"))


def test_checker_and_service_agree_on_losses_and_charges() -> None:
    events, kinds = list(certified_events(COUNT, SEED)), set[str]()
    exact: list[tuple[str, Case]] = []
    for accountant in Accountant:
        answers = checked([({"evidence": each.evidence(accountant)}, [KEY]) for each in events])
        for each, lines in zip(events, answers, strict=True):
            assert not false(lines), (each.event, each.records, false(lines))
            kinds.add(f"{each.name} {each.records}")
            for name in ("epsilon", "delta", "rho"):
                (line,) = (line for line in lines if line["what"].endswith(f"certificate.loss.{name}"))
                amount = getattr(each.certificate.loss, name)
                if line["word"] == "holds" and amount.units and accountant is Accountant.BASIC:
                    exact.append((line["what"], ({"evidence": each.evidence(accountant, **{name: 1})}, [KEY])))
    for (what, _), lines in zip(exact, checked([case for _, case in exact]), strict=True):
        (line,) = (line for line in lines if line["what"] == what)
        assert line["word"] == "false", (what, line)
        assert "the loss is at least" in line["detail"]
    assert len(exact) > COUNT
    assert {each.rsplit(" ", 1)[1] for each in kinds} == {"1", "2", "3"}
    assert {each.split()[-2] for each in kinds} == {"replace_one", "add_remove"}
