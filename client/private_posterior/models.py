"""Types of the requests and answers of the service; `make openapi` generates them from docs/openapi.json."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AccessRequestChange(TypedDict):
    """
    A decision. `approved` grants the amounts that the analyst asked for, except those set here.
    """

    state: Literal["approved", "declined", "withdrawn"]
    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    delta: NotRequired[str | None]
    expires_at: NotRequired[str | None]
    reason: NotRequired[str | None]


class AccessRequestCreate(TypedDict):
    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    delta: str
    purpose: str


class AccuracyAtCount(TypedDict):
    """
    The expected interval of a category with `count` made-up records; the other categories share the rest evenly.
    """

    count: int
    interval_width: float
    standard_error: float
    interval_width_without_noise: float
    width_ratio: float | None


class Amount(TypedDict):
    """
    An amount of a budget: ε and δ under `basic`, ρ and δ under `zcdp`.
    """

    accountant: Literal["basic", "zcdp"]
    epsilon: NotRequired[str]
    rho: NotRequired[str]
    delta: str


class Analyst(TypedDict):
    """
    An analyst who can get a grant.
    """

    id: str
    name: str


class AnalystPage(TypedDict):
    items: list[Analyst]
    next_cursor: str | None


class AnswerRange(TypedDict):
    """
    A range whose probability you want. A bound that is left out is infinite.
    """

    low: NotRequired[float | None]
    high: NotRequired[float | None]


class AnswerSignatureContent(TypedDict):
    kind: str
    release_id: str
    drawn_sha256: str
    answer_sha256: str


class Attribute(TypedDict):
    """
    A property of each record, with its possible levels.
    """

    name: str
    levels: list[str]


class BudgetCreate(TypedDict):
    """
    A budget. Under `basic`, the ε and the δ of its releases add up.

    Under `zcdp` (zero-concentrated DP), their ρ adds up, and (`epsilon`, `delta`) is the guarantee of the whole budget.
    Part of `delta` converts ρ to ε: `delta_conversion`, which fixes the largest ρ. The rest pays the δ of single
    releases.
    """

    accountant: Literal["basic", "zcdp"]
    name: str
    epsilon: str
    delta: str
    delta_conversion: NotRequired[str | None]


BudgetListState: TypeAlias = Literal["low", "frozen"]


class BudgetOwner(TypedDict):
    """
    The new owner of a budget that an admin transfers.
    """

    principal_id: str


class CalibratedEvent(TypedDict):
    """
    Every parameter of the mechanism, as exact text. They suffice to repeat the posterior without the service.
    """


class Cap(TypedDict):
    """
    Upper bound on the charge of one release.
    """

    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    delta: str


class ConstrainedTable(TypedDict):
    """
    Counts near a table's estimates that are whole, not negative and sum to the number of records.

    They are easier to show. They are biased, tables need not agree with each other, and no interval belongs to them.
    """

    attributes: list[str]
    counts: list[int]


class CountInterval(TypedDict):
    """
    The interval around each estimate of a table. All cells of a table have the same.
    """

    confidence: float
    half_width: float
    simultaneous_half_width: NotRequired[float | None]


class DensityCurve(TypedDict):
    share: list[float]
    density: list[float]


class EachPrior(TypedDict):
    """
    The same prior for each piece of a question, or for each cell.

    The pieces of a question are the disjoint sets of cells on which its answer depends, such as the records with and
    without an outcome in each of two groups, and all other records. The noisy counts of a piece are added up. With the
    prior by piece, the answer does not depend on how finely a table was cut, except for the noise of each cell.
    """

    each: float
    of: NotRequired[Literal["piece", "cell"]]


class EarlierKey(TypedDict):
    """
    An earlier signing key of receipts and ledger heads.
    """

    key_id: str
    public_key: str
    retired_at: str | None


class Effect(TypedDict):
    """
    An effect whose probability is computed: a measure above a value, or below it.
    """

    measure: Literal["difference", "ratio", "odds_ratio", "efficacy"]
    above: NotRequired[float | None]
    below: NotRequired[float | None]


class EnrolmentCreate(TypedDict):
    token: str
    expires_at: NotRequired[str | None]


class EnrolmentToken(TypedDict):
    """
    A token that an admin hands to a person, who exchanges it once with `POST /v1/enrolments`.
    """

    id: str
    principal_id: str
    token: str
    expires_at: str
    recovers: bool


class ErrorExceedance(TypedDict):
    """
    The probability that the error is at least `distance`.
    """

    distance: float
    probability: float


class ErrorQuantile(TypedDict):
    """
    The distance that the error does not exceed with probability `level`.
    """

    level: float
    distance: float


class EvidenceContent(TypedDict):
    """
    Amounts are decimal texts. No number is a fraction or above 2^53, so every JSON parser keeps the body.
    """

    kind: str
    release_id: str
    dataset_id: str
    budget_id: str
    accountant: str
    sequence: int
    chain_hash: str
    spec_sha256: str
    drawn_sha256: str
    answer_sha256: str
    epsilon: str
    delta: str
    rho: str
    at: int


class EvidenceSignature(TypedDict):
    """
    An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`.
    """

    body: EvidenceContent
    key_id: str
    signature: str


class ExcludedRelease(TypedDict):
    """
    A release that estimates can't use.
    """

    release_id: str
    reason: str


class ExistingBudget(TypedDict):
    kind: Literal["existing"]
    id: str


class ExpectedAccuracy(TypedDict):
    """
    The expected accuracy of a release at made-up counts of the data set's public size. The data set's counts are not
    read.
    """

    level: float
    at_counts: list[AccuracyAtCount]
    prior_interval_width: float
    expected_hellinger_error: float | None
    summary: str
    warning: str | None


class ExpectedInterval(TypedDict):
    """
    The noise-aware interval of a question from this mechanism at this charge.
    """

    width: float
    upper_over_lower: float | None
    low: float
    high: float
    contains: float
    decides: float | None
    runs: int
    standard_error: float


class Exponential(TypedDict):
    """
    Draws a whole posterior: the nearer to the true one by Hellinger distance, the more likely. Calibrated to smooth
    sensitivity. It uses the largest rate that is proven for ε. Only for few records and categories.
    """

    kind: Literal["exponential"]
    calibration: NotRequired[Literal["certified", "proven"]]
    epsilon: str
    delta: NotRequired[str]


class ExponentialGlobal(TypedDict):
    """
    The exponential mechanism with noise for the worst table, by global sensitivity. Pure ε-DP. The noisiest.
    """

    kind: Literal["exponential_global"]
    epsilon: str
    delta: NotRequired[str]


class ExponentialPublished(TypedDict):
    """
    The exponential mechanism with the noise of the original papers, which claim (ε, δ)-DP for the nominal ε. The
    charge is the proven loss, which can be more.
    """

    kind: Literal["exponential_published"]
    nominal_epsilon: str
    delta: str


class FieldError(TypedDict):
    """
    A location in the request and the rule that it breaks. Input is not repeated.
    """

    location: str
    rule: str


class FigureRow(TypedDict):
    """
    A figure of an answer as the row of a table: its name, and where its numbers are.
    """

    name: str
    kind: Literal["share", "difference", "ratio", "odds_ratio", "efficacy", "log_odds_ratio", "number_needed", "probability"]
    path: str
    probability: str | None


class FullRelease(TypedDict):
    """
    One release of all attributes of the data set, summed to the wanted tables, for comparison.
    """

    half_widths: list[float]
    is_nearly_as_precise: bool
    would_charge: Amount | None


class Gaussian(TypedDict):
    """
    Adds discrete Gaussian noise to every count; ρ-zCDP. A basic budget is charged δ, and the ε that ρ implies at δ.
    Cheapest if you make many releases on a budget in ρ. Give ρ, or the ε from which the largest ρ follows at δ.
    """

    kind: Literal["gaussian"]
    rho: NotRequired[str | None]
    epsilon: NotRequired[str | None]
    delta: str


class Geometric(TypedDict):
    """
    Adds two-sided geometric (discrete Laplace) noise to every count, of scale k/ε at k records of one unit. Pure
    ε-DP. Only for tables whose number of records is private, where it is recommended.
    """

    kind: Literal["geometric"]
    epsilon: str


class Grant(TypedDict):
    id: str
    dataset_id: str
    principal_id: str
    name: str | None
    cap: Amount
    spent: Amount
    remaining: Amount
    warnings: list[str]
    stored_bytes: int
    closed: bool
    expired: bool
    expires_at: str | None
    created_at: str


class GrantChange(TypedDict):
    """
    Fields to change. Fields that are left out stay as they are.
    """

    epsilon: NotRequired[str]
    rho: NotRequired[str]
    delta: NotRequired[str]
    closed: NotRequired[bool]
    expires_at: NotRequired[str | None]


class GrantCreate(TypedDict):
    principal_id: str
    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    delta: str
    expires_at: NotRequired[str | None]


GrantListState: TypeAlias = Literal["open", "ended"]


class GrantPage(TypedDict):
    items: list[Grant]
    next_cursor: str | None


class Guarantee(TypedDict):
    """
    (epsilon, delta)-differential privacy.
    """

    epsilon: str
    delta: str


class HeadContent(TypedDict):
    kind: str
    budget_id: str
    sequence: int
    chain_hash: str
    at: int


class Health(TypedDict):
    status: NotRequired[Literal["ok"]]
    version: str


class HypotheticalCounts(TypedDict):
    """
    Counts that you make up. Your guess discloses nothing private.
    """

    kind: Literal["counts"]
    counts: list[int]


class Interval(TypedDict):
    """
    A central interval of a share, a contrast or a number. Its ends are rounded outward.
    """

    level: float
    low: float | None
    high: float | None


class Job(TypedDict):
    """
    A free computation that exceeded the time of a request. It runs again in the background, for at most ten minutes.
    Sending the same request again returns the same job.
    """

    id: str
    kind: Literal["posterior", "comparison", "picture", "plan", "estimates", "quote", "preparation", "certificate"]
    state: Literal["pending", "ready", "failed"]
    result: str
    created_at: str
    finished_at: str | None
    expires_at: str


class JobResult(TypedDict):
    """
    The result, as the operation that became the job would have returned it.
    """


class Laplace(TypedDict):
    """
    The papers' Laplace mechanism. Adds rounded-down Laplace noise of scale 2/ε to every count but the last, and cuts
    the counts back to sum to n. The last count is the remainder of the total. If the number of records is private, it
    adds noise of scale k/ε at k records of one unit to every count, and cuts nothing.
    """

    kind: Literal["laplace"]
    epsilon: str


class LedgerEntry(TypedDict):
    """
    One act on a budget. `hash` is SHA-256 over the entry and `previous_hash`.
    """

    budget_id: str
    sequence: int
    kind: Literal["budget_opened", "budget_changed", "budget_frozen", "budget_unfrozen", "budget_transferred", "query_charged", "release_charged", "receipt_reconciled", "entry_reconciled", "written_off", "policy_changed", "grant_opened", "grant_changed", "grant_closed", "grant_reopened", "dataset_registered", "dataset_replaced", "dataset_deleted", "release_published", "release_withdrawn", "budget_renamed", "dataset_renamed", "history_shared", "history_unshared", "dataset_listed", "dataset_unlisted", "access_declined", "restore_noticed", "restore_ended", "clock_confirmed"]
    amount: Amount
    principal_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: str
    previous_hash: str
    hash: str


class LedgerEntryPage(TypedDict):
    items: list[LedgerEntry]
    next_cursor: str | None


class Loss(TypedDict):
    """
    The proven privacy loss: (epsilon, delta)-DP, and rho-zCDP if rho is not null.
    """

    epsilon: str
    delta: str
    rho: str | None
    rho_delta: str


class MarginTable(TypedDict):
    """
    A table combined from all measured margins.

    Tables agree with each other: two with common attributes have the same sums over the others. Estimates are
    fractions and can be negative.
    """

    attributes: list[str]
    cell_count: int
    standard_deviation: float
    intervals: list[CountInterval]
    estimates: list[float]


class MarginsMechanism(TypedDict):
    """
    Adds independent noise to every cell of several margins of a cross table, geometric or discrete Gaussian. It has
    the loss of all margins together, as ε or as ρ.
    """

    kind: Literal["margins"]
    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]


class MaxCharge(TypedDict):
    """
    Upper bounds on the charge of the release; a field that is left out is unlimited.
    """

    epsilon: NotRequired[str | None]
    delta: NotRequired[str | None]
    rho: NotRequired[str | None]


class MeasuredMargin(TypedDict):
    """
    A measured margin, and its noisy counts.
    """

    attributes: list[str]
    cell_count: int
    cost: Amount
    noise: Literal["geometric", "discrete_gaussian", "max_norm"]
    block: NotRequired[int | None]
    noise_parameter: str
    noise_standard_deviation: float
    noisy_counts: list[int]


class MeasuredRow(TypedDict):
    """
    A row of weights, `coefficients` over `denominator`, and its answer with Laplace noise of scale 1/`rate`.
    """

    coefficients: list[int]
    denominator: int
    rate: str
    answer: float
    exact_answer: str


class MechanismParameter(TypedDict):
    """
    A parameter of a mechanism's request.
    """

    name: str
    required: bool
    choices: list[str] | None


class NewBudget(TypedDict):
    kind: Literal["new"]
    budget: BudgetCreate


class NextRelease(TypedDict):
    """
    The largest ε, or the largest ρ, of one more release by this mechanism, and the δ that it would have. The amounts
    are null if no release is possible.
    """

    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    allowed: bool
    largest_epsilon: str | None
    largest_rho: str | None
    delta: str | None
    charge: Amount | None


class NoiseAwareUnavailable(TypedDict):
    """
    No noise-aware posterior can be computed for this mechanism at this size. Use the release's own posterior.
    """

    kind: Literal["unavailable"]
    release_ids: list[str]
    reason: str
    picture: str | None


class NotPlanned(TypedDict):
    """
    A mechanism that is not among the options of any charge.
    """

    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    calibration: str | None
    reason: str


class OwnedBudget(TypedDict):
    """
    What an admin sees of a budget.
    """

    id: str
    created_at: str


class OwnedBudgetPage(TypedDict):
    items: list[OwnedBudget]
    next_cursor: str | None


class PlannedMargin(TypedDict):
    """
    A margin that is measured: every cell gets independent noise.
    """

    attributes: list[str]
    cell_count: int
    cost: Amount
    noise: Literal["geometric", "discrete_gaussian", "max_norm"]
    block: NotRequired[int | None]
    noise_parameter: str
    noise_standard_deviation: float


class PlannedTable(TypedDict):
    """
    A wanted table, and how precise it will be.
    """

    attributes: list[str]
    cell_count: int
    standard_deviation: float
    intervals: list[CountInterval]


class PointPosterior(TypedDict):
    """
    The Bayes remap: the Dirichlet posterior on counts with the smallest expected Hellinger distance to the true
    posterior, given the release.
    """

    released_counts: list[int]
    concentration: list[float]
    expected_hellinger_error: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None


class PrincipalEntry(TypedDict):
    """
    One entry of the chain of a principal's keys. `hash` is SHA-256 over the entry and `previous_hash`.
    """

    principal_id: str
    sequence: int
    kind: str
    actor_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: str
    previous_hash: str
    hash: str


class PrincipalEntryPage(TypedDict):
    items: list[PrincipalEntry]
    next_cursor: str | None


class ProbabilityAbove(TypedDict):
    """
    The probability that a value is above a threshold, with its own error.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    threshold: float
    equal: float | None


class ProbableEffect(TypedDict):
    """
    The probability of a stated effect.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    effect: Effect


class ProblemDescription(TypedDict):
    """
    The meaning of a problem type.
    """

    type: str
    status: int
    title: str
    charged: bool | None
    retry_safe: bool
    retryable: bool


class ProblemDocument(TypedDict):
    """
    Problem details (RFC 9457).
    """

    type: Literal["/problems/body-too-large", "/problems/body-too-slow", "/problems/budget-exhausted", "/problems/budget-frozen", "/problems/certificate-quota-exceeded", "/problems/clock-unconfirmed", "/problems/computation-too-large", "/problems/computations-unavailable", "/problems/conflict", "/problems/database-unavailable", "/problems/dataset-changed", "/problems/decryption-key-unavailable", "/problems/draws-unavailable", "/problems/failover-pending", "/problems/free-answer-quota-exceeded", "/problems/grant-closed", "/problems/grant-exhausted", "/problems/grant-expired", "/problems/idempotency-key-missing", "/problems/idempotency-key-reused", "/problems/internal-error", "/problems/invalid-request", "/problems/job-pending", "/problems/job-quota-exceeded", "/problems/key-quota-exceeded", "/problems/key-required", "/problems/malformed-body", "/problems/max-charge-exceeded", "/problems/mechanism-not-allowed", "/problems/method-not-allowed", "/problems/name-taken", "/problems/not-found", "/problems/not-supported", "/problems/object-quota-exceeded", "/problems/operation-moved", "/problems/outcome-unknown", "/problems/owner-unavailable", "/problems/preparation-pending", "/problems/rate-limited", "/problems/receipt-key-unavailable", "/problems/recovery-pending", "/problems/release-altered", "/problems/release-cap-exceeded", "/problems/release-failed", "/problems/release-in-progress", "/problems/release-lost", "/problems/restore-pending", "/problems/role-not-allowed", "/problems/shutting-down", "/problems/storage-quota-exceeded", "/problems/stored-data-altered", "/problems/token-already-used", "/problems/token-invalid", "/problems/unauthenticated", "/problems/unsupported-media-type"]
    title: str
    status: int
    detail: str
    charged: bool | None
    retry_safe: bool
    retryable: bool
    errors: NotRequired[list[FieldError]]
    largest_possible_charge: NotRequired[Amount | None]
    certified: NotRequired[Loss | None]
    would_charge: NotRequired[Amount | None]
    certificate: NotRequired[str | None]
    job: NotRequired[str | None]
    moved_to: NotRequired[str | None]
    used_at: NotRequired[str | None]
    key_prefix: NotRequired[str | None]


class Quantile(TypedDict):
    probability: float
    value: float


class QueryInterval(TypedDict):
    """
    An interval that contains the true answer with probability `confidence`, if the query was fixed before the
    answers were seen.
    """

    low: float
    high: float
    half_width: float
    confidence: float


class QuotaUsage(TypedDict):
    """
    The number in use, and its limit.
    """

    used: int
    limit: int


class Readiness(TypedDict):
    """
    Readiness of the process. `notes` lists conditions that the operator should act on although the process can
    serve, with what to do.
    """

    status: NotRequired[Literal["ok"]]
    version: str
    notes: NotRequired[list[str]]


class ReceiptContent(TypedDict):
    """
    One charge as the ledger recorded it. `*_units` are integers, in units of 1e-9 (epsilon), 1e-18 (delta) and 1e-12
    (rho).
    """

    kind: str
    budget_id: str
    accountant: str
    sequence: int
    release_id: str
    dataset_id: str
    grant_id: str
    principal_id: str
    owner_id: str
    commitment: str
    spec_sha256: str
    key_hash: str
    payload_hash: str
    epsilon_units: int
    delta_units: int
    rho_units: int
    chain_hash: str
    at: int


class ReferenceShape(TypedDict):
    """
    A reference histogram if you have no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the mean of
    `prior`.
    """

    kind: Literal["shape"]
    shape: Literal["even", "falling", "prior_mean"]
    record_count: int
    category_count: NotRequired[int | None]


class ReleaseChange(TypedDict):
    public: bool


class ReleaseSignatureContent(TypedDict):
    kind: str
    release_id: str
    sha256: str


class ReleaseSource(TypedDict):
    """
    A release that you may read, or one measured margin of a release of margins.
    """

    kind: Literal["release"]
    release_id: str
    margin: NotRequired[list[str] | None]


class ReleasesOfSameCost(TypedDict):
    """
    The number of further releases at the cost of an earlier one.
    """

    release_id: str
    charged: Amount
    remaining_releases: int | None


class Responsibility(TypedDict):
    """
    One block of NIST SP 800-226, and who is responsible for it. A text is empty if there is nothing to say.
    """

    block: str
    enforced: str
    affirmed: str
    not_covered: str


class SecondInterval(TypedDict):
    """
    An interval in an answer of 0.2.0, for counts that are whole, not negative and sum to n.
    """


class SessionConfirmation(TypedDict):
    """
    The confirmation of a session.
    """

    confirmed_until: str


class SignedHead(TypedDict):
    """
    The latest entry of a ledger, signed by the service. Keep it as a checkpoint. The signature is Ed25519 over the
    canonical JSON of `body`.
    """

    body: HeadContent
    key_id: str
    signature: str


class SigningKey(TypedDict):
    """
    The signing keys of receipts and ledger heads, current and earlier, as raw Ed25519 in unpadded base64url.
    """

    key_id: str
    public_key: str
    earlier: list[EarlierKey]


class SimplexGeometric(TypedDict):
    """
    Adds two-sided geometric (discrete Laplace) noise to every count, conditioned on the total, which stays exact.
    Pure ε-DP. Recommended: usually the narrowest intervals without a δ, at any size.
    """

    kind: Literal["simplex_geometric"]
    epsilon: str


class SizeFigures(TypedDict):
    """
    The number of records: its posterior distribution under the prior, and an unbiased estimate, which needs no
    prior.
    """

    mean: float
    standard_deviation: float
    interval: Interval
    quantiles: list[Quantile]
    error: float
    estimate: float | None
    estimate_interval: Interval | None


class Spender(TypedDict):
    """
    A principal who released from the data set; the name is null once erased.
    """

    principal_id: str
    name: str | None
    releases: int
    charged: Amount


class Spending(TypedDict):
    """
    Charges of the last `days` days, counted in full hours.
    """

    days: int
    spent: Amount
    releases: int


class StatedRecovery(TypedDict):
    """
    An admin's recovery of the owner's or a spender's access. Two people may have held keys for that time.
    """

    principal_id: str
    started_at: str
    frozen_until: str
    vetoed_at: str | None
    replaced_at: str | None


class StatedRelease(TypedDict):
    """
    One release and its charge.
    """

    id: str
    ledger_sequence: int
    principal_id: str
    created_at: str
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    kind: Literal["posterior", "query"]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal | MarginsMechanism | None
    charged: Amount
    certificate: str | None


class StatedReleasePage(TypedDict):
    items: list[StatedRelease]
    next_cursor: str | None


class StratumWithoutAnswer(TypedDict):
    label: str
    reason: str


class TableNoise(TypedDict):
    """
    The noise that was added to each count, independently: its law, and one of `scale`, `variance`, `epsilon` and
    `rho`, in records, or for the law `table` the perturbation table in `changes`.
    """

    law: Literal["geometric", "laplace", "floored_laplace", "discrete_gaussian", "gaussian", "table", "none"]
    scale: NotRequired[float | None]
    variance: NotRequired[float | None]
    epsilon: NotRequired[float | None]
    l1_sensitivity: NotRequired[float]
    rho: NotRequired[float | None]
    l2_sensitivity: NotRequired[float]
    second_scale: NotRequired[float | None]
    changes: NotRequired[list[dict[str, float]] | None]


class TablePrinted(TypedDict):
    """
    What the publisher did to each noisy value, in this order: rounding, clamping at zero, suppression.
    """

    round_to: NotRequired[int | None]
    rounding: NotRequired[Literal["at_random", "half_even", "half_up", "half_down", "half_away"]]
    clamped_at_zero: NotRequired[bool]
    shown_from: NotRequired[int | None]


class UsedEachPrior(TypedDict):
    """
    The prior of each piece of a question, or of each cell.
    """

    each: float
    of: Literal["piece", "cell"]


class UsedRelease(TypedDict):
    """
    A release that the estimate uses, with the weight of each of its noisy counts or answers.
    """

    release_id: str
    weights: list[float]


class WriteOff(TypedDict):
    id: str
    budget_id: str
    sequence: int
    amount: Amount
    reason: str
    created_at: str


class WriteOffCreate(TypedDict):
    """
    A charge for releases that a restore may have lost; an amount of 0 states that none is missing.
    """

    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    delta: str
    reason: str


class AccessRequest(TypedDict):
    """
    An analyst's request for a grant on a listed data set.
    """

    id: str
    dataset_id: str
    principal_id: str
    name: str | None
    requested: Amount
    purpose: str | None
    state: Literal["open", "approved", "declined", "withdrawn", "ended"]
    reason: str | None
    grant_id: str | None
    created_at: str
    decided_at: str | None
    changed: bool | None


class AccessRequestPage(TypedDict):
    items: list[AccessRequest]
    next_cursor: str | None


class Allowance(TypedDict):
    """
    The releases that you can still make from a data set. It holds until somebody spends or the owner changes a
    limit.
    """

    can_release: bool
    blocked_by: str | None
    largest_possible_charge: Amount
    below_threshold: bool
    mechanisms: list[NextRelease]
    margins_allowed: bool
    measuring_allowed: bool
    more_like: ReleasesOfSameCost | None


class AnswerSignature(TypedDict):
    """
    An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`.
    """

    body: AnswerSignatureContent
    key_id: str
    signature: str


class ApiKey(TypedDict):
    id: str
    principal_id: str
    kind: Literal["key", "session"]
    prefix: str
    issued_by: str
    parent_id: str | None
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None
    key: str | None
    recovery_code: str | None
    frozen_until: str | None


class ApiKeyPage(TypedDict):
    items: list[ApiKey]
    next_cursor: str | None


class Budget(TypedDict):
    id: str
    name: str
    accountant: Literal["basic", "zcdp"]
    guarantee: Guarantee
    delta_conversion: str | None
    total: Amount
    spent: Amount
    remaining: Amount
    warnings: list[str]
    release_cap: Amount | None
    allowed_mechanisms: list[Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global", "linear", "margins"]] | None
    frozen: bool
    restore_pending: bool
    below_threshold: bool
    low_budget_percent: int
    stored_bytes: int
    sequence: int
    head_hash: str
    created_at: str


class BudgetChange(TypedDict):
    """
    Changes to a budget. Fields that are left out stay as they are.
    """

    name: NotRequired[str]
    epsilon: NotRequired[str]
    delta: NotRequired[str]
    frozen: NotRequired[bool]
    release_cap: NotRequired[Cap | None]
    allowed_mechanisms: NotRequired[list[Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global", "linear", "margins"]] | None]
    low_budget_percent: NotRequired[int]


class BudgetPage(TypedDict):
    items: list[Budget]
    next_cursor: str | None


class BurnRate(TypedDict):
    """
    The rate at which a budget is spent, and the guarantee of all releases so far.
    """

    spent: Amount
    remaining: Amount
    below_threshold: bool
    spent_guarantee: Guarantee
    recent: list[Spending]
    days_left: int | None


class CategoryPosterior(TypedDict):
    label: str
    mean: float
    standard_deviation: float
    naive_interval: Interval | None


class Cells(TypedDict):
    """
    A set of cells: those with these labels, or in a cross table those with these levels of attributes. A text in
    place of a list stands for a list of one.
    """

    labels: NotRequired[list[str] | None]
    where: NotRequired[dict[str, list[str]] | None]


class Certificate(TypedDict):
    """
    A bound on the privacy loss.
    """

    method: Literal["theorem", "exact_channel"]
    statement: str
    relation: Literal["replace_one", "add_remove"]
    unit: str
    loss: Loss
    details: dict[str, str]


class CertifiedEvent(TypedDict):
    """
    A calibrated event and the proof of its loss.
    """

    event: CalibratedEvent
    certificate: Certificate


class CountFigures(TypedDict):
    """
    The posterior distribution of a number of records, given what was published.
    """

    mean: float
    standard_deviation: float
    interval: Interval
    quantiles: list[Quantile]
    error: float


class Dataset(TypedDict):
    """
    The public facts about a data set.
    """

    id: str
    name: str
    owner_name: str | None
    unit: str
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int | None
    records_per_unit: int
    relation: Literal["replace_one", "add_remove"]
    accountant: Literal["basic", "zcdp"]
    created_at: str
    budget_id: str
    one_record_per_unit: bool
    n_is_public: bool
    commitment: str
    history_shared: bool
    listed: bool
    nonce: str | None
    warnings: list[str] | None


class DatasetPage(TypedDict):
    items: list[Dataset]
    next_cursor: str | None


class EstimatedProbability(TypedDict):
    """
    A probability and its error: an upper bound if `exact`, one standard error if `simulation`.

    From n draws, of which k have the property, it is (k + 1)/(n + 2), so never 0 or 1. Show no more digits than the
    error allows.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None


