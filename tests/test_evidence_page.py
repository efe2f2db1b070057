"""The page for writers of checkers: its examples are the test vectors, and its formulas, written again from the page
without code of the service, give the losses that the service charges.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from core.accounting.accountants import Accountant, price
from core.certificate import Certificate
from core.mechanisms import blocks, linear, margins, private_size
from core.mechanisms.catalogue import certify_unit
from service.channels.events import event_from_json
from service.identifiers.canonical_json import canonical_json
from tests.service.test_what_leaves import stored_releases
from tests.test_formats import canonical, check, netstrings, read, sha256

PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "evidence.md").read_text(encoding="utf-8")
VECTORS = Path(__file__).parent / "vectors"
UNITS = {"epsilon": 9, "delta": 18, "rho": 12}


def examples() -> dict[str, str]:
    signatures, evidence = read("signatures.json"), json.loads((VECTORS / "evidence.json").read_text(encoding="utf-8"))
    of = {each["body"]["kind"]: each["body"] for each in [*signatures["receipts"], signatures["head"]]}
    of[evidence["signature"]["body"]["kind"]] = evidence["signature"]["body"]
    of["private-posterior release signature 1"] = signatures["release_signature"]["body"]
    of["private-posterior outcome 1"] = json.loads(read("stored.json")["outcomes"][1]["signature"])["body"]
    found = {
        f"members of {name}": ", ".join(f"`{each}`" for each in of[f"private-posterior {name} 1"] if each != "kind")
        for name in ("evidence", "receipt", "outcome", "release signature", "head")
    }
    keys = {"public_key": signatures["public_key"], "key_id": signatures["key_id"], "earlier": []}
    charge = json.loads((VECTORS / "ledger.jsonl").read_text(encoding="utf-8").splitlines()[9])
    return found | {
        "public-key": json.dumps(keys, indent=1),
        "evidence": json.dumps(evidence, indent=1, ensure_ascii=False),
        "entry": json.dumps(charge, indent=1, ensure_ascii=False),
    }


@pytest.mark.parametrize("name", examples())
def test_the_examples_of_the_page_are_the_vectors(name: str) -> None:
    assert examples()[name] in PAGE


def test_the_evidence_of_the_vectors_is_checked_by_the_page() -> None:
    evidence = json.loads((VECTORS / "evidence.json").read_text(encoding="utf-8"))
    signed = evidence["signature"]
    check(signed, read("signatures.json")["public_key"])
    body = signed["body"]
    assert body["spec_sha256"] == sha256(evidence["spec"].encode())
    assert body["drawn_sha256"] == sha256(evidence["drawn"].encode())
    assert body["answer_sha256"] == sha256((VECTORS / "release.json").read_bytes())
    entry = read("entries.json")[body["sequence"] - 1]["columns"]
    assert (entry["hash"], entry["created_at"], entry["subject_id"]) == (
        *(body[each] for each in ("chain_hash", "at", "release_id")),
    )
    assert json.loads(entry["detail"])["spec_sha256"] == body["spec_sha256"]
    public = (VECTORS / "public_release.json").read_bytes()
    content, _, rest = public.rpartition(b',"signature":{')
    signature = b"{" + rest
    release, spec = json.loads(content + b"}"), json.loads(evidence["spec"])
    check(json.loads(signature[:-1]), read("signatures.json")["public_key"])
    assert json.loads(signature[:-1])["body"]["sha256"] == sha256(content + b"}")
    assert canonical(json.loads(signature[:-1])) + b"}" == signature
    assert {name: release[name] for name in ("labels", "attributes", "records_per_unit", "event")} == {
        name: spec[name] for name in ("labels", "attributes", "records_per_unit", "event")
    }
    assert release["certificate"] == spec["certificate"] | {"unit": spec["unit"]}
    assert (release["prior"], release["mechanism"]) == (spec["request"]["prior"], spec["request"]["mechanism"])
    line = json.loads((VECTORS / "ledger.jsonl").read_text(encoding="utf-8").splitlines()[body["sequence"] - 1])
    units = [up(Decimal(line["amount"].get(name, "0")), digits) for name, digits in UNITS.items()]
    hashed = netstrings(
        *("private-posterior ledger entry 1", line["previous_hash"], line["budget_id"], line["sequence"], line["kind"]),
        *(*units, line["principal_id"], line["subject_id"], canonical_json(line["detail"]), body["at"]),
    )
    assert sha256(hashed) == line["hash"]


def up(value: Decimal | Fraction, digits: int) -> int:
    if isinstance(value, Decimal):
        value = Fraction(value)
    return math.ceil(value * Fraction(10**digits))


def dec(value: str | int | Fraction) -> Decimal:
    exact = Fraction(value)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def divergence_of_discrete(x: Decimal, h: Decimal) -> Decimal:
    return x - 2 * h / (h.exp() - (-h).exp()) * (1 - (-x).exp())


def divergence_of_floored(x: Decimal, h: Decimal) -> Decimal:
    return x - h / 2 * (h.exp() + 1) / (h.exp() - 1) * (1 - (-x).exp())


def of_pure(epsilon: Decimal) -> int:
    return up(epsilon * (1 - (-epsilon).exp()) / (1 + (-epsilon).exp()), 12)


def converted(rho: Decimal, delta: Decimal) -> int:
    """C(ρ, δ), by trisection of ln(a − 1)."""

    def at(t: Decimal) -> Decimal:
        b = t.exp()
        return (b + 1) * rho - (delta.ln() + (b + 1) * (b + 1).ln()) / b + t

    low, high = Decimal(-20), Decimal(40)
    for _ in range(140):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if at(left) < at(right) else (left, high)
    return up(max(at(low), Decimal(0)), 9)


def joint(event: dict[str, Any], *, rho: bool) -> int:
    """E12."""
    k, alone = event["records_per_unit"], event["n"] is None
    cells, rows = range(event["m"]), []
    for coefficients, rate in zip(event["rows"], event["rates"], strict=True):
        v = [abs(each) if alone else each - min(coefficients) for each in coefficients]
        most, exact = max(v), max(v) <= 2**20
        scale = most if exact else 2**20
        p = v if exact else [each * scale // most for each in v]
        furthest = Fraction(rate) * most * k / event["denominator"]
        intervals = min(scale, 256) if rho else 1
        grid = dec(Fraction(1, 2**20))
        at = [
            up(divergence_of_discrete(dec(furthest * q / intervals), grid) + Decimal("1e-30") * bool(q), 12)
            if rho
            else up(furthest * q, 9)
            for q in range(intervals + 1)
        ]

        def loss(i: int, l: int, v: list[int] = v, p: list[int] = p, at: list[int] = at, scale: int = scale) -> int:
            d, other = (p[i], 0) if alone else (abs(p[i] - p[l]), v[l])
            d = d if max(v) <= 2**20 else min(d + (v[i] != other), scale)
            q, r = divmod(d * (len(at) - 1), scale)
            return at[q] + (-(-(at[q + 1] - at[q]) * r // scale) if r else 0)

        rows.append(loss)
    return max(sum(loss(i, l) for loss in rows) for i, l in itertools.product(cells, cells))


def over_margins(event: dict[str, Any], amounts: list[int]) -> int:
    """Σ*, the sum over margins."""
    impossible = {tuple(each) for each in event["impossible"]}
    possible = [each for each in itertools.product(*map(range, event["levels"])) if each not in impossible]
    if event["n"] is None or not impossible or len(possible) > 2_000 or len(possible) ** 2 * len(amounts) > 2**25:
        return sum(amounts)
    largest = max(
        sum(of for of, margin in zip(amounts, event["margins"], strict=True) if any(x[a] != y[a] for a in margin))
        for x, y in itertools.combinations(possible, 2)
    )
    return largest or sum(amounts)


def recomputed(event: dict[str, Any], k: int) -> dict[str, int]:
    """The exact losses of the page's table, in units."""
    with localcontext(prec=60):
        match event:
            case {"event": "simplex_geometric", "epsilon": text, "m": m}:
                found = {"epsilon": k * up(Fraction(text), 9)}
                if k == 1:
                    e = dec(text)
                    q = (-e).exp()
                    top, below = (sum(math.comb(j, i) ** 2 * q**i for i in range(j + 1)) for j in (m - 2, m - 1))
                    found["rho"] = up(e * (1 - q) * top / below, 12)
                return found
            case {"event": "laplace", "epsilon": text, "m": m}:
                return {"epsilon": k * (up(Fraction(text) / 2, 9) if m == 2 else up(Fraction(text), 9))}
            case {"event": "gaussian", "rho": text, "delta": delta}:
                rho = k * k * Fraction(text)
                return {"rho": up(rho, 12), "epsilon": converted(dec(rho), dec(delta))}
            case {"event": "private_size", "law": "gaussian", "rho": text, "delta": delta}:
                return {"rho": up(Fraction(text), 12), "epsilon": converted(dec(text), dec(delta))}
            case {"event": "private_size", "law": law, "epsilon": text}:
                of = divergence_of_discrete if law == "geometric" else divergence_of_floored
                return {"epsilon": up(Fraction(text), 9), "rho": up(of(dec(text), dec(Fraction(text) / k)), 12)}
            case {"event": "margins", "loss": "epsilon", "losses": losses, "n": n}:
                c = 1 if n is None else 2
                each = [dec(Fraction(text) / c) for text in losses]
                parts = over_margins(event, [up(divergence_of_discrete(x, x / k), 12) for x in each])
                return {"epsilon": over_margins(event, [up(Fraction(text), 9) for text in losses]), "rho": c * parts}
            case {"event": "margins", "losses": losses, "delta": delta}:
                units = over_margins(event, [up(Fraction(text), 12) for text in losses])
                return {"rho": units, "epsilon": converted(Decimal(units).scaleb(-12), dec(delta))}
            case {"event": "blocks", "epsilons": losses, "blocks": parts}:
                whole = event | {"margins": [[a for margin in block for a in margin] for block in parts]}
                return {"epsilon": over_margins(whole, [up(Fraction(text), 9) for text in losses])}
            case {"event": "linear"}:
                return {"epsilon": joint(event, rho=False), "rho": joint(event, rho=True)}
            case _:
                raise AssertionError(event)


