"""Types of the requests and answers of the service; `make openapi` generates them from docs/openapi.json."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Above(TypedDict):
    """
    The share of a category, or of a set of cells, is above a threshold.
    """

    kind: Literal["above"]
    category: int | list[str] | dict[str, list[str]]
    threshold: float


class AccessRequestCreate(TypedDict):
    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: str | float
    purpose: str


class AccuracyAtCount(TypedDict):
    """
    The interval of a category that holds `count` made-up records, while the others share the rest evenly.
    """

    count: int
    interval_width: float
    standard_error: float
    interval_width_without_noise: float
    width_ratio: float | None


class AnswerRange(TypedDict):
    """
    The range whose probability you want. A bound that is left out does not limit it.
    """

    low: NotRequired[float | None]
    high: NotRequired[float | None]


class Approval(TypedDict):
    """
    Gives the analyst a grant of what they asked for, but for what is set here.
    """

    state: Literal["approved"]
    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: NotRequired[str | float | None]
    expires_at: NotRequired[str | None]


class Attribute(TypedDict):
    """
    A property of each record, and the levels that it can have.
    """

    name: str
    levels: list[str]


class BasicAmount(TypedDict):
    """
    An amount of a budget that adds up ε and δ.
    """

    accountant: Literal["basic"]
    epsilon: str
    delta: str


class BasicBudgetCreate(TypedDict):
    """
    ε and δ of the releases add up.
    """

    accountant: Literal["basic"]
    name: str
    epsilon: str | float
    delta: str | float


class Between(TypedDict):
    """
    The share of a category, or of a set of cells, lies between two values.
    """

    kind: Literal["between"]
    category: int | list[str] | dict[str, list[str]]
    low: float
    high: float


class Cap(TypedDict):
    """
    The most that one release may be charged.
    """

    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: str | float


class ChangedDataset(TypedDict):
    id: str
    name: str
    budget_id: str
    accountant: Literal["basic", "zcdp"]
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int
    unit: str
    one_record_per_unit: bool
    records_per_unit: int
    n_is_public: bool
    relation: Literal["replace_one"]
    commitment: str
    history_shared: bool
    listed: bool
    created_at: str
    nonce: str | None


class Composition(TypedDict):
    """
    A report. The budget is charged the sum, which holds when analysts choose as they go; the other figure does
    not.
    """

    releases: int
    charged_epsilon: str
    charged_delta: str
    delta: str
    epsilon_nonadaptive: str | None


class CredibleInterval(TypedDict):
    """
    A noise-aware interval with as much posterior probability below it as above. It accounts for the noise and
    contains the truth as often as its level says.
    """

    level: float
    low: float
    high: float


class Dataset(TypedDict):
    """
    What is public about a data set.
    """

    id: str
    name: str
    budget_id: str
    accountant: Literal["basic", "zcdp"]
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int
    unit: str
    one_record_per_unit: bool
    records_per_unit: int
    n_is_public: bool
    relation: Literal["replace_one"]
    commitment: str
    history_shared: bool
    listed: bool
    created_at: str


class DatasetPage(TypedDict):
    items: list[Dataset]
    next_cursor: str | None


class DensityCurve(TypedDict):
    share: list[float]
    density: list[float]


class DrawsRequest(TypedDict):
    """
    Joint draws of all shares; the same seed gives the same draws.
    """

    size: int
    seed: NotRequired[int]


class EarlierKey(TypedDict):
    """
    A key that receipts and ledger heads were signed with before.
    """

    key_id: str
    public_key: str
    retired_at: str


class EnrolledKey(TypedDict):
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
    key: str
    recovery_code: str
    frozen_until: str | None


class EnrolmentCreate(TypedDict):
    token: str
    expires_at: NotRequired[str | None]


class EnrolmentToken(TypedDict):
    """
    What an admin hands to the person, who exchanges it once with `POST /v1/enrolments`.
    """

    id: str
    principal_id: str
    token: str
    expires_at: str
    recovers: bool


class ErrorExceedance(TypedDict):
    """
    The probability of an error of `distance` or more.
    """

    distance: float
    probability: float


class ErrorQuantile(TypedDict):
    """
    The distance that the error stays within with probability `level`.
    """

    level: float
    distance: float


class ExcludedRelease(TypedDict):
    """
    A release that no estimate can be made from.
    """

    release_id: str
    reason: str


class ExistingBudget(TypedDict):
    kind: Literal["existing"]
    id: str


class ExpectedAccuracy(TypedDict):
    """
    How accurate a release is expected to be, at made-up counts of the data set's public size. The counts of the data
    set are not read. The category has the smallest prior.
    """

    level: float
    at_counts: list[AccuracyAtCount]
    prior_interval_width: float
    expected_hellinger_error: float | None
    summary: str
    warning: str | None


class Exponential(TypedDict):
    """
    The exponential mechanism scored by Hellinger distance and calibrated to smooth sensitivity, at the largest rate
    that is proven for `epsilon`.

    `proven` calibrates by theorem, at any size, and needs no delta. `certified` evaluates the whole channel exactly,
    where it is small enough, which allows a larger rate; its first use for a size can take a while, see
    `/v1/certificates`.
    """

    kind: Literal["exponential"]
    calibration: Literal["certified", "proven"]
    epsilon: str | float
    delta: NotRequired[str | float]


class ExponentialGlobal(TypedDict):
    """
    The exponential mechanism scored by Hellinger distance with the global sensitivity. Pure ε-DP, and usually
    much noisier.
    """

    kind: Literal["exponential_global"]
    epsilon: str | float
    delta: NotRequired[str | float]


class ExponentialPublished(TypedDict):
    """
    The papers' exponential mechanism, scored by Hellinger distance and calibrated to smooth sensitivity as printed.

    The papers claim (nominal_epsilon, delta); what is charged is what is proven, which can be more. Guard it with
    `max_charge`.
    """

    kind: Literal["exponential_published"]
    nominal_epsilon: str | float
    delta: str | float


class FieldError(TypedDict):
    """
    A place in the request and the rule that it breaks. What was sent is not repeated.
    """

    location: str
    rule: str


class Gaussian(TypedDict):
    """
    Discrete Gaussian noise; ρ-zCDP. `delta` says at which δ its ε is stated, which is what a `basic` budget is
    charged.
    """

    kind: Literal["gaussian"]
    rho: str | float
    delta: str | float


class GrantChange(TypedDict):
    """
    What to change; what is left out stays.
    """

    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: NotRequired[str | float | None]
    closed: NotRequired[bool | None]
    expires_at: NotRequired[str | None]


class GrantCreate(TypedDict):
    principal_id: str
    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: str | float
    expires_at: NotRequired[str | None]


class Greater(TypedDict):
    """
    The share of one category, or set of cells, is greater than that of another.
    """

    kind: Literal["greater"]
    category: int | list[str] | dict[str, list[str]]
    than: int | list[str] | dict[str, list[str]]


class Guarantee(TypedDict):
    """
    (epsilon, delta)-differential privacy.
    """

    epsilon: str
    delta: str


class HeadBody(TypedDict):
    kind: str
    budget_id: str
    sequence: int
    chain_hash: str
    at: int


class Health(TypedDict):
    status: NotRequired[Literal["ok"]]
    version: str


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


class HypotheticalCounts(TypedDict):
    """
    Counts that you make up. They are your guess, so nothing about them is private.
    """

    kind: Literal["counts"]
    counts: list[int]


class Interval(TypedDict):
    """
    A central interval that ignores the noise. It is too narrow: it contains the truth less often than its level
    says.
    """

    level: float
    low: float
    high: float


class IntervalWidth(TypedDict):
    """
    The expected width of the noise-aware interval of a share, and what the exact counts would give.
    """

    share: int | list[str] | dict[str, list[str]]
    expected: float
    standard_error: float
    without_noise: float


class Job(TypedDict):
    """
    A computation that took longer than somebody waits. It runs again, in turn, with a limit of ten minutes. The same
    request, sent again, finds it too.
    """

    id: str
    kind: Literal["posterior", "pooled_posterior", "comparison", "picture", "plan", "curves", "rehearsal", "query_quote", "query_order"]
    state: Literal["pending", "ready", "failed"]
    result: str
    created_at: str
    finished_at: str | None
    expires_at: str


class Key(TypedDict):
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


class KeyCreate(TypedDict):
    kind: NotRequired[Literal["key", "session"]]
    expires_at: NotRequired[str | None]


class KeyPage(TypedDict):
    items: list[Key]
    next_cursor: str | None


class Laplace(TypedDict):
    """
    The papers' Laplace mechanism: floored noise of scale 2/ε on all counts but the last, cut back to sum to n.
    """

    kind: Literal["laplace"]
    epsilon: str | float


class ListedDataset(TypedDict):
    """
    What every analyst of the installation sees of a data set that its owner listed.
    """

    id: str
    name: str
    unit: str
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int | None
    records_per_unit: int
    relation: Literal["replace_one"]
    accountant: Literal["basic", "zcdp"]
    created_at: str


class ListedDatasetPage(TypedDict):
    items: list[ListedDataset]
    next_cursor: str | None


class Loss(TypedDict):
    """
    What was proven: (epsilon, delta)-DP, and rho-zCDP where rho is given.
    """

    epsilon: str
    delta: str
    rho: str | None
    rho_delta: str


class MaxCharge(TypedDict):
    """
    The most that the release may be charged; what is left out is not limited.
    """

    epsilon: NotRequired[str | float | None]
    delta: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]


class MeasuredRow(TypedDict):
    """
    A row that was measured, and what was answered.
    """

    coefficients: list[int]
    denominator: int
    rate: str
    answer: float
    exact_answer: str


class NamedCount(TypedDict):
    """
    The records in one category.
    """

    cell: list[str] | dict[str, list[str]]
    count: int


class NewKey(TypedDict):
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


class NoiseAwareUnavailable(TypedDict):
    """
    No noise-aware posterior can be computed for this mechanism at this size. Only the release's own figures are
    available.
    """

    kind: Literal["unavailable"]
    release_id: str
    reason: str


class NoisyRow(TypedDict):
    """
    A row of weights, coefficients over the denominator, that was answered with Laplace noise of scale one over the
    rate.
    """

    coefficients: list[int]
    denominator: int
    rate: str


class PointPosterior(TypedDict):
    """
    The Bayes remap: the Dirichlet posterior on counts with the least expected Hellinger distance to the true
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
    How likely a value is above a threshold.
    """

    threshold: float
    probability: float


class ProblemDescription(TypedDict):
    """
    What a problem type means.
    """

    type: str
    status: int
    title: str
    charged: bool | None
    retry_safe: bool
    retryable: bool


class Quantile(TypedDict):
    probability: float
    value: float


class Query(TypedDict):
    """
    A weighted sum of the counts: by weights of categories, or the number of records in some categories.
    """

    weights: NotRequired[list[float | str] | dict[str, float | str] | None]
    labels: NotRequired[list[str] | None]
    where: NotRequired[dict[str, list[str]] | None]
    half_width: NotRequired[float | None]
    confidence: NotRequired[float]
    between: NotRequired[AnswerRange | None]


class QueryInterval(TypedDict):
    """
    Holds the true answer with the confidence that was asked for, where the query was fixed before its answers
    were seen.
    """

    low: float
    high: float
    half_width: float
    confidence: float


class QueryMaxCharge(TypedDict):
    """
    The most that answers may be charged, in what the budget counts.
    """

    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]


class QueryQuoteCreate(TypedDict):
    queries: list[Query]
    constraints: NotRequired[bool | None]


class QuotaUsage(TypedDict):
    """
    How many there are, and how many there may be.
    """

    used: int
    limit: int


class Readiness(TypedDict):
    """
    `notes` is what the operator has to see to, although the process can serve: what is so, and what to do.
    """

    status: NotRequired[Literal["ok"]]
    version: str
    notes: NotRequired[list[str]]


class ReceiptBody(TypedDict):
    """
    One charge as the ledger wrote it; `*_units` are whole units of 1e-9 (epsilon), 1e-18 (delta) and 1e-12 (rho).
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
    A reference histogram, for when you have no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the
    prior's mean.
    """

    kind: Literal["shape"]
    shape: Literal["even", "falling", "prior_mean"]
    record_count: int


class Refusal(TypedDict):
    state: Literal["declined"]
    reason: str


class RegisteredDataset(TypedDict):
    id: str
    name: str
    budget_id: str
    accountant: Literal["basic", "zcdp"]
    labels: list[str]
    attributes: list[Attribute] | None
    category_count: int
    record_count: int
    unit: str
    one_record_per_unit: bool
    records_per_unit: int
    n_is_public: bool
    relation: Literal["replace_one"]
    commitment: str
    history_shared: bool
    listed: bool
    created_at: str
    warnings: list[str]
    nonce: str | None


class ReleaseChange(TypedDict):
    public: bool


class ReleaseSignatureBody(TypedDict):
    kind: str
    release_id: str
    sha256: str


class SetOfCells(TypedDict):
    """
    The share of the records in some cells, of all records or of those in `given` alone. The cells are named by
    `labels`, or by `where` in a cross table.
    """

    labels: NotRequired[list[str] | None]
    where: NotRequired[dict[str, list[str]] | None]
    given: NotRequired[list[str] | dict[str, list[str]] | None]


class ShareOfRelease(TypedDict):
    release_id: str
    category: int | list[str] | dict[str, list[str]]
    given: NotRequired[list[str] | dict[str, list[str]] | None]
    prior: NotRequired[list[float] | None]


class ShareQuestion(TypedDict):
    """
    The share of a set of cells: of those in `given` who are in the set too.
    """

    labels: NotRequired[list[str] | None]
    where: NotRequired[dict[str, list[str]] | None]
    given: NotRequired[list[str] | dict[str, list[str]] | None]
    kind: Literal["share"]
    above: NotRequired[float | None]


class SignedHead(TypedDict):
    """
    The end of a ledger as the service vouches for it: keep it as a checkpoint. Ed25519 over the canonical JSON of
    `body`.
    """

    body: HeadBody
    key_id: str
    signature: str


class SigningKey(TypedDict):
    """
    The key that receipts and ledger heads are signed with, raw Ed25519 in unpadded base64url, and those of
    before.
    """

    key_id: str
    public_key: str
    earlier: list[EarlierKey]


class SimplexGeometric(TypedDict):
    """
    Geometric noise on the counts, conditioned on their sum. Pure ε-DP, the most accurate here, for any size.
    Recommended.
    """

    kind: Literal["simplex_geometric"]
    epsilon: str | float


class StatedRecovery(TypedDict):
    """
    That an admin recovered the access of the owner or of somebody who released, so that for a time two people may
    have held keys.
    """

    principal_id: str
    started_at: str
    frozen_until: str
    vetoed_at: str | None
    replaced_at: str | None


class TestedHypothesis(TypedDict):
    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    hypothesis: Above | Between | Greater


class TheoremCertificate(TypedDict):
    """
    A bound proven on paper, evaluated with outward rounding.
    """

    method: Literal["theorem"]
    statement: str
    relation: Literal["replace_one"]
    unit: str
    loss: Loss
    details: dict[str, str]


class UsedExponential(TypedDict):
    """
    The exponential mechanism scored by Hellinger distance and calibrated to smooth sensitivity, at the largest rate
    that is proven for `epsilon`.

    `proven` calibrates by theorem, at any size, and needs no delta. `certified` evaluates the whole channel exactly,
    where it is small enough, which allows a larger rate; its first use for a size can take a while, see
    `/v1/certificates`.
    """

    kind: Literal["exponential"]
    calibration: Literal["certified", "proven"]
    epsilon: str
    delta: NotRequired[str]


class UsedExponentialGlobal(TypedDict):
    """
    The exponential mechanism scored by Hellinger distance with the global sensitivity. Pure ε-DP, and usually
    much noisier.
    """

    kind: Literal["exponential_global"]
    epsilon: str
    delta: NotRequired[str]


class UsedExponentialPublished(TypedDict):
    """
    The papers' exponential mechanism, scored by Hellinger distance and calibrated to smooth sensitivity as printed.

    The papers claim (nominal_epsilon, delta); what is charged is what is proven, which can be more. Guard it with
    `max_charge`.
    """

    kind: Literal["exponential_published"]
    nominal_epsilon: str
    delta: str


class UsedGaussian(TypedDict):
    """
    Discrete Gaussian noise; ρ-zCDP. `delta` says at which δ its ε is stated, which is what a `basic` budget is
    charged.
    """

    kind: Literal["gaussian"]
    rho: str
    delta: str


class UsedLaplace(TypedDict):
    """
    The papers' Laplace mechanism: floored noise of scale 2/ε on all counts but the last, cut back to sum to n.
    """

    kind: Literal["laplace"]
    epsilon: str


class UsedRelease(TypedDict):
    """
    A release that an estimate is made from, with the weight of each of its noisy counts or answers.
    """

    release_id: str
    weights: list[float]


class UsedSimplexGeometric(TypedDict):
    """
    Geometric noise on the counts, conditioned on their sum. Pure ε-DP, the most accurate here, for any size.
    Recommended.
    """

    kind: Literal["simplex_geometric"]
    epsilon: str


class WithConstraints(TypedDict):
    """
    What the same answers say where counts are whole, not negative and sum to the number of records: the posterior
    under a uniform prior on all such counts. It holds the true answer with its confidence on average over that prior,
    not for every data set, and its mean is not unbiased.
    """

    mean: float | None
    standard_deviation: float | None
    interval: QueryInterval | None
    narrower: Literal["estimate", "with_constraints"] | None
    unavailable_reason: str | None


class Withdrawal(TypedDict):
    state: Literal["withdrawn"]


class WriteOffCreate(TypedDict):
    """
    An amount that may have been spent and is unknown after a restore; 0 states that nothing is missing.
    """

    epsilon: NotRequired[str | float | None]
    rho: NotRequired[str | float | None]
    delta: str | float
    reason: str


class ZcdpAmount(TypedDict):
    """
    An amount of a budget that adds up ρ, and beside it the δ of single releases.
    """

    accountant: Literal["zcdp"]
    rho: str
    delta: str


class ZcdpBudgetCreate(TypedDict):
    """
    ρ of the releases adds up; (epsilon, delta) is what the whole budget guarantees in the end.

    δ has two uses: `delta_conversion` fixes the largest ρ, and the rest of `delta` pays the δ of single releases.
    """

    accountant: Literal["zcdp"]
    name: str
    epsilon: str | float
    delta: str | float
    delta_conversion: NotRequired[str | float | None]


class AccessRequest(TypedDict):
    """
    An analyst's request for a grant on a listed data set.
    """

    id: str
    dataset_id: str
    principal_id: str
    name: str | None
    requested: BasicAmount | ZcdpAmount
    purpose: str | None
    state: Literal["open", "approved", "declined", "withdrawn", "ended"]
    reason: str | None
    grant_id: str | None
    created_at: str
    decided_at: str | None


class AccessRequestPage(TypedDict):
    items: list[AccessRequest]
    next_cursor: str | None


class AnsweredDistribution(TypedDict):
    """
    The posterior distribution of a share, or of a contrast of two shares.
    """

    mean: float | None
    standard_deviation: float | None
    interval: CredibleInterval
    quantiles: list[Quantile]
    density: DensityCurve | None
    above: ProbabilityAbove | None
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None


class AnsweredQueries(TypedDict):
    """
    Answers to queries in a list; `state` is `paid` while they are measured, `failed` where they could not be, and
    `lost` where a restored backup does not have them.
    """

    id: str
    dataset_id: str
    principal_id: str
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    charged: BasicAmount | ZcdpAmount
    created_at: str


class AnsweredQueriesPage(TypedDict):
    items: list[AnsweredQueries]
    next_cursor: str | None


class Budget(TypedDict):
    id: str
    name: str
    accountant: Literal["basic", "zcdp"]
    guarantee: Guarantee
    delta_conversion: str | None
    total: BasicAmount | ZcdpAmount
    spent: BasicAmount | ZcdpAmount
    remaining: BasicAmount | ZcdpAmount
    warnings: list[str]
    release_cap: BasicAmount | ZcdpAmount | None
    allowed_mechanisms: list[Literal["exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian", "linear"]] | None
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
    What to change; what is left out stays.
    """

    name: NotRequired[str | None]
    epsilon: NotRequired[str | float | None]
    delta: NotRequired[str | float | None]
    frozen: NotRequired[bool | None]
    release_cap: NotRequired[Cap | None]
    allowed_mechanisms: NotRequired[list[Literal["exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian", "linear"]] | None]
    low_budget_percent: NotRequired[int | None]