class Evidence(TypedDict):
    """
    The stored spec and drawn values of a release, with the service's signature. The page *Evidence* of the documents
    says how to check it.
    """

    spec: str
    drawn: str
    signature: EvidenceSignature


class HellingerError(TypedDict):
    """
    The distribution of the Hellinger distance between the true and the released posterior, at the made-up counts.
    """

    expected: float
    standard_error: float
    quantile_95: float
    quantiles: list[ErrorQuantile]
    exceedances: list[ErrorExceedance]
    probability_error: float
    expected_l1: float
    method: Literal["exact", "simulation"]
    rehearsals: int | None


class KeyCreate(TypedDict):
    kind: NotRequired[Literal["key", "session"]]
    expires_at: NotRequired[str | None]


class KnownTotal(TypedDict):
    """
    The number of records in some cells, if it is public.
    """

    of: Cells
    count: int


class ListedDataset(TypedDict):
    """
    The part of a listed data set that every analyst of the installation sees.
    """

    id: str
    name: str
    owner_name: str | None
    unit: str
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int | None
    records_per_unit: int
    relation: Literal["replace_one", "add_remove"]
    accountant: Literal["basic", "zcdp"]
    created_at: str


class ListedDatasetPage(TypedDict):
    items: list[ListedDataset]
    next_cursor: str | None


