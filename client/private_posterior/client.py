"""Typed operations of the service: `with Client.open(server, key) as client: ...`.

Operations that create something send an Idempotency-Key: the caller's, or a new one. Those that are charged send the
caller's, or one that is made from the data set and the request, so that a repetition is free.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import httpx

from private_posterior.answers import Answer, Listing, PlanAnswer, PosteriorAnswer, ReleaseAnswer, StatementAnswer
from private_posterior.connection import Connection, json_of
from private_posterior.errors import ClientError, NotSendable, ProblemError
from private_posterior.models import (
    AccessRequest,
    AccessRequestCreate,
    Allowance,
    AnsweredQueries,
    Approval,
    BasicBudgetCreate,
    Budget,
    BudgetChange,
    Cells,
    CertificateCreate,
    CertificateStatus,
    ChangedAccessRequest,
    ChangedDataset,
    Comparison,
    ComparisonCreate,
    Dataset,
    DatasetChange,
    DatasetCreate,
    EnrolledKey,
    EnrolmentCreate,
    Grant,
    GrantChange,
    GrantCreate,
    History,
    LedgerEntry,
    ListedDataset,
    Mechanisms,
    NewPrincipal,
    NoiseAwarePosterior,
    NoiseAwareUnavailable,
    Plan,
    PlanCreate,
    PooledPosterior,
    PooledRequest,
    PosteriorRequest,
    Principal,
    PrincipalCreate,
    QueryCreate,
    QueryQuote,
    QueryQuoteCreate,
    QueryRelease,
    Quote,
    Refusal,
    RegisteredDataset,
    RehearsalCreate,
    RehearsedRelease,
    Release,
    ReleaseCreate,
    ReleaseSummary,
    SignedHead,
    SigningKey,
    Statement,
    Withdrawal,
    ZcdpBudgetCreate,
)
from private_posterior.nearest import NOT_A_LABEL, NOT_A_LEVEL
from private_posterior.payload import Paid, request_key

_V1: Final = "/v1"
_ID: Final = re.compile(r"\b(rel|dat)_[a-z2-7]{26}\b")
_PAID_FOR_NOTHING: Final = frozenset({"release-failed", "release-lost"})
"""Problems that the key of a charged request gets for good."""


def new_idempotency_key() -> str:
    """Return a new, unique Idempotency-Key."""
    return secrets.token_urlsafe(24)


class Client(Connection):
    """The operations of one service for one caller. All raise the errors of `Connection.ask`."""

    __slots__ = ()

    def ask(self, method: str, path: str, *, body: Mapping[str, Any] | None = None, **more: Any) -> httpx.Response:
        """Return the response as `Connection.ask` does. A problem with a label names the nearest one."""
        try:
            return super().ask(method, path, body=body, **more)
        except ProblemError as problem:
            if any(each["rule"] in {NOT_A_LABEL, NOT_A_LEVEL} for each in problem.errors):
                problem.about = self._subject(path, body or {}, problem.errors[0]["location"])
            raise

    def _subject(self, path: str, body: Mapping[str, Any], location: str) -> Mapping[str, Any] | None:
        """Return the data set or release that a request is about, or the body of a plan. None if it can't be read."""
        side = body.get(location.split(".")[1]) if location.count(".") else None
        side = side if isinstance(side, Mapping) else {}
        named = [path, str(side.get("release_id", "")), *body.get("release_ids", ())]
        found = _ID.search(" ".join(named))
        if found is None:
            return body
        with suppress(ClientError):
            return self.release(found[0]) if found[0].startswith("rel") else self.dataset(found[0])
        return None

    # Operations that create something and cost nothing

    def create_principal(self, body: PrincipalCreate, idempotency_key: str | None = None) -> NewPrincipal:
        return cast("NewPrincipal", self._make("/principals", body, idempotency_key))

    def enrol(self, body: EnrolmentCreate) -> EnrolledKey:
        """Exchange an enrolment token or a recovery code, once. The response is never repeated."""
        return cast("EnrolledKey", self._post("/enrolments", body))

    def create_dataset(self, body: DatasetCreate, idempotency_key: str | None = None) -> RegisteredDataset:
        return cast("RegisteredDataset", self._make("/datasets", body, idempotency_key))

    def change_dataset(self, dataset_id: str, body: DatasetChange) -> ChangedDataset:
        return cast("ChangedDataset", self._patch(f"/datasets/{dataset_id}", body))

    def delete_dataset(self, dataset_id: str) -> None:
        self.ask("DELETE", f"{_V1}/datasets/{dataset_id}")

    def create_budget(self, body: BasicBudgetCreate | ZcdpBudgetCreate, idempotency_key: str | None = None) -> Budget:
        return cast("Budget", self._make("/budgets", body, idempotency_key))

    def change_budget(self, budget_id: str, body: BudgetChange) -> Budget:
        return cast("Budget", self._patch(f"/budgets/{budget_id}", body))

    def create_grant(self, dataset_id: str, body: GrantCreate, idempotency_key: str | None = None) -> Grant:
        return cast("Grant", self._make(f"/datasets/{dataset_id}/grants", body, idempotency_key))

    def change_grant(self, grant_id: str, body: GrantChange) -> Grant:
        return cast("Grant", self._patch(f"/grants/{grant_id}", body))

    def create_access_request(
        self, dataset_id: str, body: AccessRequestCreate, idempotency_key: str | None = None
    ) -> AccessRequest:
        """Ask the owner of a listed data set for a grant."""
        return cast("AccessRequest", self._make(f"/datasets/{dataset_id}/access-requests", body, idempotency_key))

    def change_access_request(self, request_id: str, body: Approval | Refusal | Withdrawal) -> ChangedAccessRequest:
        """Approve, decline or withdraw an access request. The decision is final."""
        return cast("ChangedAccessRequest", self._patch(f"/access-requests/{request_id}", body))

    def publish_release(self, release_id: str, *, public: bool) -> ReleaseSummary:
        return cast("ReleaseSummary", self._patch(f"/releases/{release_id}", {"public": public}))

    # Operations that are charged

    def create_release(
        self, dataset_id: str, body: ReleaseCreate, idempotency_key: str | None = None, *, again: bool = False
    ) -> Release:
        """Create a release; waits for its certificate. This is charged, once for each request to a data set: the same
        request returns the same release, free, whatever its `level` and `max_charge`. `again=True` buys fresh noise.
        """
        return cast("Release", self._pay("release", dataset_id, body, idempotency_key, again=again))

    def create_queries(
        self, dataset_id: str, body: QueryCreate, idempotency_key: str | None = None, *, again: bool = False
    ) -> QueryRelease:
        """Answer queries with the requested precision. What earlier releases don't answer is measured and charged. The
        same request to a data set returns the same answers, free; `again=True` asks as if for the first time.
        """
        return cast("QueryRelease", self._pay("queries", dataset_id, body, idempotency_key, again=again))

    # Free computations

    def quote(self, dataset_id: str, body: ReleaseCreate, idempotency_key: str | None = None) -> Quote:
        """Return the cost of a release. `paid_under_key` is the release that the same request already paid for."""
        key = request_key("release", dataset_id, body) if idempotency_key is None else idempotency_key
        return cast("Quote", self._make(f"/datasets/{dataset_id}/quotes", body, key))

    def plan(self, body: PlanCreate) -> Plan:
        return cast("Plan", self._post("/plans", body, PlanAnswer))

    def rehearse(self, body: RehearsalCreate) -> RehearsedRelease:
        return cast("RehearsedRelease", self._post("/rehearsals", body, ReleaseAnswer))

    def ask_certificate(self, body: CertificateCreate) -> CertificateStatus:
        """Return the certificate, or its state while it is computed."""
        return cast("CertificateStatus", self._post("/certificates", body))

    def posterior(self, release_id: str, body: PosteriorRequest) -> NoiseAwarePosterior | NoiseAwareUnavailable:
        answer = self._post(f"/releases/{release_id}/posterior", body, PosteriorAnswer)
        return cast("NoiseAwarePosterior | NoiseAwareUnavailable", answer)

    def pooled_posterior(self, body: PooledRequest) -> PooledPosterior | NoiseAwareUnavailable:
        return cast("PooledPosterior | NoiseAwareUnavailable", self._post("/posteriors", body, PosteriorAnswer))

    def compare(self, body: ComparisonCreate) -> Comparison:
        return cast("Comparison", self._post("/comparisons", body))

    def query_quote(self, dataset_id: str, body: QueryQuoteCreate) -> QueryQuote:
        return cast("QueryQuote", self._post(f"/datasets/{dataset_id}/query-quotes", body))

    def history(self, dataset_id: str) -> History:
        return cast("History", self._get(f"/datasets/{dataset_id}/history"))

    def plot(
        self,
        release_id: str,
        *,
        level: float = 0.95,
        by: Sequence[str] = (),
        of: Cells | None = None,
        width: int = 760,
    ) -> bytes:
        """Return the picture of a release as an SVG document for a width in pixels.

        It shows each category, or the cells of a cross table grouped `by` attributes, with the share of the cells `of`
        within each row.
        """
        query: dict[str, Any] = {"level": level, "by": list(by), "width": width}
        if of is not None:
            query["of"] = json.dumps(of)
        return self.ask("GET", f"{_V1}/releases/{release_id}/plot.svg", query=query).content

    # Operations that read

    def dataset(self, dataset_id: str) -> Dataset:
        return cast("Dataset", self._get(f"/datasets/{dataset_id}"))

    def mechanisms(self) -> Mechanisms:
        """List the mechanisms of releases, with their names and parameters."""
        return cast("Mechanisms", self._get("/mechanisms"))

    def datasets(self) -> Listing[Dataset]:
        return self.items(f"{_V1}/datasets", limit=200)

    def listed_datasets(self) -> Listing[ListedDataset]:
        """List the data sets that owners listed for all analysts."""
        return self.items(f"{_V1}/listed-datasets", limit=200)

    def listed_dataset(self, dataset_id: str) -> ListedDataset:
        return cast("ListedDataset", self._get(f"/listed-datasets/{dataset_id}"))

    def access_requests(self, state: str | None = None) -> Listing[AccessRequest]:
        """List the requests that you made, and those for your data sets."""
        return self.items(f"{_V1}/access-requests", limit=200, **({} if state is None else {"state": state}))

    def access_request(self, request_id: str) -> AccessRequest:
        return cast("AccessRequest", self._get(f"/access-requests/{request_id}"))

    def allowance(self, dataset_id: str) -> Allowance:
        return cast("Allowance", self._get(f"/datasets/{dataset_id}/allowance"))

    def budget(self, budget_id: str) -> Budget:
        return cast("Budget", self._get(f"/budgets/{budget_id}"))

    def budgets(self) -> Listing[Budget]:
        return self.items(f"{_V1}/budgets", limit=200)

    def grants(self, dataset_id: str | None = None) -> Listing[Grant]:
        """List the grants that you gave or hold, on one data set or on all."""
        return self.items(f"{_V1}/grants" if dataset_id is None else f"{_V1}/datasets/{dataset_id}/grants", limit=200)

    def releases(self, dataset_id: str | None = None) -> Listing[ReleaseSummary]:
        """List the releases that you may read, from one data set or from all."""
        return self.items(
            f"{_V1}/releases" if dataset_id is None else f"{_V1}/datasets/{dataset_id}/releases", limit=200
        )

    def release_text(self, release_id: str) -> bytes:
        """Return the stored text of a release, byte for byte."""
        return self.ask("GET", f"{_V1}/releases/{release_id}").content

    def queries(self) -> Listing[AnsweredQueries]:
        """List the answers to queries that you paid for, and those about your data sets."""
        return self.items(f"{_V1}/queries", limit=200)

    def answered_queries(self, release_id: str) -> QueryRelease:
        return cast("QueryRelease", self._get(f"/queries/{release_id}"))

    def release(self, release_id: str) -> Release:
        return cast("Release", self._get(f"/releases/{release_id}", ReleaseAnswer))

    def ledger(self, budget_id: str) -> Listing[LedgerEntry]:
        return self.items(f"{_V1}/budgets/{budget_id}/ledger", limit=1000)

    def ledger_text(self, budget_id: str, form: str = "jsonl") -> bytes:
        """Return the whole ledger as JSON lines or as `csv`."""
        return self.ask("GET", f"{_V1}/budgets/{budget_id}/ledger.{form}").content

    def head(self, budget_id: str) -> SignedHead:
        return cast("SignedHead", self._get(f"/budgets/{budget_id}/head"))

    def statement(self, dataset_id: str) -> Statement:
        return cast("Statement", self._get(f"/datasets/{dataset_id}/statement", StatementAnswer))

    def statement_text(self, dataset_id: str) -> str:
        """Return the statement in plain words."""
        return self.ask("GET", f"{_V1}/datasets/{dataset_id}/statement.txt").text

    def public_key(self) -> SigningKey:
        return cast("SigningKey", self._get("/public-key"))

    def principals(self) -> Listing[Principal]:
        """List principals: all for an admin, otherwise only the caller."""
        return self.items(f"{_V1}/principals", limit=200)

    def _get(self, path: str, kind: type[Answer] = Answer) -> Any:
        return json_of(self.ask("GET", _V1 + path), kind)

    def _post(self, path: str, body: Any, kind: type[Answer] = Answer) -> Any:
        return json_of(self.ask("POST", _V1 + path, body=body), kind)

    def _patch(self, path: str, body: Any) -> Any:
        return json_of(self.ask("PATCH", _V1 + path, body=body))

    def _pay(self, kind: Paid, dataset_id: str, body: Any, idempotency_key: str | None, *, again: bool) -> Answer:
        """Send a request that is charged. Its key is the caller's; else a new one if `again`, or the request's own."""
        if again and idempotency_key is not None:
            raise NotSendable("again=True makes a key of its own: give it or idempotency_key; nothing was sent")
        own = request_key(kind, dataset_id, body)
        key = new_idempotency_key() if again else own if idempotency_key is None else idempotency_key
        part, answer = ("releases", ReleaseAnswer) if kind == "release" else ("queries", Answer)
        with _with_advice():
            try:
                return cast("Answer", self._make(f"/datasets/{dataset_id}/{part}", body, key, answer))
            except ProblemError as problem:
                if (problem.code, key, kind) != ("idempotency-key-reused", own, "release"):
                    raise
                # Only `level` or `max_charge` differ from what was paid for, and change nothing of what was drawn.
                paid = self.quote(dataset_id, body, key)["paid_under_key"]
                if paid is None:
                    raise
            found: Answer = self._get(f"/releases/{paid['id']}", ReleaseAnswer)
            found.replayed = True
            return found

    def _make(self, path: str, body: Any, idempotency_key: str | None, kind: type[Answer] = Answer) -> Any:
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        return json_of(self.ask("POST", _V1 + path, body=body, idempotency_key=key), kind)


@contextmanager
def _with_advice() -> Iterator[None]:
    """Name `again=True` in a problem that the same request gets for good."""
    try:
        yield
    except ProblemError as problem:
        if problem.code in _PAID_FOR_NOTHING:
            problem.advice = "again=True requests another one, which is charged."
        raise