class BudgetPage(TypedDict):
    items: list[Budget]
    next_cursor: str | None


class CategoryPosterior(TypedDict):
    label: str
    mean: float
    standard_deviation: float
    naive_interval: Interval | None


class CategoryShare(TypedDict):
    label: str
    mean: float
    standard_deviation: float
    interval: CredibleInterval
    quantiles: list[Quantile]
    density: DensityCurve | None


class CertificateCreate(TypedDict):
    """
    Public parameters only: no data set is named or read.
    """

    record_count: int
    prior: list[float]
    mechanism: SimplexGeometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    records_per_unit: NotRequired[int]


class ChangedAccessRequest(TypedDict):
    id: str
    dataset_id: str
    principal_id: str
    name: str | None
    requested: BasicAmount | ZcdpAmount
    purpose: str | None
    state: Literal["open", "approved", "declined", "withdrawn", "ended"]
    reason: str | None
    grant_id: str | None
    created_at: str
    decided_at: str | None
    changed: bool


class Comparison(TypedDict):
    """
    The probability that the first share is greater than the second.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    first_mean: float
    second_mean: float
    contrast: AnsweredDistribution | None
    people: Literal["same", "may_overlap", "different"]


class ComparisonCreate(TypedDict):
    """
    Is the first share greater than the second?

    Two releases of one data set are pooled: they are about the same people. Releases of different data sets are taken
    to be about different people.
    """

    first: ShareOfRelease
    second: ShareOfRelease
    contrast: NotRequired[Literal["difference", "ratio", "odds_ratio"] | None]
    above: NotRequired[float | None]
    level: NotRequired[float]
    quantiles: NotRequired[list[float]]


class ContrastQuestion(TypedDict):
    """
    One share against another: first less second, first over second, or the ratio of their odds.
    """

    kind: Literal["difference", "ratio", "odds_ratio"]
    first: SetOfCells
    second: SetOfCells
    above: NotRequired[float | None]


class CurveCreate(TypedDict):
    prior: list[float]
    data: HypotheticalCounts | ReferenceShape
    delta: NotRequired[str | float]
    level: NotRequired[float]
    labels: NotRequired[list[str] | None]
    attributes: NotRequired[list[Attribute] | None]
    impossible: NotRequired[list[dict[str, list[str]]]]
    records_per_unit: NotRequired[int]
    epsilons: NotRequired[list[str | float]]
    shares: NotRequired[list[int | list[str] | dict[str, list[str]]]]


class CurvePoint(TypedDict):
    """
    A mechanism at one epsilon.
    """

    epsilon: str
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal
    certified: Loss
    odds: float
    widths: list[float]


class DatasetChange(TypedDict):
    """
    What to change; what is left out stays.
    """

    name: NotRequired[str | None]
    counts: NotRequired[list[int] | None]
    named_counts: NotRequired[list[NamedCount] | None]
    history_shared: NotRequired[bool | None]
    listed: NotRequired[bool | None]


class ExactChannelCertificate(TypedDict):
    """
    The largest privacy loss over all pairs of neighbouring data sets, computed from every probability of the
    mechanism as it runs.
    """

    method: Literal["exact_channel"]
    statement: str
    relation: Literal["replace_one"]
    unit: str
    loss: Loss
    details: dict[str, str]


class Grant(TypedDict):
    id: str
    dataset_id: str
    principal_id: str
    name: str | None
    cap: BasicAmount | ZcdpAmount
    spent: BasicAmount | ZcdpAmount
    remaining: BasicAmount | ZcdpAmount
    warnings: list[str]
    stored_bytes: int
    closed: bool
    expired: bool
    expires_at: str | None
    created_at: str


class GrantPage(TypedDict):
    items: list[Grant]
    next_cursor: str | None


class HistoryItem(TypedDict):
    """
    A release that queries can be answered from: noisy counts of categories, or measured rows.
    """

    release_id: str
    mechanism: str
    rows: int
    standard_deviation: float
    measured: list[NoisyRow] | None
    standalone_cost: BasicAmount | ZcdpAmount
    charged: BasicAmount | ZcdpAmount | None


class LedgerEntry(TypedDict):
    """
    One act on a budget. `hash` is SHA-256 over the entry and `previous_hash`.
    """

    budget_id: str
    sequence: int
    kind: Literal["budget_opened", "budget_changed", "budget_frozen", "budget_unfrozen", "query_charged", "release_charged", "receipt_reconciled", "written_off", "policy_changed", "grant_opened", "grant_changed", "grant_closed", "grant_reopened", "dataset_registered", "dataset_replaced", "dataset_deleted", "release_published", "release_withdrawn", "budget_renamed", "dataset_renamed", "history_shared", "history_unshared", "dataset_listed", "dataset_unlisted", "access_declined", "restore_noticed", "restore_ended"]
    amount: BasicAmount | ZcdpAmount
    principal_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: str
    previous_hash: str
    hash: str


class LedgerEntryPage(TypedDict):
    items: list[LedgerEntry]
    next_cursor: str | None


class MechanismCurve(TypedDict):
    """
    A mechanism at rising values of epsilon, without those at which it can't run.
    """

    kind: Literal["exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian"]
    points: list[CurvePoint]
    unavailable_reason: str | None


class NewBudget(TypedDict):
    kind: Literal["new"]
    budget: BasicBudgetCreate | ZcdpBudgetCreate


class NewPrincipal(TypedDict):
    id: str
    role: Literal["admin", "owner", "analyst"]
    name: str | None
    created_at: str
    revoked_at: str | None
    frozen_until: str | None
    enrolment: EnrolmentToken | None


class NextByEpsilon(TypedDict):
    """
    The largest ε of one more release by this mechanism; null where none is possible.
    """

    kind: Literal["simplex_geometric", "laplace", "exponential", "exponential_global"]
    allowed: bool
    largest_epsilon: str | None
    charge: BasicAmount | ZcdpAmount | None


class NextByRho(TypedDict):
    """
    The largest ρ of one more Gaussian release, stated at the largest δ that is left; null where none is possible.
    """

    kind: Literal["gaussian"]
    allowed: bool
    largest_rho: str | None
    delta: str | None
    charge: BasicAmount | ZcdpAmount | None


class PlanCreate(TypedDict):
    prior: list[float]
    data: HypotheticalCounts | ReferenceShape
    delta: NotRequired[str | float]
    level: NotRequired[float]
    labels: NotRequired[list[str] | None]
    attributes: NotRequired[list[Attribute] | None]
    impossible: NotRequired[list[dict[str, list[str]]]]
    records_per_unit: NotRequired[int]
    epsilon: str | float
    target_width: NotRequired[float | None]
    target_error: NotRequired[float | None]
    shares: NotRequired[list[int | list[str] | dict[str, list[str]]]]


class PlanOption(TypedDict):
    """
    One mechanism at the epsilon and delta asked for; `unavailable_reason` says why where it can't run there.
    """

    kind: Literal["exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian"]
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal | None
    certified: Loss | None
    statement: str | None
    widths: list[IntervalWidth]
    widths_level: float
    widths_rehearsals: int
    widths_unavailable_reason: str | None
    error: HellingerError | None
    smallest_epsilon: str | None
    unavailable_reason: str | None


class PooledRequest(TypedDict):
    """
    A posterior from several releases of one data set.
    """

    prior: NotRequired[list[float] | None]
    level: NotRequired[float]
    quantiles: NotRequired[list[float]]
    hypotheses: NotRequired[list[Above | Between | Greater]]
    events: NotRequired[list[ShareQuestion | ContrastQuestion]]
    density_points: NotRequired[int]
    draws: NotRequired[DrawsRequest | None]
    point: NotRequired[bool]
    release_ids: list[str]


class PosteriorRequest(TypedDict):
    prior: NotRequired[list[float] | None]
    level: NotRequired[float]
    quantiles: NotRequired[list[float]]
    hypotheses: NotRequired[list[Above | Between | Greater]]
    events: NotRequired[list[ShareQuestion | ContrastQuestion]]
    density_points: NotRequired[int]
    draws: NotRequired[DrawsRequest | None]
    point: NotRequired[bool]


class Principal(TypedDict):
    id: str
    role: Literal["admin", "owner", "analyst"]
    name: str | None
    created_at: str
    revoked_at: str | None
    frozen_until: str | None


class PrincipalCreate(TypedDict):
    role: Literal["admin", "owner", "analyst"]
    name: str


class PrincipalPage(TypedDict):
    items: list[Principal]
    next_cursor: str | None


class ProblemDocument(TypedDict):
    """
    Problem details (RFC 9457).
    """

    type: Literal["/problems/body-too-large", "/problems/body-too-slow", "/problems/budget-exhausted", "/problems/budget-frozen", "/problems/certificate-pending", "/problems/certificate-quota-exceeded", "/problems/computation-too-large", "/problems/computations-unavailable", "/problems/conflict", "/problems/database-unavailable", "/problems/dataset-changed", "/problems/decryption-key-unavailable", "/problems/draws-unavailable", "/problems/failover-pending", "/problems/free-answer-quota-exceeded", "/problems/grant-closed", "/problems/grant-exhausted", "/problems/grant-expired", "/problems/idempotency-key-missing", "/problems/idempotency-key-reused", "/problems/internal-error", "/problems/invalid-request", "/problems/job-pending", "/problems/job-quota-exceeded", "/problems/key-quota-exceeded", "/problems/key-required", "/problems/malformed-body", "/problems/max-charge-exceeded", "/problems/mechanism-not-allowed", "/problems/method-not-allowed", "/problems/name-taken", "/problems/not-found", "/problems/not-supported", "/problems/object-quota-exceeded", "/problems/outcome-unknown", "/problems/queries-pending", "/problems/rate-limited", "/problems/recovery-pending", "/problems/release-cap-exceeded", "/problems/release-failed", "/problems/release-in-progress", "/problems/release-lost", "/problems/restore-pending", "/problems/role-not-allowed", "/problems/shutting-down", "/problems/storage-quota-exceeded", "/problems/token-already-used", "/problems/token-invalid", "/problems/unauthenticated", "/problems/unsupported-media-type"]
    title: str
    status: int
    detail: str
    charged: bool | None
    retry_safe: bool
    retryable: bool
    errors: NotRequired[list[FieldError]]
    largest_possible_charge: NotRequired[BasicAmount | ZcdpAmount | None]
    achievable_half_widths: NotRequired[list[float | None] | None]
    certified: NotRequired[Loss | None]
    would_charge: NotRequired[BasicAmount | ZcdpAmount | None]
    certificate: NotRequired[str | None]
    job: NotRequired[str | None]
    used_at: NotRequired[str | None]


class QueryCreate(TypedDict):
    queries: list[Query]
    constraints: NotRequired[bool | None]
    max_charge: NotRequired[QueryMaxCharge | None]


class QueryEstimate(TypedDict):
    """
    The best linear unbiased estimate of the true answer, and how far off it is.
    """

    estimate: float
    standard_deviation: float
    interval: QueryInterval
    probability: float | None
    used: list[UsedRelease]
    with_constraints: NotRequired[WithConstraints | None]


class QuotaReport(TypedDict):
    """
    What you have, and the most that this installation lets you have.
    """

    budgets: QuotaUsage
    datasets: QuotaUsage
    grants: QuotaUsage
    keys: QuotaUsage
    jobs: QuotaUsage
    access_requests: QuotaUsage
    bytes_per_budget: int
    bytes_per_grant: int


class QuoteAnswer(TypedDict):
    """
    The answer to one query.
    """

    from_history: QueryEstimate | None
    meets_half_width: bool
    achievable_half_width: NotRequired[float | None]


class Receipt(TypedDict):
    """
    Ed25519 over the canonical JSON of `body`; the public key is at `/v1/public-key`.
    """

    body: ReceiptBody
    key_id: str
    signature: str


class RehearsalCreate(TypedDict):
    """
    A release on counts that you make up.
    """

    labels: list[str]
    counts: list[int]
    prior: list[float]
    mechanism: SimplexGeometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    level: NotRequired[float]
    records_per_unit: NotRequired[int]


class ReleaseCreate(TypedDict):
    prior: list[float]
    mechanism: SimplexGeometric | Laplace | Gaussian | Exponential | ExponentialPublished | ExponentialGlobal
    max_charge: NotRequired[MaxCharge | None]
    level: NotRequired[float]


class ReleaseSignature(TypedDict):
    """
    Ed25519 over the canonical JSON of `body`; the public key is at `/v1/public-key`.
    """

    body: ReleaseSignatureBody
    key_id: str
    signature: str


class ReleaseSummary(TypedDict):
    """
    A release in a list; `state` is `paid` while it is being drawn, `failed` where it could not be, and `lost`
    where a restored backup does not have it.
    """

    id: str
    dataset_id: str
    principal_id: str | None
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    public: bool
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal | None
    charged: BasicAmount | ZcdpAmount
    created_at: str


class ReleaseSummaryPage(TypedDict):
    items: list[ReleaseSummary]
    next_cursor: str | None


class ReleasedPosterior(TypedDict):
    """
    The released Dirichlet posterior, Beta where there are two categories.
    """

    concentration: list[float]
    noisy_counts: list[int]
    released_counts: list[int]
    categories: list[CategoryPosterior]


class ReleasesOfSameCost(TypedDict):
    """
    How many more releases that cost what one release cost.
    """

    release_id: str
    charged: BasicAmount | ZcdpAmount
    remaining_releases: int | None


class Spender(TypedDict):
    """
    Somebody who released from the data set; the name is null where it was erased.
    """

    principal_id: str
    name: str | None
    releases: int
    charged: BasicAmount | ZcdpAmount


class Spending(TypedDict):
    """
    What was charged in the last so many days, counted by full hours.
    """

    days: int
    spent: BasicAmount | ZcdpAmount
    releases: int


class StatedRelease(TypedDict):
    """
    One release: who, when, how, and what it was charged.
    """

    id: str
    ledger_sequence: int
    principal_id: str
    created_at: str
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    kind: Literal["posterior", "query"]
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal | None
    charged: BasicAmount | ZcdpAmount
    certificate: str | None


class StatedReleasePage(TypedDict):
    items: list[StatedRelease]
    next_cursor: str | None


class Statement(TypedDict):
    """
    For the owner of a data set, and whomever the owner answers to.
    """

    created_at: str
    summary: list[str]
    dataset: Dataset
    deleted_at: str | None
    budget_id: str
    guarantee_limit: Guarantee
    guarantee_to_date: Guarantee
    datasets_on_budget: int
    budget_total: BasicAmount | ZcdpAmount
    budget_spent: BasicAmount | ZcdpAmount
    budget_remaining: BasicAmount | ZcdpAmount
    charged_to_dataset: BasicAmount | ZcdpAmount
    written_off: BasicAmount | ZcdpAmount
    spenders: list[Spender]
    recoveries: list[StatedRecovery]
    earlier_recoveries: int
    ledger_sequence: int
    ledger_hash: str
    releases: StatedReleasePage


class WriteOff(TypedDict):
    id: str
    budget_id: str
    sequence: int
    amount: BasicAmount | ZcdpAmount
    reason: str
    created_at: str


class Allowance(TypedDict):
    """
    What you can still release from a data set. Everything here is free to ask, and holds until somebody spends or
    the owner changes a limit.
    """

    can_release: bool
    blocked_by: Literal["recovery_pending", "grant_closed", "grant_expired", "budget_frozen", "restore_pending"] | None
    largest_possible_charge: BasicAmount | ZcdpAmount
    below_threshold: bool
    mechanisms: list[NextByEpsilon | NextByRho]
    measuring_allowed: bool
    more_like: ReleasesOfSameCost | None


class AnsweredEvent(TypedDict):
    """
    The answer to a question about a share, or about a contrast of two shares.
    """

    mean: float | None
    standard_deviation: float | None
    interval: CredibleInterval
    quantiles: list[Quantile]
    density: DensityCurve | None
    above: ProbabilityAbove | None
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None
    question: ShareQuestion | ContrastQuestion


class BurnRate(TypedDict):
    """
    How fast a budget is being spent, and the one guarantee that holds for all releases so far.
    """

    spent: BasicAmount | ZcdpAmount
    remaining: BasicAmount | ZcdpAmount
    below_threshold: bool
    spent_guarantee: Guarantee
    recent: list[Spending]
    days_left: int | None


class CertificateStatus(TypedDict):
    """
    A certificate, or its state while it is being computed.
    """

    id: str | None
    state: Literal["pending", "ready", "failed"]
    event: dict[str, Any] | None
    certificate: TheoremCertificate | ExactChannelCertificate | None
    detail: str | None
    created_at: str


class Curves(TypedDict):
    """
    Interval widths of each mechanism at many values of epsilon, for made-up counts.
    """

    shares: list[int | list[str] | dict[str, list[str]]]
    widths_without_noise: list[float]
    level: float
    max_relative_error: float
    curves: list[MechanismCurve]
    note: str


class DatasetCreate(TypedDict):
    """
    A histogram to register. The counts go in and never come back.
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
    n_is_public: Literal[True]
    relation: NotRequired[Literal["replace_one"]]
    budget: ExistingBudget | NewBudget