class MarginsCreate(TypedDict):
    """
    Wanted tables of a cross table, and an amount, or the wanted half widths of their intervals.

    Give `epsilon` if the budget's accountant is `basic`, and `rho` if it is `zcdp`.
    """

    kind: Literal["margins"]
    once: NotRequired[bool]
    margins: NotRequired[list[list[str]] | None]
    all: NotRequired[int | None]
    weights: NotRequired[list[float] | None]
    epsilon: NotRequired[str | None]
    rho: NotRequired[str | None]
    half_widths: NotRequired[list[float] | None]
    confidence: NotRequired[float]
    delta: NotRequired[str]
    noise: NotRequired[Literal["independent", "blocks"]]
    delta_to_spend: NotRequired[str | None]
    max_charge: NotRequired[MaxCharge | None]


class MechanismDescription(TypedDict):
    """
    A mechanism, its name on pages, what it does, and the parameters of its request.
    """

    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    name: str
    description: str
    relations: list[Literal["replace_one", "add_remove"]]
    parameters: list[MechanismParameter]


class Mechanisms(TypedDict):
    """
    All mechanisms, the recommended one first.
    """

    items: list[MechanismDescription]


class NamedCount(TypedDict):
    """
    The number of records in one category.
    """

    cell: list[str] | dict[str, list[str]]
    count: int


