"""Breaks each guarantee that CONTRIBUTING.md lists on purpose, and reports which fast test fails.

    python -m tests.mutants [NAME …]

A mutant is one change of the code. The tracked files are copied to a temporary folder once. There each mutant in turn
is applied, its tests run until the first failure, and the file is restored. The test that failed runs again without the
mutant, because a test that fails anyway catches nothing. The exit code is 1 unless every mutant is caught.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.harness.process import end_gently_when_told
from tests.harness.tree import files

ROOT: Final = Path(__file__).parent.parent
_MOST_SECONDS: Final = 900
_ENDING_SECONDS: Final = 30
_SURVIVAL: Final = "SURVIVED"
_NO_JUDGEMENT: Final = "NOT JUDGED"
_SUCCESS_CODE, _FAILURE_CODE = 0, 1
"""Exit codes of pytest. All others mean that tests could not run."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one file that breaks a guarantee: `old`, which occurs once, becomes `new`.

    - `guarantee`: the row of the table in CONTRIBUTING.md
    - `tests`: the files whose fast tests must catch it
    """

    name: str
    guarantee: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied_to(self, text: str) -> str:
        """Return the changed text. Raises ValueError unless `old` occurs exactly once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has its old text {text.count(self.old)} times")
        return text.replace(self.old, self.new)


_PRIVACY = "All releases on a budget are together (ε, δ)-differentially private."
_CERTIFICATES = "Certificates are true of the channel that runs."
_CHARGES = "The charge is what is proven."
_LISTING = "What leaves is listed."
_COUNTS = "Counts do not leave."
_ALTERATIONS = "Altered counts and rows are not drawn from."
_ANSWER_TIMES = "Answer times do not depend on counts."
_BUDGET = "The budget cannot be overspent."
_CRASHES = "A crash at any step costs one charge and gives one answer, or `failed`."
_HONEST = "No answer denies a charge that is in the ledger."
_FAILOVERS = "A failover costs no answer that was given."
_RESTORES = "A restored backup gives no budget back."
_CHAIN = "Every act is in an append-only, chained ledger."
_RECEIPTS = "Anyone can check a receipt."
_REPEATED_REQUESTS = "A repeated request returns the same release, free."
_ERRORS = "Every error says whether budget was charged and whether to retry."
_SEPARATE = "One caller cannot stop, starve or act for another."
_LOG_AND_METRICS = "Log and metrics hold nothing private."
_COVERAGE = "Intervals contain the truth as often as their level says."
_PAGES = "These pages are right."