def table(**named: Any) -> dict[str, Any]:
    return {"n": 5_000, "m": 4, **named}


def margins_of(**named: Any) -> dict[str, Any]:
    event = {"event": "margins", "n": 60, "levels": [2, 3], "impossible": [[0, 2]], "margins": [[0], [0, 1]]}
    return event | {"loss": "epsilon", "losses": ["0.3", "0.071"], "delta": "0", "records_per_unit": 1} | named


def linear_of(**named: Any) -> dict[str, Any]:
    rows = {"rows": [[2, 2, 0], [1, -4, 0], [3_000_001, 7, 0]], "rates": ["0.1", "0.050001", "0.0000003"]}
    return {"event": "linear", "n": 60, "m": 3, "denominator": 2, **rows, "records_per_unit": 1} | named


def blocks_of(**named: Any) -> dict[str, Any]:
    event = {"event": "blocks", "n": 60, "levels": [2, 2, 2], "impossible": ONE_OF_THREE["impossible"]}
    return event | {"blocks": [[[0], [2]], [[1]]], "epsilons": ["0.3", "0.071"], "records_per_unit": 1} | named


ONE_OF_THREE: Final[dict[str, Any]] = {
    "levels": [2, 2, 2], "impossible": [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]],
    "margins": [[0], [1], [2]], "losses": ["0.03", "0.02", "0.01"],
}  # fmt: skip
EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("E1 E2", table(event="simplex_geometric", epsilon="0.31")),
    ("E1 E2", table(event="simplex_geometric", epsilon="2.000000001", m=2)),
    ("E4", table(event="laplace", epsilon="0.300000001")),
    ("E4", table(event="laplace", epsilon="0.300000001", m=2)),
    ("E6", table(event="gaussian", rho="0.0123", delta="0.0000001")),
    ("E7", {"event": "private_size", "m": 3, "law": "geometric", "epsilon": "0.7", "delta": "0"}),
    ("E8", {"event": "private_size", "m": 3, "law": "laplace", "epsilon": "0.7", "delta": "0"}),
    ("E9", {"event": "private_size", "m": 3, "law": "gaussian", "rho": "0.011", "delta": "0.000001"}),
    ("E10", margins_of()),
    ("E10", margins_of(n=None)),
    ("E11", margins_of(loss="rho", losses=["0.01", "0.003"], delta="0.0000001")),
    ("E10", margins_of(**ONE_OF_THREE)),
    ("E11", margins_of(**ONE_OF_THREE, loss="rho", delta="0.0000001")),
    ("E15", blocks_of()),
    ("E15", blocks_of(blocks=[[[0]], [[1]], [[2]]], epsilons=["0.3", "0.04", "0.01"])),
    ("E12", linear_of()),
    ("E12", linear_of(n=None)),
]