class PlanOption(TypedDict):
    """
    One mechanism at one charge. Under `basic` its δ is at most the requested one.
    """

    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    calibration: str | None
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal | None
    unavailable_reason: str | None
    certified: Loss | None
    odds: float | None
    statement: str | None
    intervals: list[ExpectedInterval]
    intervals_unavailable_reason: str | None
    error: HellingerError | None


class PosteriorPicture(TypedDict):
    """
    A picture of shares: each category, or the cells of a cross table in groups.
    """

    by: NotRequired[list[str]]
    of: NotRequired[Cells | None]
    width: NotRequired[int]


class Principal(TypedDict):
    id: str
    role: Literal["admin", "owner", "analyst"]
    name: str | None
    created_at: str
    revoked_at: str | None
    frozen_until: str | None
    enrolment: EnrolmentToken | None


class PrincipalCreate(TypedDict):
    role: Literal["admin", "owner", "analyst"]
    name: str


class PrincipalPage(TypedDict):
    items: list[Principal]
    next_cursor: str | None


class PriorMatters(TypedDict):
    """
    What another prior gives for a figure.

    It is stated if the median moves by more than a quarter of the narrower interval, on the logarithmic scale for
    ratios. It is also stated if the ratio has practically no ends under the other prior, or if one interval of a share
    or difference is more than twice as wide as the other.
    """

    prior: UsedEachPrior
    median: float
    low: float
    high: float | None
    note: str