MUTANTS: Final = (
    Mutant(
        "delta-dropped",
        _PRIVACY,
        "core/accounting/accountants.py",
        "return Cost(epsilon=loss.epsilon, delta=loss.delta)",
        "return Cost(epsilon=loss.epsilon)",
        ("tests/core/accounting/test_accountants.py",),
    ),
    Mutant(
        "conversion-without-the-deltas-of-releases",
        _PRIVACY,
        "core/accounting/accountants.py",
        "PrivacyLoss(epsilon, self.delta_conversion + spent.delta, ",
        "PrivacyLoss(epsilon, self.delta_conversion, ",
        ("tests/core/accounting/test_accountants.py",),
    ),
    Mutant(
        "amounts-rounded-down",
        _PRIVACY,
        "core/privacy.py",
        "math.ceil(_exact_fraction(value)",
        "math.floor(_exact_fraction(value)",
        ("tests/core/accounting/test_accountants.py", "tests/core/accounting/test_zcdp.py"),
    ),
    Mutant(
        "margins-taken-for-different-people",
        _CERTIFICATES,
        "core/mechanisms/margins.py",
        "charged = event.summed(units)",
        "charged = max(units)",
        ("tests/core/mechanisms/test_margins.py",),
    ),
    Mutant(
        "margins-quoted-for-less",
        _CHARGES,
        "service/margins/paid_margins.py",
        "cost = price(certificate.loss, accountant)",
        "cost = price(certify(event).loss, Accountant.ZCDP)",
        ("tests/service/margins/test_margins.py",),
    ),
    Mutant(
        "certificate-too-small",
        _CERTIFICATES,
        "core/mechanisms/geometric/mechanism.py",
        "PrivacyLoss(epsilon=event.epsilon, ",
        "PrivacyLoss(epsilon=Epsilon(event.epsilon.units // 2), ",
        ("tests/core/mechanisms/geometric/test_mechanism.py",),
    ),
    Mutant(
        "sensitivity-halved",
        _CERTIFICATES,
        "core/mechanisms/exponential/sensitivity.py",
        "return float(one_step(smallest, second))",
        "return float(one_step(smallest, second)) / 2",
        ("tests/core/mechanisms/exponential/test_sensitivity.py",),
    ),
    Mutant(
        "zero-drawn-twice-as-often",
        _CERTIFICATES,
        "core/samplers/discrete_laplace.py",
        "if not (negative and magnitude == 0):",
        "if magnitude >= 0:",
        ("tests/core/samplers/test_discrete_laplace.py",),
    ),
    Mutant(
        "records-of-a-unit-forgotten",
        _CERTIFICATES,
        "core/mechanisms/linear.py",
        "Row(coefficients, self.denominator, rate, self.records_per_unit, self.relation)",
        "Row(coefficients, self.denominator, rate, 1, self.relation)",
        ("tests/core/mechanisms/test_linear.py",),
    ),
    Mutant(
        "order-drawn-at-any-price",
        _CHARGES,
        "service/drawing/draw.py",
        "_require(price(spec.loss, accountant).fits(receipt.amount))",
        "_require(price(spec.loss, accountant) is not None)",
        ("tests/service/drawing/test_draw.py",),
    ),
    Mutant(
        "stated-loss-believed-without-a-proof",
        _CHARGES,
        "service/drawing/draw.py",
        "if kind_of(spec.event).closed_form:",
        "if not kind_of(spec.event).closed_form:",
        ("tests/service/drawing/test_draw.py",),
    ),
    Mutant(
        "spec-of-another-receipt-drawn",
        _CHARGES,
        "service/drawing/draw.py",
        "_require(receipt.spec_sha256 == hashlib.sha256(text.encode()).hexdigest())",
        "_require(bool(hashlib.sha256(text.encode()).hexdigest()))",
        ("tests/service/drawing/test_draw.py",),
    ),
    Mutant(
        "published-unless-known-to-be-private",
        _LISTING,
        "service/releases/public_text.py",
        'listed_members(PublicRelease, parts).items() if name != "signature"',
        'parts.items() if name not in {"signature", "principal_id", "remaining_after", "receipt"}',
        ("tests/service/test_what_leaves.py",),
    ),
    Mutant(
        "private-value-printed",
        _COUNTS,
        "core/private.py",
        'def __repr__(self) -> str:\n        return "Private(...)"',
        'def __repr__(self) -> str:\n        return f"Private({self.__sealed})"',
        ("tests/core/test_private.py",),
    ),
    Mutant(
        "noise-printed",
        _COUNTS,
        "core/mechanisms/laplace.py",
        "    noise = event.noise.draw(event.m - 1, entropy)\n",
        "    noise = event.noise.draw(event.m - 1, entropy)\n    print(noise)\n",
        ("tests/test_private_lint.py",),
    ),
    Mutant(
        "deleted-counts-left-in-the-file",
        _COUNTS,
        "service/database/engine.py",
        '"secure_delete = ON"',
        '"secure_delete = OFF"',
        ("tests/service/datasets/test_counts_at_rest.py",),
    ),
    Mutant(
        "problem-with-the-input",
        _COUNTS,
        "service/web/validation.py",
        'template = _RULES.get(finding["type"], "is not valid")',
        'template = _RULES.get(finding["type"], "is not valid") + f" and not {finding[\'input\']}"',
        ("tests/service/test_planted_counts.py",),
    ),
    Mutant(
        "counts-bound-to-no-owner",
        _ALTERATIONS,
        "service/ledger/counts_binding.py",
        "*(getattr(self, each.name) for each in fields(self))",
        '*(getattr(self, each.name) for each in fields(self) if each.name != "owner_id")',
        ("tests/service/drawing/test_draw.py",),
    ),
    Mutant(
        "altered-counts-charged",
        _ALTERATIONS,
        "service/ledger/debit.py",
        "counts.refusal(debit) or decision",
        "decision",
        ("tests/service/datasets/test_altered_counts.py",),
    ),
    Mutant(
        "altered-row-drawn",
        _ALTERATIONS,
        "service/releases/paid.py",
        "if not await asyncio.to_thread(matches_receipt, row, keys)",
        "if await asyncio.to_thread(matches_receipt, row, keys) is None",
        ("tests/service/releases/test_tampered_rows.py",),
    ),
    Mutant(
        "tick-skipped",
        _ANSWER_TIMES,
        "service/releases/paid.py",
        "await wait_for_tick(runtime.ticks, start, spacing)",
        "await wait_for_tick(runtime.ticks, start, 0.0)",
        ("tests/service/releases/test_after_the_charge.py",),
    ),
    Mutant(
        "tick-at-the-next-multiple",
        _ANSWER_TIMES,
        "service/drawing/estimates.py",
        "spacing * 2 ** max(0, math.ceil(math.log2(elapsed / spacing)))",
        "spacing * math.ceil(elapsed / spacing)",
        ("tests/service/releases/test_response_ticks.py",),
    ),
    Mutant(
        "answers-in-the-order-of-the-draws",
        _ANSWER_TIMES,
        "service/runtime/response_time.py",
        "heapq.heappush(self._waiting, (due, number, tick))",
        "heapq.heappush(self._waiting, (due, next(self._numbers), tick))",
        ("tests/service/drawing/test_rounds.py",),
    ),
    Mutant(
        "round-read-after-its-first-draw",
        _ANSWER_TIMES,
        "service/drawing/processes.py",
        "sum(each.estimate for each in waiting)",
        "waiting[0].estimate",
        ("tests/service/drawing/test_rounds.py",),
    ),
    Mutant(
        "orders-behind-an-overrun-failed",
        _SEPARATE,
        "service/drawing/processes.py",
        "waiting[0].settle(None)",
        "[each.settle(None) for each in waiting]",
        ("tests/service/drawing/test_rounds.py",),
    ),
    Mutant(
        "empty-cells-skipped",
        _ANSWER_TIMES,
        "core/mechanisms/linear.py",
        "for weight, count in zip(row, raised, strict=True))",
        "for weight, count in zip(row, raised, strict=True) if count > _COUNT_OFFSET)",
        ("tests/core/mechanisms/test_constant_work.py",),
    ),
    Mutant(
        "last-unit-refused",
        _BUDGET,
        "core/accounting/accountants.py",
        "self.epsilon.units <= remaining.epsilon.units",
        "self.epsilon.units < remaining.epsilon.units",
        ("tests/service/ledger/test_decision.py",),
    ),
    Mutant(
        "charge-compared-before-it-is-added",
        _BUDGET,
        "service/ledger/decision.py",
        "not budget_spent.fits(budget.limit)",
        "not budget.spent.fits(budget.limit)",
        ("tests/service/ledger/test_decision.py",),
    ),
    Mutant(
        "grant-without-a-limit",
        _BUDGET,
        "service/ledger/decision.py",
        "and not grant_spent.fits(grant.limit)",
        "and not grant_spent.fits(grant_spent)",
        ("tests/service/ledger/test_decision.py",),
    ),
    Mutant(
        "cap-of-one-release-ignored",
        _BUDGET,
        "service/ledger/decision.py",
        "not capped.fits(budget.release_cap)",
        "not capped.fits(capped)",
        ("tests/service/ledger/test_decision.py",),
    ),
    Mutant(
        "batch-that-forgets-its-own-charges",
        _BUDGET,
        "service/ledger/debit.py",
        "locked.budgets[debit.budget_id].with_spent(decision.budget_spent)",
        "locked.budgets[debit.budget_id]",
        ("tests/service/ledger/test_debit.py",),
    ),
    Mutant(
        "lock-dropped",
        _BUDGET,
        "service/ledger/row_locks.py",
        ".order_by(table.c.id).with_for_update(read=share)",
        ".order_by(table.c.id)",
        ("tests/service/ledger/test_debit.py",),
    ),
    Mutant(
        "lease-of-a-fast-clock-believed",
        _CRASHES,
        "service/releases/results.py",
        "return now() < until <= now() + MAX_LEASE_SECONDS",
        "return now() < until",
        ("tests/service/releases/test_after_the_charge.py",),
    ),
    Mutant(
        "lease-ignored",
        _CRASHES,
        "service/releases/results.py",
        "            not_(releases.c.leased_until.between(instant + 1, instant + MAX_LEASE_SECONDS)),\n",
        "",
        ("tests/service/releases/test_after_the_charge.py",),
    ),
    Mutant(
        "failed-draw-drawn-again",
        _CRASHES,
        "service/releases/results.py",
        'return "failed"\n',
        'return "paid"\n',
        ("tests/service/releases/test_stored_results.py",),
    ),
    Mutant(
        "second-draw-replaces-the-first",
        _CRASHES,
        "service/releases/results.py",
        '((releases.c.state == "paid") & _exists) | (',
        "_exists | (",
        ("tests/service/releases/test_stored_results.py",),
    ),
    Mutant(
        "deleted-counts-released",
        _COUNTS,
        "service/releases/results.py",
        '((releases.c.state == "paid") & _exists) | (',
        '(releases.c.state == "paid") | (',
        ("tests/service/releases/test_stored_results.py",),
    ),
    Mutant(
        "lost-commit-denied",
        _HONEST,
        "service/database/writer.py",
        "problem = OutcomeUnknown() if in_doubt else DatabaseUnavailable()",
        "problem = DatabaseUnavailable()",
        ("tests/service/ledger/test_lost_commits.py",),
    ),
    Mutant(
        "reported-charge-forgotten",
        _HONEST,
        "service/web/guard.py",
        "return self._requests.get(_name_of(request)) is not None",
        "return self._requests.get(b'') is not None",
        ("tests/service/ledger/test_lost_commits.py",),
    ),
    Mutant(
        "result-returned-without-a-witness",
        _FAILOVERS,
        "service/ledger/witness.py",
        "            self._record_returned(returned)\n",
        "            self._record_returned([])\n",
        ("tests/service/ledger/restore/test_failover.py",),
    ),
    Mutant(
        "new-timeline-trusted",
        _FAILOVERS,
        "service/ledger/debit.py",
        "            if not verified:",
        "            if verified is None:",
        ("tests/service/ledger/restore/test_failover.py",),
    ),
    Mutant(
        "lease-taken-on-a-new-timeline",
        _FAILOVERS,
        "service/releases/results.py",
        "if is_restore_pending(connection) or not witness.is_verified(read_timeline(connection)):",
        "if is_restore_pending(connection):",
        ("tests/service/ledger/restore/test_failover.py",),
    ),
    Mutant(
        "history-with-two-answers-accepted",
        _FAILOVERS,
        "tests/harness/history.py",
        "if len(bodies) > 1:",
        "if len(bodies) > 2:",
        ("tests/service/ledger/restore/test_history.py",),
    ),
    Mutant(
        "restored-backup-unnoticed",
        _RESTORES,
        "service/ledger/witness.py",
        "head.sequence < seen.sequence or (head.sequence == seen.sequence and head.hash != seen.hash)",
        "head.sequence == seen.sequence and head.hash != seen.hash",
        ("tests/service/ledger/restore/test_restore.py",),
    ),
    Mutant(
        "receipt-reconciled-for-nothing",
        _RESTORES,
        "service/ledger/restore/reconcile.py",
        "raised_limit(budget, receipt.amount)",
        "raised_limit(budget, NOTHING)",
        ("tests/service/ledger/restore/test_restore.py",),
    ),
    Mutant(
        "hash-without-the-detail",
        _CHAIN,
        "service/ledger/chain.py",
        "            self.subject_id,\n            self.detail,\n",
        "            self.subject_id,\n",
        ("tests/service/ledger/test_chain.py",),
    ),
    Mutant(
        "entries-that-may-be-changed",
        _CHAIN,
        "migrations/rights.py",
        '"entries": "SELECT, INSERT"',
        '"entries": "SELECT, INSERT, UPDATE"',
        ("tests/test_database_rights.py",),
    ),
    Mutant(
        "trigger-that-never-fires",
        _CHAIN,
        "migrations/append_only.py",
        '"entries_unchanged", "TRUE"',
        '"entries_unchanged", "FALSE"',
        ("tests/test_migrations.py",),
    ),
    Mutant(
        "publication-without-an-entry",
        _CHAIN,
        "service/releases/access.py",
        "        ledger.record(connection, row.budget_id, Act(kind, caller, release_id))\n",
        "        assert Act(kind, caller, release_id)\n",
        ("tests/service/ledger/test_acts.py",),
    ),
    Mutant(
        "balance-unverified",
        _CHAIN,
        "service/ledger/verification.py",
        "if row.spent == balances.spent:",
        "if row.spent.fits(balances.spent) is not None:",
        ("tests/service/ledger/test_verification.py",),
    ),
    Mutant(
        "receipt-unchecked",
        _RECEIPTS,
        "service/ledger/receipts.py",
        "key.verify(_decode(signature), canonical_json(body).encode())",
        "assert key.public_bytes_raw(), (_decode(signature), canonical_json(body).encode())",
        ("tests/service/ledger/test_receipts.py",),
    ),
    Mutant(
        "canonical-json-unsorted",
        _RECEIPTS,
        "service/identifiers/canonical_json.py",
        "sort_keys=True",
        "sort_keys=False",
        ("tests/service/test_formats.py",),
    ),
    Mutant(
        "any-signature-accepted-by-the-client",
        _RECEIPTS,
        "client/private_posterior/verification/signatures.py",
        '.verify(_decode(signed["signature"]), text)',
        ".public_bytes_raw()",
        ("tests/client/test_verification.py",),
    ),
    Mutant(
        "replay-that-draws-again",
        _REPEATED_REQUESTS,
        "service/ledger/debit.py",
        "is_own = before.id == debit.release_id and before.state in",
        "is_own = before.state in",
        ("tests/service/ledger/test_debit.py",),
    ),
    Mutant(
        "replay-that-pays-again",
        _REPEATED_REQUESTS,
        "service/ledger/debit.py",
        "    row = by_key.get(wish.key_hash)",
        '    row = by_key.get("")',
        ("tests/service/ledger/test_debit.py",),
    ),
    Mutant(
        "key-for-any-request",
        _REPEATED_REQUESTS,
        "service/ledger/debit.py",
        "is_same = row.payload_hash == wish.payload_hash or",
        'is_same = row.payload_hash != "" or',
        ("tests/service/ledger/test_debit.py",),
    ),
    Mutant(
        "same-noise-that-pays-again",
        _REPEATED_REQUESTS,
        "service/ledger/debit.py",
        "    if not wish.once or wish.noise is None:",
        "    if wish.noise is not None:",
        ("tests/service/releases/test_once.py",),
    ),
    Mutant(
        "problem-that-denies-a-charge",
        _ERRORS,
        "service/errors.py",
        'always gets this response; a new key is charged again."\n    charged = True',
        'always gets this response; a new key is charged again."\n    charged = False',
        ("tests/service/releases/test_after_the_charge.py",),
    ),
    Mutant(
        "reused-key-called-safe-to-retry",
        _ERRORS,
        "service/errors.py",
        "    retry_safe = False\n\n\nclass ReleaseInProgress(Problem):",
        "    retry_safe = True\n\n\nclass ReleaseInProgress(Problem):",
        ("tests/test_readme.py",),
    ),
    Mutant(
        "share-of-places-ignored",
        _SEPARATE,
        "service/limits/limits.py",
        "return self._held_by_key[key] < self._max_per_key",
        "return self._held_by_key[key] >= 0",
        ("tests/service/test_fair_queue.py",),
    ),
    Mutant(
        "read-limit-dropped",
        _SEPARATE,
        "service/limits/limits.py",
        '    "Reads of the database",\n    "principal",\n    1,\n    4,',
        '    "Reads of the database",\n    "principal",\n    4,\n    4,',
        ("tests/service/test_shared_places.py",),
    ),
    Mutant(
        "body-of-any-size-read",
        _SEPARATE,
        "service/web/guard.py",
        "if len(body) > most:",
        "if len(body) < 0:",
        ("tests/service/web/test_bad_input.py",),
    ),
    Mutant(
        "role-unchecked",
        _SEPARATE,
        "service/principals/auth.py",
        "if self.role not in roles:",
        "if not roles:",
        ("tests/service/test_roles.py",),
    ),
    Mutant(
        "releases-of-others-read",
        _SEPARATE,
        "service/releases/access.py",
        "        | releases.c.public_since.is_not(None)\n    )\n",
        "        | releases.c.id.is_not(None)\n    )\n",
        ("tests/service/test_roles.py",),
    ),
    Mutant(
        "failure-logged-with-its-text",
        _LOG_AND_METRICS,
        "service/identifiers/identifiers.py",
        "kind = type(error).__name__\n",
        'kind = f"{type(error).__name__}: {error}"\n',
        ("tests/service/test_log.py",),
    ),
    Mutant(
        "any-field-logged",
        _LOG_AND_METRICS,
        "service/logs/log.py",
        "for name in FIELDS if (value := known.get(name)) is not None}",
        "for name in known if (value := known.get(name)) is not None}",
        ("tests/service/test_log.py",),
    ),
    Mutant(
        "releases-timed-in-metrics",
        _LOG_AND_METRICS,
        "service/logs/metrics.py",
        "if operation != _RELEASING:",
        'if operation != "":',
        ("tests/service/test_metrics.py",),
    ),
    Mutant(
        "interval-too-narrow",
        _COVERAGE,
        "core/inference/distribution.py",
        "return 0.5 * (1.0 - level)",
        "return 0.55 * (1.0 - level)",
        ("tests/core/inference/test_mixture.py",),
    ),
    Mutant(
        "answered-interval-too-narrow",
        _COVERAGE,
        "service/posteriors/posteriors.py",
        "intervals_and_quantiles(list(together.values()), level,",
        "intervals_and_quantiles(list(together.values()), 0.9 * level,",
        ("tests/service/posteriors/test_post_processing.py",),
    ),
    Mutant(
        "posterior-of-less-noise",
        _COVERAGE,
        "core/mechanisms/geometric/mechanism.py",
        "(-0.5 * float(event.epsilon.value - kept_back))",
        "(-0.6 * float(event.epsilon.value - kept_back))",
        ("tests/core/inference/test_posterior.py",),
    ),
    Mutant(
        "wrong-default-documented",
        _PAGES,
        "docs/reference/settings.md",
        "| `POSTERIOR_RESPONSE_TIME_QUANTUM_MS` | `25` |",
        "| `POSTERIOR_RESPONSE_TIME_QUANTUM_MS` | `20` |",
        ("tests/service/test_settings.py",),
    ),
    Mutant(
        "wrong-problem-documented",
        _PAGES,
        "docs/reference/problems.md",
        "| `release-failed` | 500 | yes |",
        "| `release-failed` | 500 | no |",
        ("tests/test_readme.py",),
    ),
)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of tests: the exit code of pytest, the first test that failed or the reason why none ran, and the time."""

    code: int | None
    failed: str
    seconds: float


def main(names: list[str]) -> int:
    """Run the named mutants, by default all. Return the exit code."""
    unknown = set(names) - {each.name for each in MUTANTS}
    if unknown:
        _say(f"There are no mutants with these names: {', '.join(sorted(unknown))}")
        return 2
    chosen = [each for each in MUTANTS if not names or each.name in names]
    for each in chosen:
        each.applied_to((ROOT / each.file).read_text(encoding="utf-8"))
    results: list[tuple[Mutant, str, float]] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        tree = Path(directory)
        copy_tree(tree)
        for number, mutant in enumerate(chosen, 1):
            with _mutated_file(tree, mutant):
                run = _run(tree, mutant.tests)
            caught = _verdict(run, whole=_run(tree, (run.failed,)) if run.code == _FAILURE_CODE else None)
            results.append((mutant, caught, run.seconds))
            _say(f"[{number}/{len(chosen)}] {mutant.name}: {caught} ({run.seconds:.0f} s)")
    _print_table(results)
    lost = sum(caught.startswith((_SURVIVAL, _NO_JUDGEMENT)) for _, caught, _ in results)
    _say(f"\n{len(results) - lost} of {len(results)} mutants were caught.")
    return 1 if lost else 0


def _verdict(run: _Run, whole: _Run | None) -> str:
    """Return the test that caught a mutant. `whole` is the run of this test without the mutant."""
    if run.code == _SUCCESS_CODE:
        return _SURVIVAL
    if whole is None:
        return f"{_NO_JUDGEMENT}: {run.failed}"
    return run.failed if whole.code == _SUCCESS_CODE else f"{_NO_JUDGEMENT}: fails without the mutant too: {run.failed}"


def _print_table(results: list[tuple[Mutant, str, float]]) -> None:
    width = max(len(mutant.name) for mutant, _, _ in results)
    _say(f"\n{'mutant':{width}}  {'seconds':>7}  caught by")
    guarantee = ""
    for mutant, caught, seconds in results:
        if mutant.guarantee != guarantee:
            guarantee = mutant.guarantee
            _say(guarantee)
        _say(f"{mutant.name:{width}}  {seconds:7.1f}  {caught}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def copy_tree(tree: Path) -> None:
    """Copy the files as they are now, with their times, so that a restored file has its compiled form."""
    for name in files():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)


@contextmanager
def _mutated_file(tree: Path, mutant: Mutant) -> Iterator[None]:
    file, kept = tree / mutant.file, tree / "unmutated"
    changed = mutant.applied_to(file.read_text(encoding="utf-8"))
    shutil.copy2(file, kept)
    file.write_text(changed, encoding="utf-8")
    try:
        yield
    finally:
        shutil.move(kept, file)


def _run(tree: Path, tests: tuple[str, ...]) -> _Run:
    """Run the fast tests of these files until the first failure, on the copy."""
    command = [sys.executable, "-m", "pytest", "-m", "not long", "-x", "-q", "-p", "no:cacheprovider", "--tb=no"]
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = outside | {"PYTHONPATH": os.pathsep.join([str(tree), str(tree / "client")]), "TESTS_PATIENCE": "60"}
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [*command, *tests], cwd=tree, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            code = process.wait(timeout=_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            _end(process)
            return _Run(None, f"no end within {_MOST_SECONDS} s", time.monotonic() - started)
        except BaseException:
            _end(process)
            raise
        output.seek(0)
        said = output.read()
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
    failed = found[1] if found else "" if code == _SUCCESS_CODE else (said.strip().splitlines() or ["?"])[-1]
    return _Run(code, failed, time.monotonic() - started)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the tests and the servers that they started."""
    process.send_signal(signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=_ENDING_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    end_gently_when_told()
    sys.exit(main(sys.argv[1:]))
