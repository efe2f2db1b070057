"""Calls the operations of the service, each with its types: `with Client.open(server, key) as client: ...`.

Every operation that makes or charges something carries an Idempotency-Key, a fresh one where the caller names none.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from private_posterior.answers import Answer, Listing, PlanAnswer, PosteriorAnswer, ReleaseAnswer, StatementAnswer
from private_posterior.connection import Connection, json_of
from private_posterior.models import (
    AccessRequest,
    AccessRequestCreate,
    Allowance,
    AnsweredQueries,
    Approval,
    BasicBudgetCreate,
    Budget,
    BudgetChange,
    CertificateCreate,
    CertificateStatus,
    ChangedAccessRequest,
    ChangedDataset,
    Comparison,
    ComparisonCreate,
    CurveCreate,
    Curves,
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

_V1: Final = "/v1"


def new_idempotency_key() -> str:
    """A name for a request that no other request has."""
    return secrets.token_urlsafe(24)


class Client(Connection):
    """The operations of a service as one caller may use them. All raise what `Connection.ask` raises."""

    __slots__ = ()

    # What is made, and costs nothing

    def create_principal(self, body: PrincipalCreate, idempotency_key: str | None = None) -> NewPrincipal:
        return cast("NewPrincipal", self._make("/principals", body, idempotency_key))

    def enrol(self, body: EnrolmentCreate) -> EnrolledKey:
        """Exchanges an enrolment token or a recovery code, once. The answer is never repeated."""
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
        """Asks the owner of a listed data set for a grant."""
        return cast("AccessRequest", self._make(f"/datasets/{dataset_id}/access-requests", body, idempotency_key))

    def change_access_request(self, request_id: str, body: Approval | Refusal | Withdrawal) -> ChangedAccessRequest:
        """Approves, declines or withdraws a request, once."""
        return cast("ChangedAccessRequest", self._patch(f"/access-requests/{request_id}", body))

    def publish_release(self, release_id: str, *, public: bool) -> ReleaseSummary:
        return cast("ReleaseSummary", self._patch(f"/releases/{release_id}", {"public": public}))

    # What is charged

    def create_release(self, dataset_id: str, body: ReleaseCreate, idempotency_key: str | None = None) -> Release:
        """A release, once its certificate is computed."""
        return cast("Release", self._make(f"/datasets/{dataset_id}/releases", body, idempotency_key, ReleaseAnswer))

    def create_queries(self, dataset_id: str, body: QueryCreate, idempotency_key: str | None = None) -> QueryRelease:
        """Answers as precise as is asked; what earlier releases do not tell is measured, and charged."""
        return cast("QueryRelease", self._make(f"/datasets/{dataset_id}/queries", body, idempotency_key))

    # What is computed, free

    def quote(self, dataset_id: str, body: ReleaseCreate) -> Quote:
        return cast("Quote", self._post(f"/datasets/{dataset_id}/quotes", body))

    def plan(self, body: PlanCreate) -> Plan:
        return cast("Plan", self._post("/plans", body, PlanAnswer))

    def curves(self, body: CurveCreate) -> Curves:
        return cast("Curves", self._post("/curves", body))

    def rehearse(self, body: RehearsalCreate) -> RehearsedRelease:
        return cast("RehearsedRelease", self._post("/rehearsals", body, ReleaseAnswer))

    def ask_certificate(self, body: CertificateCreate) -> CertificateStatus:
        """The certificate, or that it is being computed."""
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
        of: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
        width: int = 760,
    ) -> bytes:
        """The picture of a release, an SVG document for a width in pixels: each category, or the cells of a cross table
        `by` attributes, with the share of the cells `of` within each row.
        """
        query: dict[str, Any] = {"level": level, "by": list(by), "width": width}
        if of is not None:
            query["of"] = json.dumps(of)
        return self.ask("GET", f"{_V1}/releases/{release_id}/plot.svg", query=query).content

    # What is read

    def dataset(self, dataset_id: str) -> Dataset:
        return cast("Dataset", self._get(f"/datasets/{dataset_id}"))

    def datasets(self) -> Listing[Dataset]:
        return self.items(f"{_V1}/datasets", limit=200)

    def listed_datasets(self) -> Listing[ListedDataset]:
        """The data sets that owners listed for all analysts."""
        return self.items(f"{_V1}/listed-datasets", limit=200)

    def listed_dataset(self, dataset_id: str) -> ListedDataset:
        return cast("ListedDataset", self._get(f"/listed-datasets/{dataset_id}"))

    def access_requests(self, state: str | None = None) -> Listing[AccessRequest]:
        """The requests that you made, or that were made for your data sets."""
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
        """The grants that you gave or hold, on one data set or on all."""
        return self.items(f"{_V1}/grants" if dataset_id is None else f"{_V1}/datasets/{dataset_id}/grants", limit=200)

    def releases(self, dataset_id: str | None = None) -> Listing[ReleaseSummary]:
        """The releases that you may read, from one data set or from all."""
        return self.items(
            f"{_V1}/releases" if dataset_id is None else f"{_V1}/datasets/{dataset_id}/releases", limit=200
        )

    def release_text(self, release_id: str) -> bytes:
        """A release byte for byte as it was answered."""
        return self.ask("GET", f"{_V1}/releases/{release_id}").content

    def queries(self) -> Listing[AnsweredQueries]:
        """Answers to queries that you asked for, or that were asked about your data sets."""
        return self.items(f"{_V1}/queries", limit=200)

    def answered_queries(self, release_id: str) -> QueryRelease:
        return cast("QueryRelease", self._get(f"/queries/{release_id}"))

    def release(self, release_id: str) -> Release:
        return cast("Release", self._get(f"/releases/{release_id}", ReleaseAnswer))

    def ledger(self, budget_id: str) -> Listing[LedgerEntry]:
        return self.items(f"{_V1}/budgets/{budget_id}/ledger", limit=1000)

    def ledger_text(self, budget_id: str, form: str = "jsonl") -> bytes:
        """The whole ledger as JSON lines or as `csv`."""
        return self.ask("GET", f"{_V1}/budgets/{budget_id}/ledger.{form}").content

    def head(self, budget_id: str) -> SignedHead:
        return cast("SignedHead", self._get(f"/budgets/{budget_id}/head"))

    def statement(self, dataset_id: str) -> Statement:
        return cast("Statement", self._get(f"/datasets/{dataset_id}/statement", StatementAnswer))

    def statement_text(self, dataset_id: str) -> str:
        """The statement in plain words."""
        return self.ask("GET", f"{_V1}/datasets/{dataset_id}/statement.txt").text

    def public_key(self) -> SigningKey:
        return cast("SigningKey", self._get("/public-key"))

    def principals(self) -> Listing[Principal]:
        """Everybody, for an admin; for others, themselves alone."""
        return self.items(f"{_V1}/principals", limit=200)

    def _get(self, path: str, kind: type[Answer] = Answer) -> Any:
        return json_of(self.ask("GET", _V1 + path), kind)

    def _post(self, path: str, body: Any, kind: type[Answer] = Answer) -> Any:
        return json_of(self.ask("POST", _V1 + path, body=body), kind)

    def _patch(self, path: str, body: Any) -> Any:
        return json_of(self.ask("PATCH", _V1 + path, body=body))

    def _make(self, path: str, body: Any, idempotency_key: str | None, kind: type[Answer] = Answer) -> Any:
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        return json_of(self.ask("POST", _V1 + path, body=body, idempotency_key=key), kind)