class Protection(TypedDict):
    """
    What ε protects under a neighbour relation.
    """

    relation: Literal["replace_one", "add_remove"]
    statement: str


class PublishedTotal(TypedDict):
    """
    The number of records of the table as it was published, with noise of its own.
    """

    value: float
    noise: TableNoise
    printed: NotRequired[TablePrinted | None]


class QueryEstimate(TypedDict):
    """
    The best linear unbiased estimate of the true answer, and its error.
    """

    estimate: float
    standard_deviation: float
    interval: QueryInterval
    probability: float | None
    used: list[UsedRelease]
    with_constraints: NotRequired[SecondInterval | None]


class QuotaReport(TypedDict):
    """
    Your stored objects, and this installation's limits for them.
    """

    budgets: QuotaUsage
    datasets: QuotaUsage
    grants: QuotaUsage
    keys: QuotaUsage
    jobs: QuotaUsage
    access_requests: QuotaUsage
    bytes_per_budget: int
    bytes_per_grant: int


class ReachedTarget(TypedDict):
    """
    The smallest charge, to 1 %, at which a mechanism reaches all targets; null if there is none, or no search.
    """

    epsilon: str | None
    rho: str | None
    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    calibration: str | None
    option: PlanOption | None
    reason: str | None


class Receipt(TypedDict):
    """
    An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`.
    """

    body: ReceiptContent
    key_id: str
    signature: str


class Recommendation(TypedDict):
    """
    A mechanism, and the reason for it.
    """

    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    reason: str


class ReleaseSignature(TypedDict):
    """
    An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`.
    """

    body: ReleaseSignatureContent
    key_id: str
    signature: str


class ReleaseSummary(TypedDict):
    """
    A release in a list. `state` is `paid` while it is drawn, `failed` if it could not be drawn, and `lost` if a
    restored backup lacks it.
    """

    kind: str | None
    id: str
    dataset_id: str
    principal_id: str | None
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    public: bool
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal | MarginsMechanism | None
    charged: Amount
    created_at: str


class ReleaseSummaryPage(TypedDict):
    items: list[ReleaseSummary]
    next_cursor: str | None


class ReleasedPosterior(TypedDict):
    """
    The released Dirichlet posterior, a Beta posterior at two categories.
    """

    concentration: list[float]
    noisy_counts: list[int]
    released_counts: list[int]
    categories: list[CategoryPosterior]


