"""The commands `posterior access ...`: analysts' access requests and owners' decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.names import check_id, dataset_names, named
from private_posterior.commands.options import DatasetName, Delta, Epsilon, Rho, amount
from private_posterior.commands.readers import CommandsByReader
from private_posterior.commands.show import AsJson, amount_text, as_json, fail, note, pages_as_json, table

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import AccessRequest, AccessRequestChange, AccessRequestCreate

access_app = typer.Typer(
    name="access",
    cls=CommandsByReader,
    help="Request access to listed data sets; decide on requests.",
    no_args_is_help=True,
)
_RequestId: TypeAlias = Annotated[str, typer.Argument(metavar="REQUEST", help="Id of the request, acc_….")]
_State: TypeAlias = Literal["open", "approved", "declined", "withdrawn", "ended"]


@access_app.command("request", rich_help_panel="Analysts")
def request(
    dataset: DatasetName,
    purpose: Annotated[str, typer.Option(help="The question that you want to answer; the owner reads it to decide.")],
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Delta = "0",
    json: AsJson = False,
) -> None:
    """Ask the owner of a listed data set for a grant. The owner sees your name, the amount and the purpose."""
    from private_posterior.commands.journal import once
    from private_posterior.commands.names import listed_dataset_of

    given = {"epsilon": epsilon, "rho": rho, "delta": delta, "purpose": purpose}
    body = cast("AccessRequestCreate", {name: value for name, value in given.items() if value is not None})
    with connected() as client:
        dataset = listed_dataset_of(client, dataset)
        with once(
            client,
            f"access-requests {dataset}",
            body,
            lambda key: client.create_access_request(dataset, body, key),
        ) as made:
            as_json(made) if json else _show(client, [made])


@access_app.command("requests")
def requests(
    state: Annotated[_State | None, typer.Option(help="List only those in this state.")] = None,
    json: AsJson = False,
) -> None:
    """List the requests that you made, and those for your data sets."""
    with connected() as client:
        found = client.access_requests(state)
        pages_as_json(found) if json else _show(client, list(found))


@access_app.command("approve", rich_help_panel="Owners")
def approve(
    request: _RequestId,
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Annotated[
        str | None, typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="δ of the grant's cap.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time at which the grant ends, such as 2027-01-31T12:00:00Z.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Give the analyst the requested amount, or one that you name."""
    given = {"epsilon": epsilon, "rho": rho, "delta": delta, "expires_at": expires}
    _decide(request, {"state": "approved"} | {name: each for name, each in given.items() if each is not None}, json)


@access_app.command("decline", rich_help_panel="Owners")
def decline(
    request: _RequestId,
    reason: Annotated[str, typer.Option(help="The reason, which the analyst can read.")],
    json: AsJson = False,
) -> None:
    """Decline a request. The analyst sees the reason, and can ask again."""
    _decide(request, {"state": "declined", "reason": reason}, json)


@access_app.command("withdraw", rich_help_panel="Analysts")
def withdraw(request: _RequestId, json: AsJson = False) -> None:
    """Withdraw a request of yours that is open."""
    _decide(request, {"state": "withdrawn"}, json)


def _decide(request_id: str, body: dict[str, Any], json: bool) -> None:  # noqa: FBT001  the option of each command
    check_id(request_id, "acc")
    with connected() as client:
        found = client.change_access_request(request_id, cast("AccessRequestChange", body))
        as_json(found) if json else _show(client, [found])
        if not found["changed"]:
            note(f"This request was {found['state']} before; nothing was changed.")


def _show(client: Client, found: list[AccessRequest]) -> None:
    data_sets = dataset_names(client)
    if not found:
        fail("there are no such requests", 0)
    people = {each["principal_id"]: each["name"] for each in found if each["name"] is not None}
    table(
        ["request", "data set", "analyst", "asked for", "state", "purpose"],
        [
            [
                each["id"], named(each["dataset_id"], data_sets), named(each["principal_id"], people),
                amount_text(each["requested"]), _state(each), each["purpose"] or "erased",
            ]
            for each in found
        ],
    )  # fmt: skip


def _state(request: AccessRequest) -> str:
    """Return the state of the request and its result."""
    more = request["reason"] or request["grant_id"]
    return f"{request['state']}: {more}" if more else request["state"]
