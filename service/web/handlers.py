"""Answers every kind of failure with a problem. Its text contains nothing from the request or the database."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI, Request, status
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError, IntegrityError
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from service import errors
from service.database.engine import is_disconnect
from service.errors import Problem
from service.identifiers.identifiers import failure
from service.logs import log
from service.web.validation import problem_of_findings

_IDEMPOTENCY_KEY: Final = "Idempotency-Key"
_PATHS: Final = ("certificate", "job")
"""Members of problems that are paths of the service. They get the prefix at which a proxy publishes it."""


def add_handlers(app: FastAPI) -> None:
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_validation)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(DBAPIError, _answer_database)


def render(problem: Problem, scope: Scope) -> JSONResponse:
    """Return the response of a problem, and count it in the metrics."""
    problem = _problem_for_request(problem, Request(scope))
    scope["app"].state.metrics.problems.labels(problem.code).inc()
    log.add(problem=problem.code)
    if problem.__cause__ is not None:
        log.add(**failure(problem.__cause__))
    body, prefix = problem.body(), scope.get("root_path", "")
    body |= {name: prefix + body[name] for name in _PATHS if name in body}
    return JSONResponse(body, problem.status, problem.headers, media_type="application/problem+json")


async def _answer_problem(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    return render(problem, request.scope)


def _problem_for_request(problem: Problem, request: Request) -> Problem:
    """Return the variant of the problem for this request: its outcome can depend on an earlier request under the same
    Idempotency-Key.
    """
    if problem.charged is False and problem.code not in errors.DOUBTED:
        return problem
    needs_key, charges = _needs_key(request), request.app.state.runtime.caches.reported_charges
    answer = problem
    if isinstance(problem, errors.OutcomeUnknown) and needs_key is None:
        answer = errors.UnnamedOutcomeUnknown()
    elif problem.code in errors.DOUBTED and needs_key and charges.may_be_charged(request):
        answer = errors.DOUBTED[problem.code]()
    if answer is not problem:
        answer.__cause__ = problem.__cause__
    if needs_key and answer.charged is not False:
        charges.add(request)
    return answer


def _needs_key(request: Request) -> bool | None:
    """Return whether the operation requires an Idempotency-Key, as all charging operations do. Return None if it
    accepts none or none was sent.
    """
    if "route" not in request.scope or _IDEMPOTENCY_KEY not in request.headers:
        return None
    taken = get_flat_params(request.scope["route"].dependant)
    return next((each.field_info.is_required() for each in taken if each.alias == _IDEMPOTENCY_KEY), None)


async def _answer_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return render(problem_of_findings(error.errors(), error.body), request.scope)


_PROBLEM_BY_STATUS = {
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    413: errors.BodyTooLarge,
    400: errors.MalformedBody,
}


async def _answer_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    response = render(_PROBLEM_BY_STATUS.get(error.status_code, errors.InternalError)(), request.scope)
    if error.status_code == status.HTTP_405_METHOD_NOT_ALLOWED:
        response.headers["Allow"] = _allowed_methods(request)
    return response


def _allowed_methods(request: Request) -> str:
    """Return the methods of the path. The framework lists only the methods of its first route."""
    scopes = [dict(request.scope) | {"method": method} for method in ("GET", "POST", "PATCH", "DELETE")]
    return ", ".join(
        scope["method"]
        for scope in scopes
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    )


async def _answer_database(request: Request, error: Exception) -> JSONResponse:
    """Return the response to a database error. The error's text can contain a row, so it is neither sent nor logged."""
    if isinstance(error, IntegrityError):  # a constraint refused a statement outside the debit
        unique = "unique" in str(getattr(error, "orig", "")).lower()
        return render(errors.NameTaken() if unique else errors.Conflict(), request.scope)
    log.add(**failure(error))
    if isinstance(error, DBAPIError) and is_disconnect(error):
        return render(errors.DatabaseUnavailable(), request.scope)
    return render(errors.InternalError(), request.scope)
