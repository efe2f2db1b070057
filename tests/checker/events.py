"""Random events of every kind with their certificates, and evidence of them as the service would sign it."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from core.accounting.accountants import Accountant, price
from core.certificate import Certificate
from core.mechanisms.catalogue import certify_unit
from core.mechanisms.event import EventError
from service.channels.events import event_from_json, event_to_json
from tests.checker.texts import compact, signed

Event = dict[str, Any]
_UNIT_EVENTS: Final = ("private_size", "margins", "blocks", "linear")


@dataclass(frozen=True, slots=True)
class Certified:
    """An event in its stored form, the records of one unit, and the certificate that the service has of it."""

    event: Event
    records: int
    certificate: Certificate

    @property
    def name(self) -> str:
        kind: str = self.event["event"]
        relation = self.certificate.relation.value
        return f"{kind} {self.event.get('law', self.event.get('loss', ''))} {relation}"

    def evidence(self, accountant: Accountant, **less: int) -> str:
        """Evidence of a release of it. `less`: amounts of the loss that are stated with that many units less."""
        stated: dict[str, Any] = self.certificate.to_json()
        for name, units in less.items():
            amount = getattr(self.certificate.loss, name)
            stated["loss"][name] = str(type(amount)(amount.units - units))
        cost = price(self.certificate.loss, accountant)
        spec: dict[str, Any] = {
            "request": {"prior": [], "mechanism": {}}, "labels": None, "attributes": None, "unit": "one child",
            "records_per_unit": self.records, "accountant": accountant.value, "event": self.event,
            "certificate": stated, "outcome": "signed",
        }  # fmt: skip
        texts = {"spec": json.dumps(spec), "drawn": json.dumps(_possible_values(self.event))}
        body = {
            "kind": "private-posterior evidence 1", "accountant": accountant.value, "answer_sha256": "0" * 64, "at": 1,
            "budget_id": "bud_v", "chain_hash": "0" * 64, "dataset_id": "dat_d", "release_id": "rel_r", "sequence": 2,
            "epsilon": str(cost.epsilon), "delta": str(cost.delta), "rho": str(cost.rho),
        }  # fmt: skip
        hashes = {f"{name}_sha256": hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
        return compact(texts | {"signature": signed(body | hashes)})


def _possible_values(event: Event) -> Any:
    """Values that could have been drawn, for events whose counts follow from noisy ones."""
    match event["event"]:
        case "margins":
            return {"noisy": [[]] * len(event["margins"])}
        case "blocks":
            return {"noisy": [[]] * sum(map(len, event["blocks"]))}
        case "linear":
            return ["0"] * len(event["rows"])
        case "private_size":
            return {"noisy": [0] * event["m"], "on_simplex": [0] * event["m"]}
        case kind:
            cells = event["m"] if "m" in event else len(event["prior"])
            counts = [0] * (cells - 1) + [event["n"]]
            return {"noisy": counts[:-1] if kind == "laplace" else counts, "on_simplex": counts}


def _decimal(draw: random.Random, low: float, high: float, places: int = 9) -> str:
    """A positive amount that is uniform on a logarithmic scale, with few or all places."""
    value = low * (high / low) ** draw.random()
    text = f"{value:.{draw.choice((2, 4, places))}f}".rstrip("0").rstrip(".")
    return text if float(text) else f"{low:.{places}f}".rstrip("0")


def _table(draw: random.Random) -> Event:
    return {"n": draw.choice((1, 7, 60, 5_000, 10**6, 2**53)), "m": draw.choice((2, 2, 3, 4, 12, 60))}


def _delta(draw: random.Random) -> str:
    return _decimal(draw, 1e-15, 0.4, 18)


def _exponential(draw: random.Random) -> Event:
    m = draw.choice((2, 2, 3))
    return {
        "event": "exponential", "n": draw.randint(1, 40 if m == 2 else 9),
        "prior": [repr(draw.choice((0.5, 1.0, 2.75, draw.uniform(0.1, 9)))) for _ in range(m)],
        "epsilon0": _decimal(draw, 0.01, 4), "gamma": draw.choice((None, repr(draw.uniform(0.05, 1)))),
        "uniform_admixture": draw.choice((None, repr(draw.uniform(1, 20)))),
        "calibration": draw.choice(("proven", "certified", "global", "published")),
        "delta": draw.choice(("0", _decimal(draw, 1e-9, 0.01))),
    }  # fmt: skip


def _private_size(draw: random.Random) -> Event:
    law = draw.choice(("geometric", "laplace", "gaussian"))
    amount = {"rho": _decimal(draw, 1e-6, 9, 12)} if law == "gaussian" else {"epsilon": _decimal(draw, 1e-3, 30)}
    m = draw.choice((2, 5, 40))
    return {"event": "private_size", "m": m, "law": law, **amount, "delta": _delta(draw) if law == "gaussian" else "0"}


def _margins(draw: random.Random) -> Event:
    levels = [draw.randint(2, 4) for _ in range(draw.randint(2, 4))]
    cells = list(itertools.product(*map(range, levels)))
    subsets = [s for size in (1, 2) for s in itertools.combinations(range(len(levels)), size)]
    chosen = sorted(draw.sample(subsets, draw.randint(1, min(5, len(subsets)))))
    impossible = sorted(draw.sample(cells, draw.choice((0, 1, len(cells) // 2, len(cells) - 2))))
    loss = draw.choice(("epsilon", "rho"))
    amounts = [_decimal(draw, 1e-3, 2, 9 if loss == "epsilon" else 12) for _ in chosen]
    return {
        "event": "margins", "n": draw.choice((None, 60, 2**53)), "levels": levels,
        "impossible": list(map(list, impossible)), "margins": list(map(list, chosen)), "loss": loss, "losses": amounts,
        "delta": _delta(draw) if loss == "rho" else "0",
    }  # fmt: skip


def _blocks(draw: random.Random) -> Event:
    levels = [draw.randint(2, 4) for _ in range(3)]
    cells = list(itertools.product(*map(range, levels)))
    impossible = sorted(draw.sample(cells, draw.choice((0, 1, len(cells) // 2))))
    blocks = draw.choice(([[[0], [1]], [[2]]], [[[0], [1], [2]]], [[[0, 1]], [[2]]]))
    return {
        "event": "blocks", "n": draw.choice((60, 2**53)), "levels": levels, "impossible": list(map(list, impossible)),
        "blocks": blocks, "epsilons": [_decimal(draw, 0.05, 2) for _ in blocks],
    }  # fmt: skip


def _linear(draw: random.Random) -> Event:
    m, denominator = draw.choice((2, 3, 8)), draw.choice((1, 1, 2, 10, 1000))
    most = draw.choice((1, 3, 300, 2**20, 2**20 + 1, 10**7))
    rows = [[draw.choice((0, most, draw.randint(-most, most))) for _ in range(m)] for _ in range(draw.randint(1, 4))]
    rates = [_decimal(draw, 1e-3, 1) for _ in rows] if most < 10 else ["0.000000001"] * len(rows)
    return {
        "event": "linear", "n": draw.choice((None, 60)), "m": m, "denominator": denominator, "rows": rows,
        "rates": rates,
    }  # fmt: skip


_KINDS: Final[tuple[Callable[[random.Random], Event], ...]] = (
    lambda draw: {"event": "simplex_geometric", **_table(draw), "epsilon": _decimal(draw, 1e-3, 20)},
    lambda draw: {"event": "laplace", **_table(draw), "epsilon": _decimal(draw, 1e-3, 20)},
    lambda draw: {"event": "gaussian", **_table(draw), "rho": _decimal(draw, 1e-6, 9, 12), "delta": _delta(draw)},
    _exponential,
    _private_size,
    _margins,
    _blocks,
    _linear,
)


def certified_events(count: int, seed: int) -> Iterator[Certified]:
    """This many events, of each kind in turn and of 1, 2 and 3 records of a unit in turn."""
    draw, found = random.Random(seed), 0
    while found < count:
        records, event = 1 + found // len(_KINDS) % 3, _KINDS[found % len(_KINDS)](draw)
        if event["event"] in _UNIT_EVENTS:
            event["records_per_unit"] = records
        try:
            parsed = event_from_json(event)
            certificate = certify_unit(parsed, records)
        except EventError:
            continue
        yield Certified(event_to_json(parsed), records, certificate)
        found += 1
