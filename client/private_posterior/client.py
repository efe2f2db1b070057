"""Typed operations of the service: `with Client.open(server, key) as client: ...`.

Operations that create something send an Idempotency-Key: the caller's, or a new one. Those that are charged send the
caller's, or one that is made from the data set and the request, with `once`: the service then returns what the same
person paid for before, under this key or another, such as in the console.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, TypeAlias, cast, overload

import httpx

from private_posterior import models
from private_posterior.answers import Answer, Listing
from private_posterior.connection import Connection, json_of
from private_posterior.dataset import DataSet, find_dataset
from private_posterior.errors import ClientError, LimitMissing, NotSendable, ProblemError
from private_posterior.figures import ComparisonAnswer, PosteriorAnswer, TableAnswer
from private_posterior.nearest import NOT_A_LABEL, NOT_A_LEVEL
from private_posterior.noisy_table import NoisyTable, prior_of
from private_posterior.payload import Paid, plain, request_key, unit_of
from private_posterior.quotes import MarginsQuoteAnswer, PlanAnswer, QueriesAnswer, QuoteAnswer, StatementAnswer
from private_posterior.released import MarginsAnswer, MarginTablesAnswer, ReleaseAnswer

Source: TypeAlias = str | Mapping[str, Any] | NoisyTable
"""A release by its id or as the client returned it, or a noisy table."""
_V1: Final = "/v1"
_ID: Final = re.compile(r"\b(rel|dat)_[a-z2-7]{26}\b")
PAID: Final[Mapping[str, tuple[Paid, type[Answer], type[Answer]]]] = {
    "counts": ("release", ReleaseAnswer, QuoteAnswer),
    "margins": ("margins", MarginsAnswer, MarginsQuoteAnswer),
    "queries": ("queries", QueriesAnswer, QuoteAnswer),
}
"""By the kind of a release: its name in keys made from requests, its answer, and its quote."""
_PAID_FOR_NOTHING: Final = frozenset({"release-failed", "release-lost"})
"""Problems that the key of a charged request gets for good."""


def new_idempotency_key() -> str:
    """Return a new, unique Idempotency-Key."""
    return secrets.token_urlsafe(24)


class Client(Connection):
    """The operations of one service for one caller. All raise the errors of `Connection.ask`."""

    __slots__ = ()

    def __getitem__(self, name: str) -> DataSet:
        """Return the data set with this name or id: `client["Polio 2x2"]`. Raises NoSuchName."""
        return DataSet(self, find_dataset(self, name))

    def ask(self, method: str, path: str, *, body: Mapping[str, Any] | None = None, **more: Any) -> httpx.Response:
        """Return the response as `Connection.ask` does: `client.ask("GET", "/v1/budgets")`.

        A problem with a label names the nearest one.
        """
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
        sources = [*side.get("sources", ()), *body.get("sources", ())]
        found = _ID.search(" ".join([path, *(str(each.get("release_id", "")) for each in sources)]))
        if found is None:
            return body
        with suppress(ClientError):
            return self.release(found[0]) if found[0].startswith("rel") else self.dataset(found[0])
        return None

    # Operations that create something and cost nothing

    def create_principal(self, body: models.PrincipalCreate, idempotency_key: str | None = None) -> models.Principal:
        """Make a person, and a token by which they get a key, for admins.

        `client.create_principal({"role": "analyst", "name": "Ada"})`
        """
        return cast("models.Principal", self._make("/principals", body, idempotency_key))

    def enrol(self, body: models.EnrolmentCreate) -> models.ApiKey:
        """Exchange an invitation or a recovery code, once. The response is never repeated.

        `client.enrol({"token": token})`
        """
        return cast("models.ApiKey", self._post("/enrolments", body))

    def create_dataset(self, body: models.DatasetCreate, idempotency_key: str | None = None) -> models.Dataset:
        """Register a data set. No answer contains its counts.

        `client.create_dataset({"name": "Polio 2x2", "labels": ["ill", "well"], "counts": [33, 967], "unit": "one
        child", "one_record_per_unit": True, "n_is_public": True, "budget": {"kind": "existing", "id": budget}})`
        """
        return cast("models.Dataset", self._make("/datasets", body, idempotency_key))

    def change_dataset(self, dataset_id: str, body: models.DatasetChange) -> models.Dataset:
        """Rename, list or share a data set of yours, or replace its counts.

        `client.change_dataset(id, {"listed": True})`
        """
        return cast("models.Dataset", self._patch(f"/datasets/{dataset_id}", body))

    def delete_dataset(self, dataset_id: str) -> None:
        """Destroy the counts of a data set of yours: `client.delete_dataset(id)`. Its ledger and charges stay."""
        self.ask("DELETE", f"{_V1}/datasets/{dataset_id}")

    def create_budget(self, body: models.BudgetCreate, idempotency_key: str | None = None) -> models.Budget:
        """Open a budget.

        `client.create_budget({"accountant": "basic", "name": "Trial", "epsilon": "1", "delta": "0"})`
        """
        return cast("models.Budget", self._make("/budgets", body, idempotency_key))

    def change_budget(self, budget_id: str, body: models.BudgetChange) -> models.Budget:
        """Change the limit, the caps or the freeze of a budget of yours.

        `client.change_budget(id, {"frozen": False})`
        """
        return cast("models.Budget", self._patch(f"/budgets/{budget_id}", body))

    def freeze_budget(self, budget_id: str) -> models.Budget | None:
        """Stop all releases from a budget. Return the budget, or None for an admin, who may freeze it and not read it.

        `client.freeze_budget(id)`
        """
        return cast("models.Budget | None", self._patch(f"/budgets/{budget_id}", {"frozen": True}))

    def budgets_of(self, principal_id: str) -> Listing[models.OwnedBudget]:
        """List the ids of an owner's budgets, for admins: `client.budgets_of(id)`."""
        return self.items(f"{_V1}/principals/{principal_id}/budgets", limit=200)

    def transfer_budget(self, budget_id: str, principal_id: str) -> None:
        """Give the budget of an owner who has left to another owner, for admins.

        `client.transfer_budget(id, successor)`
        """
        self.ask("PUT", f"{_V1}/budgets/{budget_id}/owner", body={"principal_id": principal_id})

    def create_grant(
        self, dataset_id: str, body: models.GrantCreate, idempotency_key: str | None = None
    ) -> models.Grant:
        """Let an analyst spend a part of a budget.

        `client.create_grant(id, {"principal_id": analyst, "epsilon": "0.5", "delta": "0"})`
        """
        return cast("models.Grant", self._make(f"/datasets/{dataset_id}/grants", body, idempotency_key))

    def change_grant(self, grant_id: str, body: models.GrantChange) -> models.Grant:
        """Change or close a grant that you gave: `client.change_grant(id, {"epsilon": "0.25"})`."""
        return cast("models.Grant", self._patch(f"/grants/{grant_id}", body))

    def create_access_request(
        self, dataset_id: str, body: models.AccessRequestCreate, idempotency_key: str | None = None
    ) -> models.AccessRequest:
        """Ask the owner of a listed data set for a grant.

        `client.create_access_request(id, {"epsilon": "0.5", "delta": "0", "purpose": "The effect of the vaccine"})`.
        """
        return cast(
            "models.AccessRequest", self._make(f"/datasets/{dataset_id}/access-requests", body, idempotency_key)
        )

    def change_access_request(self, request_id: str, body: models.AccessRequestChange) -> models.AccessRequest:
        """Approve, decline or withdraw an access request, for good.

        `client.change_access_request(id, {"state": "withdrawn"})`
        """
        return cast("models.AccessRequest", self._patch(f"/access-requests/{request_id}", body))

    def publish_release(self, release_id: str, *, public: bool) -> models.ReleaseSummary:
        """Make a release of your data set readable without a key, or make it private again.

        `client.publish_release(id, public=True)`
        """
        return cast("models.ReleaseSummary", self._patch(f"/releases/{release_id}", {"public": public}))

    def evidence(self, release_id: str, *, public: bool = False) -> models.Evidence:
        """Return the stored spec and drawn values of a release, signed: `client.evidence(id)`. A public one is read
        without a key.
        """
        place = "/public/releases" if public else "/releases"
        return cast("models.Evidence", self._get(f"{place}/{release_id}/evidence"))

    # Operations that are charged

    @overload
    def create_release(
        self, dataset_id: str, body: models.CountsCreate, idempotency_key: str | None = None, *, again: bool = False
    ) -> models.CountsRelease: ...
    @overload
    def create_release(
        self, dataset_id: str, body: models.MarginsCreate, idempotency_key: str | None = None, *, again: bool = False
    ) -> models.MarginsRelease: ...
    @overload
    def create_release(
        self, dataset_id: str, body: models.QueryCreate, idempotency_key: str | None = None, *, again: bool = False
    ) -> models.QueryRelease: ...
    def create_release(
        self, dataset_id: str, body: Any, idempotency_key: str | None = None, *, again: bool = False
    ) -> models.Release:
        """Create a release; waits for its certificate or plan. This is charged, once for each request to a data set.

        `client.create_release(id, {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "simplex_geometric",
        "epsilon": "0.5"}})`, or `{"kind": "margins", "all": 2, "epsilon": "0.5"}`, or `{"kind": "queries", "queries":
        [{"of": {"labels": ["ill"]}, "half_width": 15.0}], "max_charge": {"epsilon": "0.2"}}`.

        A request for half widths needs `max_charge`; without it LimitMissing states the price. The same request returns
        the paid release, free. `level` and `max_charge` may differ, and so may `prior` if the noise does not depend on
        it. The text then has the prior of the first request, and `release.posterior()` uses that of `body`.
        `again=True` buys fresh noise, and asks queries as if for the first time.
        """
        return cast("models.Release", self._pay(kind_of(body), dataset_id, body, idempotency_key, again=again))

    # Free computations

    @overload
    def quote(
        self, dataset_id: str, body: models.CountsCreate, idempotency_key: str | None = None
    ) -> models.CountsQuote: ...
    @overload
    def quote(
        self, dataset_id: str, body: models.MarginsCreate, idempotency_key: str | None = None
    ) -> models.MarginsQuote: ...
    @overload
    def quote(
        self, dataset_id: str, body: models.QueryCreate, idempotency_key: str | None = None
    ) -> models.QueriesQuote: ...
    def quote(self, dataset_id: str, body: Any, idempotency_key: str | None = None) -> models.Quote:
        """Return the cost of a release, free. `paid_under_key` is the release that the same request would return.

        `client.quote(id, {"kind": "margins", "all": 2, "epsilon": "0.5"})`: the body has the form of `create_release`,
        also without `max_charge`.
        """
        in_key, _, answer = PAID[kind_of(body)]
        own = request_key(in_key, dataset_id, body)
        key = own if idempotency_key is None else idempotency_key
        sent = {**body, "once": key == own}
        return cast(
            "models.Quote", _answer_as_asked(self._make(f"/datasets/{dataset_id}/quotes", sent, key, answer), body)
        )

    def estimate(self, dataset_id: str, body: models.EstimatesCreate) -> models.Estimates:
        """Estimate weighted sums, or tables of a cross table, from all releases that you may read, free.

        `client.estimate(id, {"queries": [{"of": {"labels": ["ill"]}}]})`, `client.estimate(id, {"all": 2})`
        """
        path = f"/datasets/{dataset_id}/estimates"
        if body.get("queries") is not None:
            return cast("models.Estimates", self._post(path, body, QueriesAnswer))
        found: MarginTablesAnswer = self._post(path, body, MarginTablesAnswer)
        found.attributes = self.dataset(dataset_id)["attributes"] or ()
        return cast("models.Estimates", _answer_as_asked(found, body))

    def plan(self, body: models.PlanCreate) -> models.Plan:
        """Compare the mechanisms at made-up counts, free.

        `client.plan({"prior": [1, 1], "data": {"kind": "counts", "counts": [30, 970]}, "epsilons": ["0.5"], "delta":
        "0"})`.
        """
        return cast("models.Plan", self._post("/plans", body, PlanAnswer))

    def certificate(self, body: models.CertificateCreate) -> models.CertifiedEvent:
        """Return the proven cost of a release with public parameters, free: `client.certificate(body)`."""
        return cast("models.CertifiedEvent", self._post("/certificates", body))

    def posterior(
        self,
        sources: Source | Sequence[Source],
        *,
        margin: Sequence[str] | None = None,
        prior: Any = None,
        **asked: Any,
    ) -> models.NoiseAwarePosterior | models.NoiseAwareUnavailable:
        """Return the noise-aware posterior of the shares, free: `client.posterior(id, level=0.9)`.

        `sources` are a release or several of one data set, by id or as the client returned them, whose likelihoods are
        multiplied; or one `NoisyTable` that somebody published. `margin` names the measured margin of a release of
        margins. `prior` is one number for each cell, a list, or `{"each": 0.5, "of": "piece"}`; ½ for each piece if
        left out. The other arguments are fields of the request: `level`, `events`, `quantiles`, `draws`.

        A noisy table is sent to the service, which does not store it unless the computation becomes a job.
        """
        named = [sources] if isinstance(sources, str | Mapping | NoisyTable) else list(sources)
        of_margin = {} if margin is None else {"margin": list(margin)}
        body = {
            "sources": [
                each.source
                if isinstance(each, NoisyTable)
                else {"kind": "release", "release_id": each if isinstance(each, str) else each["id"]} | of_margin
                for each in named
            ],
            "prior": prior_of(prior),
            **asked,
        }
        return self.compute_posterior(cast("models.PosteriorCreate", body))

    def compute_posterior(
        self, body: models.PosteriorCreate
    ) -> models.NoiseAwarePosterior | models.NoiseAwareUnavailable:
        """Return the noise-aware posterior of the shares, free.

        `client.compute_posterior({"sources": [{"kind": "release", "release_id": id}]})`
        """
        is_table = any(each["kind"] == "table" for each in body["sources"])
        answer = self._post("/posteriors", body, TableAnswer if is_table else PosteriorAnswer)
        return cast("models.NoiseAwarePosterior | models.NoiseAwareUnavailable", answer)

    def compare(self, body: models.ComparisonCreate) -> models.Comparison:
        """Compare two shares, of one release or of two, free: `client.compare({"first": first, "second": second})`."""
        return cast("models.Comparison", self._post("/comparisons", body, ComparisonAnswer))

    def plot(
        self,
        release_id: str,
        *,
        level: float = 0.95,
        by: Sequence[str] = (),
        of: models.Cells | None = None,
        margin: Sequence[str] = (),
        width: int = 760,
    ) -> bytes:
        """Return the picture of a release as an SVG document for a width in pixels: `client.plot(id, by=["sex"])`.

        It shows each category, or the cells of a cross table grouped `by` attributes, with the share of the cells
        `of` within each row. Of a release of margins it shows one measured `margin`.
        """
        query: dict[str, Any] = {"level": level, "by": list(by), "margin": list(margin), "width": width}
        if of is not None:
            query["of"] = json.dumps(of)
        return self.ask("GET", f"{_V1}/releases/{release_id}/plot.svg", query=query).content

    # Operations that read

    def dataset(self, dataset_id: str) -> models.Dataset:
        """Return the public facts about a data set: `client.dataset(id)`."""
        return cast("models.Dataset", self._get(f"/datasets/{dataset_id}"))

    def mechanisms(self) -> models.Mechanisms:
        """List the mechanisms of releases, with their names and parameters: `client.mechanisms()`."""
        return cast("models.Mechanisms", self._get("/mechanisms"))

    def datasets(self) -> Listing[models.Dataset]:
        """List the data sets that you own or have a grant on: `client.datasets()`."""
        return self.items(f"{_V1}/datasets", limit=200)

    def listed_datasets(self) -> Listing[models.ListedDataset]:
        """List the data sets that owners listed for all analysts: `client.listed_datasets()`."""
        return self.items(f"{_V1}/listed-datasets", limit=200)

    def listed_dataset(self, dataset_id: str) -> models.ListedDataset:
        """Return what every analyst sees of a listed data set: `client.listed_dataset(id)`."""
        return cast("models.ListedDataset", self._get(f"/listed-datasets/{dataset_id}"))

    def access_requests(
        self, state: str | None = None, *, dataset_id: str | None = None
    ) -> Listing[models.AccessRequest]:
        """List the requests that you made, and those for your data sets: `client.access_requests("open")`."""
        wanted = {"state": state, "dataset_id": dataset_id}
        return self.items(f"{_V1}/access-requests", limit=200, **_stated_filters(wanted))

    def access_request(self, request_id: str) -> models.AccessRequest:
        """Return an access request: `client.access_request(id)`."""
        return cast("models.AccessRequest", self._get(f"/access-requests/{request_id}"))

    def allowance(self, dataset_id: str) -> models.Allowance:
        """Return what you can still release from a data set: `client.allowance(id)`."""
        return cast("models.Allowance", self._get(f"/datasets/{dataset_id}/allowance"))

    def budget(self, budget_id: str) -> models.Budget:
        """Return a budget: `client.budget(id)`."""
        return cast("models.Budget", self._get(f"/budgets/{budget_id}"))

    def budgets(self) -> Listing[models.Budget]:
        """List your budgets: `client.budgets()`."""
        return self.items(f"{_V1}/budgets", limit=200)

    def grants(self, dataset_id: str | None = None) -> Listing[models.Grant]:
        """List the grants that you gave or hold, on one data set or on all: `client.grants(id)`."""
        return self.items(f"{_V1}/grants", limit=200, **_stated_filters({"dataset_id": dataset_id}))

    def releases(
        self,
        dataset_id: str | None = None,
        *,
        kind: Literal["counts", "margins", "queries"] | None = None,
        state: str | None = None,
        order: Literal["oldest", "newest"] = "oldest",
    ) -> Listing[models.ReleaseSummary]:
        """List the releases that you may read, from one data set or from all: `client.releases(kind="queries")`."""
        asked = {"dataset_id": dataset_id, "kind": kind, "state": state, "order": order}
        return self.items(f"{_V1}/releases", limit=200, **{name: each for name, each in asked.items() if each})

    def release_text(self, release_id: str) -> bytes:
        """Return the stored text of a release, byte for byte: `client.release_text(id)`."""
        return self.ask("GET", f"{_V1}/releases/{release_id}").content

    def release(self, release_id: str) -> models.Release:
        """Return a release of any kind as it was first returned: `client.release(id)`."""
        return cast("models.Release", self._get(f"/releases/{release_id}", ReleaseAnswer))

    def ledger(self, budget_id: str) -> Listing[models.LedgerEntry]:
        """List the entries of the ledger of a budget: `client.ledger(id)`."""
        return self.items(f"{_V1}/budgets/{budget_id}/ledger", limit=1000)

    def ledger_text(self, budget_id: str, form: str = "jsonl") -> bytes:
        """Return the whole ledger as JSON lines or as `csv`: `client.ledger_text(id, "csv")`."""
        return self.ask("GET", f"{_V1}/budgets/{budget_id}/ledger.{form}").content

    def head(self, budget_id: str) -> models.SignedHead:
        """Return the signed head of a ledger: `client.head(id)`."""
        return cast("models.SignedHead", self._get(f"/budgets/{budget_id}/head"))

    def statement(self, dataset_id: str) -> models.Statement:
        """Return what was promised about a data set of yours, and what was spent: `client.statement(id)`."""
        return cast("models.Statement", self._get(f"/datasets/{dataset_id}/statement", StatementAnswer))

    def statement_text(self, dataset_id: str) -> str:
        """Return the statement in plain words: `client.statement_text(id)`."""
        return self.ask("GET", f"{_V1}/datasets/{dataset_id}/statement.txt").text

    def public_key(self) -> models.SigningKey:
        """Return the keys that verify receipts and public releases: `client.public_key()`."""
        return cast("models.SigningKey", self._get("/public-key"))

    def principals(self) -> Listing[models.Principal]:
        """List principals, all for an admin and otherwise only yourself: `client.principals()`."""
        return self.items(f"{_V1}/principals", limit=200)

    def analysts(self) -> Listing[models.Analyst]:
        """List the analysts of this installation by name, for owners: `client.analysts()`."""
        return self.items(f"{_V1}/analysts", limit=200)

    def _get(self, path: str, kind: type[Answer] = Answer) -> Any:
        return self._answer_with_client(json_of(self.ask("GET", _V1 + path), kind))

    def _post(self, path: str, body: Any, kind: type[Answer] = Answer) -> Any:
        return self._answer_with_client(json_of(self.ask("POST", _V1 + path, body=body), kind))

    def _patch(self, path: str, body: Any) -> Any:
        response = self.ask("PATCH", _V1 + path, body=body)
        return None if response.status_code == httpx.codes.NO_CONTENT else json_of(response)

    def _pay(self, kind: str, dataset_id: str, body: Any, idempotency_key: str | None, *, again: bool) -> Answer:
        """Send a request that is charged. Its key is the caller's; else a new one if `again`, or the request's own.
        Under its own it is charged once.
        """
        if again and idempotency_key is not None:
            raise NotSendable("again=True makes a key of its own: give it or idempotency_key; nothing was sent")
        in_key, answer, _ = PAID[kind]
        own = request_key(in_key, dataset_id, body)
        key = new_idempotency_key() if again else own if idempotency_key is None else idempotency_key
        sent = {**body, "once": key == own}
        with _add_advice():
            made = None if _is_limited(body) else self._answer_without_limit(dataset_id, sent, key, answer)
            if made is None:
                made = self._make(f"/datasets/{dataset_id}/releases", sent, key, answer)
        return cast("Answer", _answer_as_asked(made, body))

    def _answer_without_limit(self, dataset_id: str, body: Any, key: str, answer: type[Answer]) -> Answer | None:
        """Return what costs nothing. Return None if the key has paid, perhaps for another request, or if nothing can be
        charged. Raises LimitMissing.
        """
        try:
            quote = self.quote(dataset_id, body, key)
            if quote["paid_under_key"] is not None:
                return self._replayed_answer(quote["paid_under_key"]["id"]) if body["once"] else None
            unit = unit_of(quote["would_charge"]["accountant"])
            if kind_of(body) != "queries" or float(cast("Any", quote["would_charge"])[unit]):
                raise LimitMissing(quote["would_charge"])
            limited = {**body, "max_charge": {unit: "0"}}
            return cast("Answer", self._make(f"/datasets/{dataset_id}/releases", limited, key, answer))
        except ProblemError as problem:
            would_charge = problem.document.get("would_charge")
            if problem.code == "max-charge-exceeded" and would_charge is not None:
                raise LimitMissing(would_charge) from problem
            # The key has paid for this request without a limit, or the data set is gone: nothing can be charged.
            if problem.code not in ("idempotency-key-reused", "not-found"):
                raise
        return None

    def _replayed_answer(self, release_id: str) -> Answer:
        found: Answer = self._get(f"/releases/{release_id}", ReleaseAnswer)
        found.replayed = True
        return found

    def _make(self, path: str, body: Any, idempotency_key: str | None, kind: type[Answer] = Answer) -> Any:
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        return self._answer_with_client(json_of(self.ask("POST", _V1 + path, body=body, idempotency_key=key), kind))

    def _answer_with_client(self, answer: Any) -> Any:
        """Return the answer. A release asks with this client from then on."""
        kind = PAID.get(str(answer.get("kind"))) if isinstance(answer, ReleaseAnswer) else None
        if kind is not None and not isinstance(answer, kind[1]):
            answer = kind[1](answer, text=answer.text, replayed=answer.replayed, signature=answer.signature)
        if isinstance(answer, ReleaseAnswer | MarginsAnswer) and "id" in answer:
            answer.client = self
        if isinstance(answer, MarginsAnswer):
            answer.attributes = answer["attributes"]
        return answer