def certificate_of(event: dict[str, Any], k: int) -> Certificate:
    if event["event"] in ("private_size", "margins", "blocks", "linear"):
        event = event | {"records_per_unit": k}
        certify: dict[str, Callable[[Any], Certificate]] = {
            "private_size": private_size.certify, "margins": margins.certify, "linear": linear.certify,
            "blocks": blocks.certify,
        }  # fmt: skip
        return certify[event["event"]](event_from_json(event))
    found: Any = event_from_json(event)
    return certify_unit(found, k)


@pytest.mark.parametrize(("rows", "event"), EVENTS)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_exact_losses_are_recomputed_from_the_page(rows: str, event: dict[str, Any], k: int) -> None:
    loss = certificate_of(event, k).loss
    if "records_per_unit" in event or event["event"] == "private_size":
        event = event | {"records_per_unit": k}
    stated = {"epsilon": loss.epsilon.units, "rho": loss.rho.units if loss.rho else None}
    assert recomputed(event, k).items() <= stated.items()
    assert all(f"| `{each}` |" in PAGE for each in rows.split())


@pytest.mark.parametrize("epsilon", ["0.2", "0.9", "1.7"])
def test_bounds_of_rho_lie_below_what_is_stated(epsilon: str) -> None:
    for m, k in itertools.product((2, 4), (1, 2, 3)):
        h = dec(epsilon) / 2
        floored = (1 if m == 2 else 2) * divergence_of_floored(k * h, h)
        laplace = certificate_of(table(event="laplace", epsilon=epsilon, m=m), k).loss.rho
        assert laplace is not None
        assert up(floored, 12) <= laplace.units <= up(floored, 12) * Fraction("1.01") + 1, "E5"
        if k == 1:
            assert floored == pytest.approx((1 if m == 2 else 2) * h / 2 * (1 - (-h).exp()))
        geometric = certificate_of(table(event="simplex_geometric", epsilon=epsilon, m=m), k).loss
        one = certificate_of(table(event="simplex_geometric", epsilon=epsilon, m=m), 1).loss
        assert geometric.rho is not None
        assert one.rho is not None
        assert geometric.rho.units <= min(k * k * one.rho.units, of_pure(k * dec(epsilon))), "E3"