class Share(TypedDict):
    """
    The share of the records in the cells `of`, among all records or among those in the cells `within`.
    """

    of: Cells
    within: NotRequired[Cells | None]


class ShareQuestion(TypedDict):
    """
    A question about the share of a set of cells.
    """

    of: Cells
    within: NotRequired[Cells | None]
    kind: Literal["share"]
    above: NotRequired[float | None]
    between: NotRequired[AnswerRange | None]
    about: NotRequired[Literal["population", "records"]]


class SmallerTable(TypedDict):
    """
    A table that answers all questions of the plan with less noise. Nothing within a merged set can be asked
    afterwards.
    """

    attributes: list[str] | None
    merged: list[list[str]]
    category_count: int
    whole: PlanOption
    same_charge: PlanOption
    same_width: PlanOption


class Statement(TypedDict):
    """
    A report for the owner of a data set, and for those who hold the owner accountable.
    """

    created_at: str
    summary: list[str]
    responsibilities: list[Responsibility]
    assessment: list[str]
    dataset: Dataset
    deleted_at: str | None
    budget_id: str
    guarantee_limit: Guarantee
    guarantee_to_date: Guarantee
    datasets_on_budget: int
    budget_total: Amount
    budget_spent: Amount
    budget_remaining: Amount
    charged_to_dataset: Amount
    counts_replaceable: bool
    written_off: Amount
    spenders: list[Spender]
    recoveries: list[StatedRecovery]
    earlier_recoveries: int
    ledger_sequence: int
    ledger_hash: str
    releases: StatedReleasePage


class Suggestion(TypedDict):
    """
    The least of the plan's charges that is enough, and the mechanism to take there.

    The intervals contain the guess in at least `level` less 5 points of releases. They decide in at least nine tenths
    of what exact counts would decide, if these decide in at least half; otherwise they are at most 1.5 times as wide.
    """

    epsilon: str | None
    rho: str | None
    kind: Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"] | None
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal | None
    reason: str


class TableCell(TypedDict):
    """
    One published cell: its value, or null if it is suppressed, or an interval.
    """

    label: NotRequired[str | None]
    levels: NotRequired[dict[str, str] | None]
    value: NotRequired[float | None]
    between: NotRequired[list[float | None] | None]
    noise: NotRequired[TableNoise | None]


class TableTotal(TypedDict):
    """
    What is known about the number of records: exactly (`known`), a bound (`at_most`), a noisy
    figure (`published`), or a bound and a noisy figure.
    """

    known: NotRequired[int | None]
    at_most: NotRequired[int | None]
    published: NotRequired[PublishedTotal | None]


class Target(TypedDict):
    """
    The mechanisms at the smallest charge that reaches `target_width`, `target_power` and `target_error`.
    """

    unreachable_reason: str | None
    reached: list[ReachedTarget]
    recommended: Recommendation | None


class TrialQuestion(TypedDict):
    """
    A trial: the risk of an outcome in a first group, such as the vaccinated, and in a second one.
    """

    outcome: Cells
    first: Cells
    second: Cells
    about: NotRequired[Literal["population", "records"]]
    effect: NotRequired[Effect | None]


class CategoryShare(TypedDict):
    label: str
    mean: float
    standard_deviation: float
    interval: Interval
    quantiles: list[Quantile]
    density: DensityCurve | None
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    count: CountFigures | None
    prior_matters: PriorMatters | None


class CertificateCreate(TypedDict):
    """
    Public parameters of a release. No data set is named or read.
    """

    record_count: int | None
    prior: list[float]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    records_per_unit: NotRequired[int]


class ContrastQuestion(TypedDict):
    """
    A question about a contrast of two shares: first minus second, first over second, or the ratio of their odds.
    """

    kind: Literal["difference", "ratio", "odds_ratio"]
    first: Share
    second: Share
    above: NotRequired[float | None]
    between: NotRequired[AnswerRange | None]
    about: NotRequired[Literal["population", "records"]]


class CountsCreate(TypedDict):
    kind: Literal["counts"]
    once: NotRequired[bool]
    prior: NotRequired[list[float]]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    merged: NotRequired[list[list[str]] | None]
    max_charge: NotRequired[MaxCharge | None]
    level: NotRequired[float]


class CountsQuote(TypedDict):
    """
    The cost of a posterior, and whether it would be granted now.
    """

    would_charge: Amount
    granted: bool
    blocked_by: str | None
    largest_possible_charge: Amount
    paid_under_key: ReleaseSummary | None
    already_released: list[ReleaseSummary]
    kind: Literal["counts"]
    certified: Loss
    certificate: Certificate
    expected_accuracy: ExpectedAccuracy | None


class CountsRelease(TypedDict):
    """
    A released posterior.
    """

    id: str
    dataset_id: str
    budget_id: str
    principal_id: str
    state: Literal["complete"]
    record_count: int | None
    category_count: int
    records_per_unit: int
    charged: Amount
    remaining_after: Amount
    created_at: str
    receipt: Receipt
    kind: Literal["counts"]
    labels: list[str]
    attributes: NotRequired[list[Attribute] | None]
    event: CalibratedEvent
    prior: list[float]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    requested: dict[str, str]
    certified: Loss
    certificate: Certificate
    posterior: ReleasedPosterior


class DatasetChange(TypedDict):
    """
    Fields to change. Fields that are left out stay as they are.
    """

    name: NotRequired[str]
    counts: NotRequired[list[int]]
    named_counts: NotRequired[list[NamedCount]]
    labels: NotRequired[list[str]]
    attributes: NotRequired[list[Attribute]]
    impossible: NotRequired[list[dict[str, list[str]]]]
    history_shared: NotRequired[bool]
    listed: NotRequired[bool]


class DatasetCreate(TypedDict):
    """
    A histogram to register. The API never returns its counts.
    """

    name: str
    labels: NotRequired[list[str] | None]
    attributes: NotRequired[list[Attribute] | None]
    impossible: NotRequired[list[dict[str, list[str]]]]
    counts: NotRequired[list[int] | None]
    named_counts: NotRequired[list[NamedCount] | None]
    unit: str
    one_record_per_unit: NotRequired[Literal[True] | None]
    records_per_unit: NotRequired[int | None]
    n_is_public: bool
    relation: NotRequired[Literal["replace_one", "add_remove"]]
    budget: ExistingBudget | NewBudget


class Efficacy(TypedDict):
    """
    1 − x / y for the risks x and y of the first and second group: for a vaccine, its efficacy.
    """

    mean: float | None
    median: float
    standard_deviation: float | None
    interval: Interval
    prior_matters: PriorMatters | None


class Estimates(TypedDict):
    """
    Estimates from the releases that you may read.
    """

    answers: list[QueryEstimate | None] | None
    covariance: list[list[float]] | None
    tables: list[MarginTable] | None
    constrained: list[ConstrainedTable] | None
    used: list[str]
    excluded_releases: list[ExcludedRelease]


class FurtherTable(TypedDict):
    """
    A further observation of the same counts, with noise of its own. Cells that are left out carry no information.
    """

    cells: list[TableCell]
    noise: TableNoise
    printed: NotRequired[TablePrinted | None]


