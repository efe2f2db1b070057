"""Finds data sets, budgets and people by name.

The service lists the names of data sets and budgets, those of analysts to owners, and those of all people to admins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from private_posterior.commands.show import fail

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import Dataset, ListedDataset

_KINDS: Final = {
    "dat": "data set", "bud": "budget", "gra": "grant", "rel": "release", "pri": "person", "key": "key", "job": "job",
    "acc": "access request",
}  # fmt: skip
_ID: Final = re.compile(r"([a-z]{3})_([a-z2-7]{26})")
_ID_PATTERN: Final = re.compile(rf"({'|'.join(_KINDS)})_\S*")


def check_id(text: str, kind: str) -> str:
    """Return the text if it is an id of this kind.

    Otherwise end the command with a message that states what the text is.
    """
    found, wanted = _ID.fullmatch(text), _KINDS[kind]
    if found is None:
        fail(f"{text!r} is not an id of a {wanted}: {kind}_ and 26 letters and digits, copied whole")
    if found[1] != kind:
        what = f"a {_KINDS[found[1]]}'s id" if found[1] in _KINDS else "the id of something else"
        fail(f"{text}: this is {what}; the id of a {wanted} begins with {kind}_")
    return text


def analyst_of(client: Client, text: str) -> str:
    """Return the id of an analyst, given by name or by id."""
    return _principal_of(text, client.analysts, "analyst")


def person_of(client: Client, text: str) -> str:
    """Return the id of a person, given by name or by id. For admins."""
    return _principal_of(text, client.principals, "person")


def _principal_of(text: str, listed: Callable[[], Iterable[Any]], kind: str) -> str:
    if _ID_PATTERN.fullmatch(text):
        return check_id(text, "pri")
    known = ((each["id"], each["name"], None) for each in listed() if each["name"] is not None)
    return check_id(_find_id(text, known, kind), "pri")


def analyst_names(client: Client) -> dict[str, str]:
    """Return the names of analysts by id; none unless the caller is an owner."""
    from private_posterior.errors import ProblemError

    try:
        return {each["id"]: each["name"] for each in client.analysts()}
    except ProblemError as problem:
        if problem.code != "role-not-allowed":
            raise
        return {}


def dataset_of(client: Client, text: str) -> str:
    """Return the id of the data set with this name or id."""
    if _ID_PATTERN.fullmatch(text):
        return check_id(text, "dat")
    known = ((each["id"], each["name"], each["owner_name"]) for each in client.datasets())
    return check_id(_find_id(text, known, "data set"), "dat")


def readable_or_listed(client: Client, text: str) -> Dataset | ListedDataset:
    """Return the public facts of the data set with this name or id, which the caller may read, or which is listed."""
    from private_posterior.errors import ProblemError

    readable = {each["id"]: (each["name"], each["owner_name"]) for each in client.datasets()}
    listed = dict[str, tuple[str, str | None]]()
    if text not in readable and text.strip().casefold() not in {name.casefold() for name, _ in readable.values()}:
        try:
            listed = {each["id"]: (each["name"], each["owner_name"]) for each in client.listed_datasets()}
        except ProblemError as problem:  # only analysts see the list
            if problem.code != "role-not-allowed":
                raise
    known = ((id_, *names) for id_, names in (listed | readable).items())
    found = check_id(text, "dat") if _ID_PATTERN.fullmatch(text) else _find_id(text, known, "data set")
    # Each is read by itself, because lists leave long labels out.
    return client.listed_dataset(found) if found in listed and found not in readable else client.dataset(found)


def listed_dataset_of(client: Client, text: str) -> str:
    """Return the id of the listed data set with this name or id."""
    if _ID_PATTERN.fullmatch(text):
        return check_id(text, "dat")
    listed = ((each["id"], each["name"], each["owner_name"]) for each in client.listed_datasets())
    return check_id(_find_id(text, listed, "listed data set"), "dat")


def budget_of(client: Client, text: str) -> str:
    """Return the id of the budget with this name or id."""
    if _ID_PATTERN.fullmatch(text):
        return check_id(text, "bud")
    known = ((id_, name, None) for id_, name in budget_names(client).items())
    return check_id(_find_id(text, known, "budget"), "bud")


def dataset_names(client: Client) -> dict[str, str]:
    return {each["id"]: each["name"] for each in client.datasets()}


def budget_names(client: Client) -> dict[str, str]:
    return {each["id"]: each["name"] for each in client.budgets()}


def named(id_: str, names: Mapping[str, str]) -> str:
    """Return a name followed by its id, or only the id if there is no name."""
    return f"{names[id_]} ({id_})" if id_ in names else id_


def _find_id(text: str, names: Iterable[tuple[str, str, str | None]], kind: str) -> str:
    from private_posterior.dataset import id_named
    from private_posterior.errors import NoSuchName

    try:
        return id_named(text, kind, names)
    except NoSuchName as error:
        fail(str(error))