def test_the_price_is_the_smaller_amount() -> None:
    for rows, event in EVENTS:
        loss = certificate_of(event, 2).loss
        charged = price(loss, Accountant.ZCDP)
        with localcontext(prec=60):
            implied = of_pure(dec(str(loss.epsilon)))
        assert loss.rho is not None
        expected = (
            (implied, loss.delta)
            if implied <= loss.rho.units and not loss.delta.units
            else (loss.rho.units, loss.rho_delta)
        )
        assert (charged.rho.units, charged.delta) == expected, rows


def test_the_ids_of_losses_are_stable() -> None:
    ids = re.findall(r"^\| `(E\d+)` \|", PAGE, re.MULTILINE)
    assert ids == [f"E{number}" for number in range(1, 16)], "an id never gets another meaning"


def histograms(n: int, m: int) -> list[tuple[int, ...]]:
    return [each for each in itertools.product(range(n + 1), repeat=m) if sum(each) == n]


def distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(map(abs, (a - b for a, b in zip(one, other, strict=True)))) // 2


def enumerated(event: dict[str, Any], k: int, delta: float) -> float:
    """E13: the loss of the whole channel."""
    alpha, every = [float(each) for each in event["prior"]], histograms(event["n"], len(event["prior"]))

    def hellinger(c: tuple[int, ...], r: tuple[int, ...]) -> float:
        logs = (
            math.lgamma(a + (x + y) / 2) - (math.lgamma(a + x) + math.lgamma(a + y)) / 2
            for a, x, y in zip(alpha, c, r, strict=True)
        )
        return math.sqrt(max(0.0, -math.expm1(sum(logs))))

    local = {c: max(hellinger(c, r) for r in every if distance(c, r) == 1) for c in every}
    gamma, admixture = event["gamma"], event["uniform_admixture"]
    channel = {}
    for c in every:
        sensitivity = max(
            local[other] * (1 if gamma is None else math.exp(-float(gamma) * distance(c, other))) for other in every
        )
        rate = float(event["epsilon0"]) / (2 * sensitivity)
        added = 0.0 if admixture is None else math.exp(-float(admixture))
        weights = [math.exp(-rate * hellinger(c, r)) + added for r in every]
        channel[c] = [each / sum(weights) for each in weights]
    pairs = [(channel[c], channel[r]) for c in every for r in every if 1 <= distance(c, r) <= k]
    if not delta:
        return max(math.log(p / q) for of_c, of_r in pairs for p, q in zip(of_c, of_r, strict=True))
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        beyond = max(
            sum(max(0.0, p - math.exp(middle) * q) for p, q in zip(of_c, of_r, strict=True)) for of_c, of_r in pairs
        )
        low, high = (low, middle) if beyond <= delta else (middle, high)
    return high


