"""Converts errors into a message that states what to do, and an exit code for scripts. No message names a path of the
API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from private_posterior.commands.exits import Exit
from private_posterior.commands.show import amount_text, fail
from private_posterior.credentials import KEY, SERVER
from private_posterior.errors import AnswerLost, LimitMissing, NotSendable, NotTheService, ProblemError, Unreachable

_REFUSALS_OF_KEYS: Final = {"unauthenticated", "role-not-allowed", "recovery-pending"}
_OPTIONS: Final = {
    "epsilon", "nominal_epsilon", "delta", "rho", "level", "prior", "unit", "labels", "counts", "encoding",
    "half_width", "confidence", "weights", "target_width", "target_error", "records_per_unit",
}  # fmt: skip
_SENTENCE_BY_CODE: Final = {
    "role-not-allowed": "the role of this key may not do this: owners register and grant, analysts plan and release",
    "not-found": "not found, or not visible to this key; `datasets list`, `grants list` and `releases` "
    "show what it may see",
    "object-quota-exceeded": "you have reached this service's limit of these for one person",
    "name-taken": "you have one of this name already; choose another name",
    "token-invalid": "there is no such token or recovery code, or it has expired, or a newer one took its place: ask "
    "the admin for another",
    "restore-pending": "the service was restored from a backup, and releases nothing until its operator has reconciled "
    "it. This command does not wait: run it again then",
    "decryption-key-unavailable": "the service lacks the key that decrypts the counts, and releases nothing until its "
    "operator has restored it. This command does not wait: run it again then",
    "max-charge-exceeded": "it would cost more than --max-charge allows",
    "release-failed": "this was charged and could not be produced, and the same command always ends like this. With "
    "--again it requests another one, which is charged",
    "release-lost": "this was charged, but a restore of the database lost the result, and the same command always ends "
    "like this. With --again it requests another one, which is charged",
    "rate-limited": "too many requests at once; run the command again in a moment",
}
"""The service's problems in terms of the command line."""
_REPLACEMENTS: Final = (
    (re.compile(r"[Ss]end the same request again,? under the same Idempotency-Key"), "run the same command again"),
    (re.compile(r"[Tt]he same request, under the same Idempotency-Key,"), "the same command, run again,"),
    (re.compile(r"[Ss]end the (same )?request again"), "run the same command again"),
    (re.compile(r"\s*\(?\b(GET|POST|PATCH|PUT|DELETE) /[\w/{}.-]+\)?"), " the service"),
    (re.compile(r"/(v1|problems)/[\w/{}.-]*"), "the service"),
)


class UnfinishedError(Exception):
    """A request was answered, and a later request of the same command failed: the cause of this error."""


@contextmanager
def sentences(*, key_ended_at: str | None = None) -> Iterator[None]:
    """End the command with a message and an exit code for any error of the client in the block."""
    try:
        yield
    except ProblemError as problem:
        fail(_sentence(problem, key_ended_at), _code(problem))
    except LimitMissing as error:
        price = amount_text(error.would_charge)
        fail(
            f"give --max-charge, the most that may be charged: the price is {price} now; nothing was charged",
            Exit.UNUSABLE,
        )
    except NotSendable as error:
        place = f"; {KEY} or the file of credentials holds it" if "API key" in str(error) else ""
        fail(f"{error}{place}", Exit.UNUSABLE)
    except (Unreachable, NotTheService) as error:
        fail(f"{error}. Check the service's address in {SERVER}", Exit.NO_SERVICE)
    except AnswerLost:
        fail("the response did not arrive; run the same command again: it is charged at most once", Exit.UNKNOWN)
    except UnfinishedError as error:
        fail(
            f"a response arrived, but then {_cause(error.__cause__)}. If you run the same command again, it is "
            "charged at most once",
            Exit.INCOMPLETE,
        )
    except KeyboardInterrupt:
        fail("interrupted; run the same command again to continue the request that was sent", Exit.INTERRUPTED)


def _code(problem: ProblemError) -> Exit:
    if problem.document["charged"] is None:
        return Exit.UNKNOWN
    if problem.document["charged"]:
        return Exit.UNKNOWN if problem.document["retryable"] else Exit.CHARGED
    return Exit.KEY_REFUSED if problem.code in _REFUSALS_OF_KEYS else Exit.REFUSED


def _sentence(problem: ProblemError, key_ended_at: str | None) -> str:
    document = problem.document
    charged = {True: "charged", False: "not charged", None: "not known whether it was charged"}[document["charged"]]
    notes = [problem.code, charged]
    if room := document.get("largest_possible_charge"):
        without = ", delta 0" if room["delta"] == "0" and room["accountant"] == "basic" else ""
        notes.append(f"at most {amount_text(room)}{without} is left")
    if asked := document.get("would_charge"):
        notes.append(f"it would charge {amount_text(asked)}")
    errors = document.get("errors", [])
    others = "".join(f"\n  {_place(each['location'])}: {_plain_text(each['rule'])}" for each in errors[1:])
    return f"{_problem_text(problem, key_ended_at)} [{'; '.join(notes)}]{others}"


def _problem_text(problem: ProblemError, key_ended_at: str | None) -> str:
    document = problem.document
    if problem.code == "unauthenticated":
        if key_ended_at is not None:
            return f"your key ended at {key_ended_at}: ask the admin for a token, and run `posterior enrol --replace`"
        return f"the service does not take this key: it is unknown, or it was revoked, or it expired; {KEY} holds it"
    if problem.code == "token-already-used":
        return (
            f"this token or recovery code was used already, at {document.get('used_at')}. If that was not you, tell "
            "the admin and the owner at once"
        )
    if problem.code in _SENTENCE_BY_CODE:
        return _SENTENCE_BY_CODE[problem.code]
    if errors := document.get("errors"):
        return f"{_place(errors[0]['location'])}: {_plain_text(errors[0]['rule'])}"
    return _plain_text(str(problem))


def _cause(error: BaseException | None) -> str:
    return _problem_text(error, None) if isinstance(error, ProblemError) else str(error)


def _place(location: str) -> str:
    """Return the option that breaks a rule, or the name of the field."""
    inside = location.removeprefix("body.").removeprefix("query.").removeprefix("path.")
    if inside == "budget.id":
        return "--budget"
    last = re.split(r"[.\[]", inside)[-1].rstrip("]") if "[" not in inside.rpartition(".")[2] else inside
    return f"--{last.replace('_', '-')}" if last in _OPTIONS else inside or "the command"


def _plain_text(text: str) -> str:
    for pattern, words in _REPLACEMENTS:
        text = pattern.sub(words, text)
    return text