class LogOddsRatio(TypedDict):
    """
    The natural logarithm of the odds ratio, for a meta-analysis. Its mean and deviation always exist.
    """

    mean: float
    median: float
    standard_deviation: float
    standard_error: float
    interval: Interval
    prior_matters: PriorMatters | None


class MarginsQuote(TypedDict):
    """
    The cost of margins, the margins that would be measured, and the precision of the tables.
    """

    would_charge: Amount
    granted: bool
    blocked_by: str | None
    largest_possible_charge: Amount
    paid_under_key: ReleaseSummary | None
    already_released: list[ReleaseSummary]
    kind: Literal["margins"]
    measured: list[PlannedMargin]
    tables: list[PlannedTable]
    full_release: FullRelease
    certified: Loss
    certificate: Certificate


class MarginsRelease(TypedDict):
    """
    A release of margins, and the tables that are combined from them.
    """

    id: str
    dataset_id: str
    budget_id: str
    principal_id: str
    state: Literal["complete"]
    record_count: int | None
    category_count: int
    records_per_unit: int
    charged: Amount
    remaining_after: Amount
    created_at: str
    receipt: Receipt
    kind: Literal["margins"]
    attributes: list[Attribute]
    event: CalibratedEvent
    mechanism: MarginsMechanism
    requested: dict[str, str]
    certified: Loss
    certificate: Certificate
    measured: list[MeasuredMargin]
    tables: list[MarginTable]


class Me(TypedDict):
    """
    The principal and the key of the request.
    """

    principal: Principal
    key: ApiKey
    confirmed_until: str | None


class NumberNeeded(TypedDict):
    """
    The number needed to treat, 1 / |d|, where d is the difference of the risks, first minus second.

    Among this number of people, one fewer has the outcome in the first group than in the second (NNTB, if the outcome
    is a harm), or one more (NNTH).
    """

    level: float
    estimate: float
    direction: Literal["fewer", "more"]
    low: float
    high: float
    prior_matters: PriorMatters | None


class PaidQuery(TypedDict):
    """
    A query as it was asked.
    """

    of: NotRequired[Cells | None]
    weights: NotRequired[list[float | str] | dict[str, float | str] | None]
    labels: NotRequired[list[str] | None]
    where: NotRequired[dict[str, list[str]] | None]
    half_width: float | None
    confidence: float
    between: AnswerRange | None


class PlanPoint(TypedDict):
    """
    All planned mechanisms at one charge. A mechanism appears once for each of its calibrations.
    """

    epsilon: str | None
    rho: str | None
    options: list[PlanOption]
    recommended: Recommendation | None
    at_public_size: NotRequired[PlanOption | None]


class PublicRelease(TypedDict):
    """
    A public release of any kind, signed by the service when it was first made public. It has the members of its
    kind. A text of version 0.1.0 or 0.2.0 has no `kind`.
    """

    kind: NotRequired[str | None]
    id: str
    dataset_id: str
    budget_id: str
    state: Literal["complete"]
    labels: NotRequired[list[str] | None]
    attributes: NotRequired[list[Attribute] | None]
    record_count: int | None
    category_count: int
    records_per_unit: int
    event: CalibratedEvent
    prior: NotRequired[list[float] | None]
    mechanism: SimplexGeometric | Geometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal | MarginsMechanism
    requested: dict[str, str]
    certified: Loss
    charged: Amount
    certificate: Certificate
    posterior: NotRequired[ReleasedPosterior | None]
    measured: NotRequired[list[MeasuredMargin] | None]
    tables: NotRequired[list[MarginTable] | None]
    created_at: str
    signature: ReleaseSignature


class QueriesQuote(TypedDict):
    """
    The cost of queries, and whether they would be granted now.

    The actual charge can be higher if the rows measured on the data set distinguish more than a thousand groups of
    cells.
    """

    would_charge: Amount
    granted: bool
    blocked_by: str | None
    largest_possible_charge: Amount
    paid_under_key: ReleaseSummary | None
    already_released: list[ReleaseSummary]
    kind: Literal["queries"]
    standalone_cost: Amount
    joint_cost: Amount
    achievable_half_widths: list[float | None]


class Query(TypedDict):
    """
    The number of records in some cells, or a weighted sum of the counts with a weight for each category.
    """

    of: NotRequired[Cells | None]
    weights: NotRequired[list[float | str] | dict[str, float | str] | None]
    half_width: NotRequired[float | None]
    confidence: NotRequired[float]
    between: NotRequired[AnswerRange | None]


class QueryCreate(TypedDict):
    kind: Literal["queries"]
    once: NotRequired[bool]
    queries: list[Query]
    max_charge: NotRequired[MaxCharge | None]
    constraints: NotRequired[bool | None]


class QueryRelease(TypedDict):
    """
    Answers to queries, the rows measured for them, and the charge.
    """

    id: str
    dataset_id: str
    budget_id: str
    principal_id: str
    state: Literal["complete"]
    record_count: int | None
    category_count: int
    records_per_unit: int
    charged: Amount
    remaining_after: Amount
    created_at: str
    receipt: Receipt
    kind: Literal["queries"]
    queries: list[PaidQuery]
    answers: list[QueryEstimate]
    covariance: list[list[float]]
    measured: list[MeasuredRow]
    standalone_cost: Amount
    event: CalibratedEvent | None
    certificate: Certificate | None


Quote: TypeAlias = CountsQuote | MarginsQuote | QueriesQuote


Release: TypeAlias = CountsRelease | MarginsRelease | QueryRelease


ReleaseCreate: TypeAlias = CountsCreate | MarginsCreate | QueryCreate


class StratifiedQuestion(TypedDict):
    """
    A question that is answered in each stratum: in each combination of levels of some attributes.
    """

    attributes: list[str]
    standard: NotRequired[dict[str, float] | None]
    question: ShareQuestion | ContrastQuestion


class TableSource(TypedDict):
    """
    A noisy table that somebody published. The cells must have been published independently of each other.
    """

    kind: Literal["table"]
    cells: list[TableCell]
    attributes: NotRequired[list[Attribute] | None]
    impossible: NotRequired[list[dict[str, list[str]]]]
    noise: TableNoise
    printed: NotRequired[TablePrinted | None]
    further: NotRequired[list[FurtherTable]]
    total: NotRequired[TableTotal | None]
    no_totals: NotRequired[bool]
    adjusted: NotRequired[bool]


class AnsweredDistribution(TypedDict):
    """
    The posterior distribution of a share, or of a contrast of two shares.
    """

    mean: float | None
    median: float
    standard_deviation: float | None
    interval: Interval
    quantiles: list[Quantile]
    density: DensityCurve | None
    above: ProbabilityAbove | None
    between: EstimatedProbability | None
    undefined: float | None
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    prior_matters: PriorMatters | None
    question: ShareQuestion | ContrastQuestion | None


class DrawsRequest(TypedDict):
    """
    Joint draws of the shares of all categories. The same seed gives the same draws.
    """

    size: int
    seed: NotRequired[int]
    question: NotRequired[ShareQuestion | ContrastQuestion | None]


