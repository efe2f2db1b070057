"""Finds data sets, budgets and people by name.

The service lists the names of data sets and budgets. It shows nobody's name to others, so an address book on this
machine has the names of other people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from private_posterior.commands.show import fail, note, table

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import Dataset, ListedDataset

_KINDS: Final = {
    "dat": "data set", "bud": "budget", "gra": "grant", "rel": "release", "pri": "person", "key": "key", "job": "job",
    "acc": "access request",
}  # fmt: skip
_ID: Final = re.compile(r"([a-z]{3})_([a-z2-7]{26})")
_LIKE_AN_ID: Final = re.compile(rf"({'|'.join(_KINDS)})_\S*")
_FILE: Final = "people.json"

people_app = typer.Typer(help="Name the people that you give grants to, on this machine.", no_args_is_help=True)


@people_app.command("add")
def add_person(
    name: Annotated[str, typer.Argument(help="Your name for this person.")],
    person: Annotated[str, typer.Argument(metavar="ID", help="The person's id, pri_…; `enrol` shows it to them.")],
) -> None:
    """Give a person's id a name, which grants and lists use from then on. The name stays on this machine."""
    check_id(person, "pri")
    known = read_people()
    if name in known.values() and known.get(person) != name:
        fail(f"{name!r} is already the name of somebody else; choose another name")
    if _LIKE_AN_ID.match(name):
        fail("a name can't look like an id")
    _path().write_text(json.dumps(known | {person: name}, ensure_ascii=False, indent=1), encoding="utf-8")
    note(f"{person} is {name!r} from now on.")


@people_app.command("list")
def list_people() -> None:
    """List the people that you named."""
    table(["name", "person"], [[name, person] for person, name in read_people().items()])


def read_people() -> dict[str, str]:
    """Return the names of people by id."""
    path = _path()
    try:
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError):
        known = None
    if not isinstance(known, dict) or not all(isinstance(name, str) for name in known.values()):
        fail(f"{path} can't be read as JSON with a name for each id")
    return known


def _path() -> Path:
    from private_posterior.commands.access import home

    return home() / _FILE


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


def person_of(text: str) -> str:
    """Return the id of a person, given by name or by id."""
    if _LIKE_AN_ID.fullmatch(text):
        return check_id(text, "pri")
    known = ((id_, name, None) for id_, name in read_people().items())
    return _found(text, known, "person", "; `posterior people add` gives an id a name")


def dataset_of(client: Client, text: str) -> str:
    """Return the id of the data set with this name or id."""
    if _LIKE_AN_ID.fullmatch(text):
        return check_id(text, "dat")
    known = ((each["id"], each["name"], each["owner_name"]) for each in client.datasets())
    return check_id(_found(text, known, "data set"), "dat")


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
    found = check_id(text, "dat") if _LIKE_AN_ID.fullmatch(text) else _found(text, known, "data set")
    # Each is read by itself, because lists leave long labels out.
    return client.listed_dataset(found) if found in listed and found not in readable else client.dataset(found)


def listed_dataset_of(client: Client, text: str) -> str:
    """Return the id of the listed data set with this name or id."""
    if _LIKE_AN_ID.fullmatch(text):
        return check_id(text, "dat")
    listed = ((each["id"], each["name"], each["owner_name"]) for each in client.listed_datasets())
    return check_id(_found(text, listed, "listed data set"), "dat")


def budget_of(client: Client, text: str) -> str:
    """Return the id of the budget with this name or id."""
    if _LIKE_AN_ID.fullmatch(text):
        return check_id(text, "bud")
    known = ((id_, name, None) for id_, name in budget_names(client).items())
    return check_id(_found(text, known, "budget"), "bud")


def dataset_names(client: Client) -> dict[str, str]:
    return {each["id"]: each["name"] for each in client.datasets()}


def budget_names(client: Client) -> dict[str, str]:
    return {each["id"]: each["name"] for each in client.budgets()}


def named(id_: str, names: Mapping[str, str]) -> str:
    """Return a name followed by its id, or only the id if there is no name."""
    return f"{names[id_]} ({id_})" if id_ in names else id_


def _found(text: str, names: Iterable[tuple[str, str, str | None]], kind: str, advice: str = "") -> str:
    from private_posterior.dataset import id_named
    from private_posterior.errors import NoSuchName

    try:
        return id_named(text, kind, names, advice)
    except NoSuchName as error:
        fail(str(error))