class History(TypedDict):
    """
    The releases of the data set that you may read and that queries are answered from.
    """

    items: list[HistoryItem]
    excluded_releases: list[ExcludedRelease]
    joint_cost: BasicAmount | ZcdpAmount | None
    precise_categories: list[str]


class Me(TypedDict):
    """
    Who sent the request, and with which key.
    """

    principal: Principal
    key: Key


class NoiseAwarePosterior(TypedDict):
    """
    p(θ | release), the posterior of the shares θ given the release, with the distribution of the noise accounted
    for.
    """

    kind: Literal["noise_aware"]
    release_id: str
    prior: list[float]
    error: float
    method: Literal["exact", "simulation"]
    effective_draws: float | None
    categories: list[CategoryShare]
    hypotheses: list[TestedHypothesis]
    events: list[AnsweredEvent]
    draws: list[list[float]] | None
    point: PointPosterior | None


class Plan(TypedDict):
    options: list[PlanOption]
    recommended: Literal["exponential", "exponential_published", "exponential_global", "laplace", "simplex_geometric", "gaussian"]
    recommended_mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal
    recommendation_reason: str
    target_unreachable_reason: str | None
    note: str


class PooledPosterior(TypedDict):
    """
    p(θ | all the releases): their likelihoods multiplied, under one prior.
    """

    kind: Literal["noise_aware"]
    release_id: str
    prior: list[float]
    error: float
    method: Literal["exact", "simulation"]
    effective_draws: float | None
    categories: list[CategoryShare]
    hypotheses: list[TestedHypothesis]
    events: list[AnsweredEvent]
    draws: list[list[float]] | None
    point: PointPosterior | None
    release_ids: list[str]