@pytest.mark.parametrize("gamma", [None, "0.15"])
@pytest.mark.parametrize(("calibration", "delta", "admixture"), [("proven", "0", None), ("certified", "0.001", "9.5")])
def test_enumerated_channels_are_recomputed_from_the_page(
    gamma: str | None, calibration: str, delta: str, admixture: str | None
) -> None:
    event = {"event": "exponential", "n": 4, "prior": ["1.0", "0.5", "2.0"], "epsilon0": "0.8", "gamma": gamma}
    event |= {"uniform_admixture": admixture, "calibration": calibration, "delta": delta}
    for k in (1, 2):
        found = certificate_of(event, k)
        assert found.method == "exact_channel"
        expected = enumerated(event, k, float(str(found.loss.delta)))
        assert expected - 1e-11 <= float(found.loss.epsilon) <= expected + 1e-6


def counts_of(event: dict[str, Any], noisy: list[int]) -> list[int]:
    """The page's rules of `on_simplex`."""
    n: int = event.get("n", 0)
    match event["event"]:
        case "private_size":
            return [max(0, y) for y in noisy]
        case "laplace":
            found: list[int] = []
            for y in noisy:
                found.append(min(max(y, 0), n - sum(found)))
            return [*found, n - sum(found)]
        case "exponential":
            return noisy
        case _ if min(noisy) >= 0 and sum(noisy) == n:
            return noisy
        case _:
            level = next(t for t in itertools.count(max(noisy), -1) if sum(max(0, y - t) for y in noisy) >= n)
            found = [max(0, y - level) for y in noisy]
            for i in sorted(range(len(found)), key=lambda i: -found[i])[: sum(found) - n]:
                found[i] -= 1
            return found


def test_counts_and_posteriors_are_recomputed_from_the_page() -> None:
    kinds = set()
    for release in stored_releases():
        event = release["event"]
        if "posterior" not in release:  # of margins
            continue
        posterior = release["posterior"]
        assert posterior["released_counts"] == counts_of(event, posterior["noisy_counts"])
        assert posterior["concentration"] == [
            a + r for a, r in zip(release["prior"], posterior["released_counts"], strict=True)
        ]
        total = sum(posterior["concentration"])
        for each, a in zip(posterior["categories"], posterior["concentration"], strict=True):
            deviation = math.sqrt(a * (total - a) / (total**2 * (total + 1)))
            assert (each["mean"], each["standard_deviation"]) == pytest.approx((a / total, deviation), rel=1e-12)
        kinds.add(event["event"])
    assert kinds >= {"simplex_geometric", "gaussian", "laplace", "exponential", "private_size"}