class EstimatesCreate(TypedDict):
    """
    What is estimated: the answers of queries, or the wanted tables of a cross table.
    """

    margins: NotRequired[list[list[str]] | None]
    all: NotRequired[int | None]
    queries: NotRequired[list[Query] | None]
    confidence: NotRequired[float]
    constraints: NotRequired[bool]


class ExactInterval(TypedDict):
    """
    A question, its value at the guess, and the intervals that exact counts would give.
    """

    width: float
    upper_over_lower: float | None
    low: float
    high: float
    contains: float
    decides: float | None
    runs: int
    name: str
    question: ShareQuestion | ContrastQuestion
    stratum: str | None
    guess: float


class Plan(TypedDict):
    """
    What each mechanism achieves at each charge, at a guess of the counts.
    """

    level: float
    accountant: Literal["basic", "zcdp"]
    without_noise: list[ExactInterval]
    strata_without_answer: list[StratumWithoutAnswer]
    points: list[PlanPoint]
    suggested: Suggestion
    not_planned: list[NotPlanned]
    smaller_tables: list[SmallerTable]
    target: Target | None
    protects: list[Protection]
    note: str


class PlanCreate(TypedDict):
    """
    A guess of the counts, charges, and the questions whose intervals matter to you.
    """

    prior: NotRequired[list[float] | None]
    data: HypotheticalCounts | ReferenceShape
    counts: NotRequired[Literal["drawn", "exact"]]
    accountant: NotRequired[Literal["basic", "zcdp"]]
    epsilons: NotRequired[list[str] | None]
    rhos: NotRequired[list[str] | None]
    delta: NotRequired[str]
    mechanisms: NotRequired[list[Literal["simplex_geometric", "geometric", "laplace", "gaussian", "exponential", "exponential_published", "exponential_global"]] | None]
    level: NotRequired[float]
    labels: NotRequired[list[str] | None]
    attributes: NotRequired[list[Attribute] | None]
    impossible: NotRequired[list[dict[str, list[str]]]]
    merged: NotRequired[list[list[str]] | None]
    questions: NotRequired[list[ShareQuestion | ContrastQuestion]]
    by: NotRequired[StratifiedQuestion | None]
    trial: NotRequired[TrialQuestion | None]
    above: NotRequired[float | None]
    records_per_unit: NotRequired[int]
    relation: NotRequired[Literal["replace_one", "add_remove"]]
    errors: NotRequired[bool]
    smaller_tables: NotRequired[bool]
    target_width: NotRequired[float | None]
    target_power: NotRequired[float | None]
    target_of: NotRequired[Literal["first_risk", "second_risk", "difference", "ratio", "odds_ratio"] | None]
    target_error: NotRequired[float | None]


class Stratum(TypedDict):
    label: str
    levels: dict[str, str]
    answer: AnsweredDistribution | None
    unavailable_reason: str | None
    without_records: EstimatedProbability


class TrialFigures(TypedDict):
    """
    The posterior of a trial: both risks, their contrasts, and the figures made from these.
    """

    first: AnsweredDistribution
    second: AnsweredDistribution
    difference: AnsweredDistribution
    ratio: AnsweredDistribution
    odds_ratio: AnsweredDistribution
    efficacy: Efficacy
    number_needed: NumberNeeded | None
    log_odds_ratio: LogOddsRatio | None
    effect: ProbableEffect | None
    question: TrialQuestion | None


class AdjustedContrast(TypedDict):
    """
    A contrast of two groups, adjusted for the strata that have an answer.

    In stratum k, a and b are the posterior shares, of all records, of the first group with and without the outcome; c
    and d are those of the second group; T = a + b + c + d. Both contrasts come from joint draws of all shares, whose
    number and error they state. Ratios have no mean.
    """

    mantel_haenszel: AnsweredDistribution
    standardised: AnsweredDistribution


class AnsweredStrata(TypedDict):
    """
    The answers of all strata, with the answer for all records together and, for two groups, adjusted contrasts.
    """

    question: StratifiedQuestion
    overall: AnsweredDistribution
    strata: list[Stratum]
    adjusted: AdjustedContrast | None
    adjusted_unavailable_reason: str | None


class ComparedShare(TypedDict):
    """
    A share, and the sources from which its posterior is computed.
    """

    of: Cells
    within: NotRequired[Cells | None]
    sources: list[ReleaseSource | TableSource]
    prior: NotRequired[EachPrior | list[float] | None]
    known: NotRequired[list[KnownTotal]]


class Comparison(TypedDict):
    """
    The probability that the first share is greater than the second.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    equal: float | None
    undefined: float | None
    first_mean: float
    second_mean: float
    contrast: AnsweredDistribution | None
    trial: TrialFigures | None
    rows: list[FigureRow]
    notes: list[str]
    people: Literal["same", "may_overlap", "different"]
    warnings: list[str]


class ComparisonCreate(TypedDict):
    """
    Compares two shares: is the first greater than the second?

    Releases of one data set are pooled, since they describe the same people. Releases of different data sets, and noisy
    tables, are assumed to describe different people.
    """

    first: ComparedShare
    second: ComparedShare
    contrast: NotRequired[Literal["difference", "ratio", "odds_ratio"] | None]
    above: NotRequired[float | None]
    about: NotRequired[Literal["population", "records"]]
    level: NotRequired[float]
    quantiles: NotRequired[list[float]]
    trial: NotRequired[bool]
    effect: NotRequired[Effect | None]


class NoiseAwarePosterior(TypedDict):
    """
    p(θ | sources): the posterior of the shares θ given the noisy counts, which accounts for the distribution of the
    noise. The likelihoods of several releases are multiplied, under one prior.
    """

    kind: Literal["noise_aware"]
    release_ids: list[str]
    prior: UsedEachPrior | list[float]
    prior_of_categories: UsedEachPrior | None
    error: float
    method: Literal["exact", "simulation"]
    effective_draws: float | None
    total: SizeFigures | None
    categories: list[CategoryShare]
    answers: list[AnsweredDistribution]
    by: AnsweredStrata | None
    trial: TrialFigures | None
    rows: list[FigureRow]
    notes: list[str]
    draws: list[list[float]] | None
    draws_of: DrawsRequest | None
    divided_by: list[str]
    point: PointPosterior | None
    known: list[KnownTotal]
    warnings: list[str]
    picture: str | None


Posterior: TypeAlias = NoiseAwarePosterior | NoiseAwareUnavailable


class PosteriorCreate(TypedDict):
    level: NotRequired[float]
    quantiles: NotRequired[list[float]]
    questions: NotRequired[list[ShareQuestion | ContrastQuestion]]
    by: NotRequired[StratifiedQuestion | None]
    trial: NotRequired[TrialQuestion | None]
    density_points: NotRequired[int]
    draws: NotRequired[DrawsRequest | None]
    sources: list[ReleaseSource | TableSource]
    prior: NotRequired[EachPrior | list[float] | None]
    known: NotRequired[list[KnownTotal]]
    point: NotRequired[bool]
    at_most: NotRequired[int | None]
    picture: NotRequired[PosteriorPicture | None]
