"""Answers every kind of failure with a problem, whose text repeats nothing of the request or the database."""

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

from service import errors, log
from service.database.engine import is_disconnect
from service.errors import Problem
from service.web.validation import problem_of_findings

_IDEMPOTENCY_KEY: Final = "Idempotency-Key"


def add_handlers(app: FastAPI) -> None:
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_validation)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(DBAPIError, _answer_database)


def render(problem: Problem, scope: Scope) -> JSONResponse:
    """The answer that tells the problem, which the application's figures count."""
    problem = _as_told(problem, Request(scope))
    scope["app"].state.metrics.problems.labels(problem.code).inc()
    log.add(problem=problem.code)
    if problem.__cause__ is not None:
        log.add(**log.failure(problem.__cause__))
    return JSONResponse(problem.body(), problem.status, problem.headers, media_type="application/problem+json")


async def _answer_problem(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    return render(problem, request.scope)


def _as_told(problem: Problem, request: Request) -> Problem:
    """The problem as it is told of a request with an Idempotency-Key, or without: whether something took effect can
    hang on an earlier request under the same.
    """
    if problem.charged is False and problem.code not in errors.DOUBTED:
        return problem
    needs_key, charges = _needs_key(request), request.app.state.runtime.caches.reported_charges
    told = problem
    if isinstance(problem, errors.OutcomeUnknown) and needs_key is None:
        told = errors.UnnamedOutcomeUnknown()
    elif problem.code in errors.DOUBTED and needs_key and charges.may_be_charged(request):
        told = errors.DOUBTED[problem.code]()
    if told is not problem:
        told.__cause__ = problem.__cause__
    if needs_key and told.charged is not False:
        charges.add(request)
    return told


def _needs_key(request: Request) -> bool | None:
    """Whether the operation needs an Idempotency-Key, as all that charge do; None where it takes none, or was sent
    none.
    """
    if "route" not in request.scope or _IDEMPOTENCY_KEY not in request.headers:
        return None
    taken = get_flat_params(request.scope["route"].dependant)
    return next((each.field_info.is_required() for each in taken if each.alias == _IDEMPOTENCY_KEY), None)


async def _answer_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return render(problem_of_findings(error.errors(), error.body), request.scope)


_BY_STATUS = {404: errors.NotFound, 405: errors.MethodNotAllowed, 413: errors.BodyTooLarge, 400: errors.MalformedBody}


async def _answer_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    response = render(_BY_STATUS.get(error.status_code, errors.InternalError)(), request.scope)
    if error.status_code == status.HTTP_405_METHOD_NOT_ALLOWED:
        response.headers["Allow"] = _allowed(request)
    return response


def _allowed(request: Request) -> str:
    """The methods that the path takes; the framework's own list names those of the first route alone."""
    scopes = [dict(request.scope) | {"method": method} for method in ("GET", "POST", "PATCH", "DELETE")]
    return ", ".join(
        scope["method"]
        for scope in scopes
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    )


async def _answer_database(request: Request, error: Exception) -> JSONResponse:
    """The answer to what the database refused or could not do. Its text can hold a row, so nothing of it is told or
    logged.
    """
    if isinstance(error, IntegrityError):  # by a constraint, outside the debit
        unique = "unique" in str(getattr(error, "orig", "")).lower()
        return render(errors.NameTaken() if unique else errors.Conflict(), request.scope)
    log.add(**log.failure(error))
    if isinstance(error, DBAPIError) and is_disconnect(error):
        return render(errors.DatabaseUnavailable(), request.scope)
    return render(errors.InternalError(), request.scope)