class PublicRelease(TypedDict):
    """
    A release as anyone may read it, signed when it was made public first.
    """

    id: str
    dataset_id: str
    budget_id: str
    state: Literal["complete"]
    labels: list[str]
    attributes: NotRequired[list[Attribute] | None]
    record_count: int
    category_count: int
    records_per_unit: int
    event: dict[str, Any]
    prior: list[float]
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal
    requested: dict[str, str]
    certified: Loss
    charged: BasicAmount | ZcdpAmount
    certificate: TheoremCertificate | ExactChannelCertificate
    posterior: ReleasedPosterior
    created_at: str
    signature: ReleaseSignature


class QueryQuote(TypedDict):
    """
    What the releases that you may read already answer. All of it is free.
    """

    answers: list[QuoteAnswer]
    covariance: list[list[float]] | None
    would_charge: BasicAmount | ZcdpAmount | None
    standalone_cost: BasicAmount | ZcdpAmount | None
    one_release_for_all: str | None
    excluded_releases: list[ExcludedRelease]


class QueryRelease(TypedDict):
    """
    Answers to queries, what was measured for them, and what that cost.
    """

    id: str
    dataset_id: str
    budget_id: str
    principal_id: str
    state: Literal["complete"]
    answers: list[QueryEstimate]
    covariance: list[list[float]]
    measured: list[MeasuredRow]
    charged: BasicAmount | ZcdpAmount
    standalone_cost: BasicAmount | ZcdpAmount
    remaining_after: BasicAmount | ZcdpAmount
    record_count: int
    category_count: int
    records_per_unit: int
    event: dict[str, Any] | None
    certificate: TheoremCertificate | None
    created_at: str
    receipt: Receipt