def _stated_filters(filters: Mapping[str, str | None]) -> dict[str, str]:
    """Return the filters of a list that have a value."""
    return {name: value for name, value in filters.items() if value is not None}


def kind_of(body: Mapping[str, Any]) -> str:
    """Return the kind of a request. Requests of 0.2.0 named no kind."""
    of_margins = not body.keys().isdisjoint(("all", "margins", "half_widths"))
    return str(body.get("kind") or ("queries" if "queries" in body else "margins" if of_margins else "counts"))


def _is_limited(body: Mapping[str, Any]) -> bool:
    """Return whether a request names its amount, or the most that may be charged."""
    limit = body.get("max_charge") or {}
    named = any(limit.get(unit) is not None for unit in ("epsilon", "rho"))
    widths = [body.get("half_widths"), *(each.get("half_width") for each in body.get("queries", ()))]
    return named or all(each is None for each in widths)


def _answer_as_asked(answer: Any, body: Mapping[str, Any]) -> Any:
    """Return an answer that shows the intervals of the requested confidence, if it has them, at the requested prior."""
    if isinstance(answer, MarginTablesAnswer | MarginsQuoteAnswer):
        known = [each["confidence"] for table in answer["tables"] for each in table["intervals"]]
        answer.confidence = body["confidence"] if body.get("confidence") in known else answer.confidence
    if isinstance(answer, ReleaseAnswer):
        answer.asked_prior, answer.asked_level = plain(body.get("prior")), body.get("level", answer.asked_level)
    return answer


@contextmanager
def _add_advice() -> Iterator[None]:
    """Name `again=True` in a problem that the same request gets for good."""
    try:
        yield
    except ProblemError as problem:
        if problem.code in _PAID_FOR_NOTHING:
            problem.advice = "again=True requests another one, which is charged."
        raise