class Quote(TypedDict):
    """
    What a release would cost and whether it would be granted, as things stand. Free; nothing is held for you.
    """

    certified: Loss
    certificate: TheoremCertificate | ExactChannelCertificate
    would_charge: BasicAmount | ZcdpAmount
    granted: bool
    blocked_by: str | None
    largest_possible_charge: BasicAmount | ZcdpAmount
    expected_accuracy: ExpectedAccuracy | None
    already_released: list[ReleaseSummary]


class RehearsedRelease(TypedDict):
    """
    What a release would have looked like. It is about made-up counts and says nothing of anybody.
    """

    rehearsal: Literal[True]
    labels: list[str]
    prior: list[float]
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal
    certified: Loss
    certificate: TheoremCertificate | ExactChannelCertificate
    posterior: ReleasedPosterior
    plot_svg: str | None
    note: str


class Release(TypedDict):
    """
    A release as it is answered to whoever paid for it, and to the owner of the data set.
    """

    id: str
    dataset_id: str
    budget_id: str
    state: Literal["complete"]
    labels: list[str]
    attributes: NotRequired[list[Attribute] | None]
    record_count: int
    category_count: int
    records_per_unit: int
    event: dict[str, Any]
    prior: list[float]
    mechanism: UsedSimplexGeometric | UsedLaplace | UsedGaussian | UsedExponential | UsedExponentialPublished | UsedExponentialGlobal
    requested: dict[str, str]
    certified: Loss
    charged: BasicAmount | ZcdpAmount
    certificate: TheoremCertificate | ExactChannelCertificate
    posterior: ReleasedPosterior
    created_at: str
    principal_id: str
    remaining_after: BasicAmount | ZcdpAmount
    receipt: Receipt
