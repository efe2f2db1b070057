"""The commands `posterior budgets ...` and `grants ...`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from private_posterior.commands.access import connected
from private_posterior.commands.names import (
    analyst_names,
    analyst_of,
    budget_of,
    check_id,
    dataset_names,
    dataset_of,
    named,
    person_of,
)
from private_posterior.commands.options import BudgetName, DatasetName, Delta, Epsilon, Rho, amount
from private_posterior.commands.readers import CommandsByReader
from private_posterior.commands.show import AsJson, amount_text, as_json, facts, fail, note, pages_as_json, table

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import Budget, BudgetChange, BudgetCreate, Grant, GrantChange, GrantCreate

budgets_app = typer.Typer(
    name="budgets", cls=CommandsByReader, help="Open, list, change and freeze budgets.", no_args_is_help=True
)
grants_app = typer.Typer(
    name="grants",
    cls=CommandsByReader,
    help="Let analysts spend from your budgets, up to a cap.",
    no_args_is_help=True,
)
_GrantId = Annotated[str, typer.Argument(metavar="GRANT", help="Id of a grant, gra_….")]


@budgets_app.command("create")
def create_budget(
    name: Annotated[str, typer.Argument(help="Name of the budget.")],
    epsilon: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT", parser=amount("--epsilon"), help=("Upper bound on the ε of all releases together.")
        ),
    ],
    delta: Delta = "0",
    accountant: Annotated[
        Literal["basic", "zcdp"],
        typer.Option(help="basic adds up ε and δ; zcdp adds up ρ, for many Gaussian releases."),
    ] = "basic",
    json: AsJson = False,
) -> None:
    """Open a budget. Data sets about the same people share one."""
    from private_posterior.commands.journal import once

    body = cast("BudgetCreate", {"accountant": accountant, "name": name, "epsilon": epsilon, "delta": delta})
    with (
        connected() as client,
        once(client, "budgets", body, lambda key: client.create_budget(body, key)) as made,
    ):
        as_json(made) if json else _show_budget(made)


@budgets_app.command("list")
def list_budgets(json: AsJson = False) -> None:
    """List your budgets with total, spending and remainder."""
    with connected() as client:
        if json:
            pages_as_json(client.budgets())
            return
        found = list(client.budgets())
    table(
        ["budget", "name", "total", "spent", "remaining", ""],
        [
            [
                each["id"],
                each["name"],
                *(amount_text(each[what]) for what in ("total", "spent", "remaining")),
                _state(each),
            ]
            for each in found
        ],
    )


@budgets_app.command("show")
def show_budget(budget: BudgetName, json: AsJson = False) -> None:
    """Show a budget: total, spending and remainder."""
    with connected() as client:
        found = client.budget(budget_of(client, budget))
    as_json(found) if json else _show_budget(found)


@budgets_app.command("change")
def change_budget(
    budget: BudgetName,
    name: Annotated[str | None, typer.Option(help="New name.")] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", parser=amount("--epsilon"), help=("New total; it can't be below what is spent.")
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="New total; it can't be below what is spent."),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="MECHANISM", help="The only mechanisms of releases, repeated; linear is for queries."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Rename a budget, change its total, or allow mechanisms. The ledger records every change."""
    given = {"name": name, "epsilon": epsilon, "delta": delta, "allowed_mechanisms": allow or None}
    _change_budget(budget, given, json=json)


@budgets_app.command("freeze", rich_help_panel="Owners and admins")
def freeze(budget: BudgetName, json: AsJson = False) -> None:
    """Stop all releases from a budget, until its owner unfreezes it. An admin can freeze any budget, by its id."""
    with connected() as client:
        frozen = client.freeze_budget(budget_of(client, budget))
    if frozen is None:
        note("The budget is frozen. Only its owner can unfreeze it.")
    else:
        as_json(frozen) if json else _show_budget(frozen)


@budgets_app.command("unfreeze")
def unfreeze(budget: BudgetName, json: AsJson = False) -> None:
    """Allow releases from a frozen budget again."""
    _change_budget(budget, {"frozen": False}, json=json)


@budgets_app.command("transfer", rich_help_panel="Admins")
def transfer(
    former: Annotated[str, typer.Argument(metavar="FROM", help="Owner whose access has ended: id or name.")],
    successor: Annotated[str, typer.Argument(metavar="TO", help="New owner: id or name.")],
    budget: Annotated[
        str | None, typer.Option(metavar="BUDGET", help="Id of one budget, bud_…. By default all are transferred.")
    ] = None,
) -> None:
    """Give the budgets of an owner who has left to another owner. Their data sets and grants go with them."""
    with connected() as client:
        from_, to = person_of(client, former), person_of(client, successor)
        theirs = [each["id"] for each in client.budgets_of(from_)]
        if budget is not None and check_id(budget, "bud") not in theirs:
            fail(f"{budget} is not a budget of {from_}")
        for each in theirs if budget is None else [budget]:
            client.transfer_budget(each, to)
            note(f"{each} is now a budget of {to}.")
        if not theirs:
            note(f"{from_} has no budget.")


def _change_budget(budget: str, changes: dict[str, Any], *, json: bool) -> None:
    body = cast("BudgetChange", {name: value for name, value in changes.items() if value is not None})
    if not body:
        fail("give an option with a change")
    with connected() as client:
        changed = client.change_budget(budget_of(client, budget), body)
    as_json(changed) if json else _show_budget(changed)


def _state(budget: Budget) -> str:
    if budget["restore_pending"]:
        return "restore pending"
    return "frozen" if budget["frozen"] else "low" if budget["below_threshold"] else ""


def _show_budget(budget: Budget) -> None:
    guarantee = budget["guarantee"]
    facts(
        ("budget", budget["id"]),
        ("name", budget["name"]),
        ("guarantee", f"epsilon {guarantee['epsilon']}, delta {guarantee['delta']} for all releases together"),
        ("total", amount_text(budget["total"])),
        ("spent", amount_text(budget["spent"])),
        ("remaining", amount_text(budget["remaining"])),
        ("state", _state(budget)),
        ("ledger", f"{budget['sequence']} entries, head {budget['head_hash']}"),
    )


def _end_of_day_in_a_year() -> str:
    """Return the end of the day in a year, so that a command that is repeated on the same day is the same."""
    return f"{datetime.now(UTC) + timedelta(days=365):%Y-%m-%d}T23:59:59Z"


@grants_app.command("create")
def create_grant(
    dataset: DatasetName,
    analyst: Annotated[str, typer.Argument(metavar="ANALYST", help="Name or id of the analyst.")],
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Delta = "0",
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Time at which the grant ends, such as 2027-01-31T12:00:00Z, or `never`. By default in a year, as in "
            "the console.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Let an analyst spend up to a cap of the budget on a data set."""
    from private_posterior.commands.journal import once

    until = {None: _end_of_day_in_a_year(), "never": None}.get(expires, expires)
    cap = {"epsilon": epsilon, "rho": rho, "delta": delta, "expires_at": until}
    with connected() as client:
        dataset, given = dataset_of(client, dataset), {"principal_id": analyst_of(client, analyst)} | cap
        body = cast("GrantCreate", {name: value for name, value in given.items() if value is not None})
        with once(client, f"grants {dataset}", body, lambda key: client.create_grant(dataset, body, key)) as made:
            as_json(made) if json else _show_grants(client, [made])


@grants_app.command("list", rich_help_panel="Everyone")
def list_grants(
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="List only those on this data set: name or id.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the grants that you gave or hold."""
    with connected() as client:
        found = client.grants(None if dataset is None else dataset_of(client, dataset))
        pages_as_json(found) if json else _show_grants(client, list(found))


@grants_app.command("change")
def change_grant(
    grant: _GrantId,
    epsilon: Epsilon = None,
    rho: Rho = None,
    delta: Annotated[
        str | None, typer.Option(metavar="AMOUNT", parser=amount("--delta"), help="New δ of the cap.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="New end; a later one renews an expired grant.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Change the cap or the end of a grant. What it spent is not refunded."""
    _change_grant(grant, {"epsilon": epsilon, "rho": rho, "delta": delta, "expires_at": expires}, json=json)


@grants_app.command("close")
def close_grant(grant: _GrantId, json: AsJson = False) -> None:
    """End a grant. What it spent is not refunded."""
    _change_grant(grant, {"closed": True}, json=json)


@grants_app.command("reopen")
def reopen_grant(grant: _GrantId, json: AsJson = False) -> None:
    """Reopen a closed grant. What it spent is not refunded."""
    _change_grant(grant, {"closed": False}, json=json)


def _change_grant(grant_id: str, changes: dict[str, Any], *, json: bool) -> None:
    body = cast("GrantChange", {name: value for name, value in changes.items() if value is not None})
    if not body:
        fail("give an option with a change")
    check_id(grant_id, "gra")
    with connected() as client:
        changed = client.change_grant(grant_id, body)
        as_json(changed) if json else _show_grants(client, [changed])


def _show_grants(client: Client, found: list[Grant]) -> None:
    data_sets, people = dataset_names(client), analyst_names(client)
    table(
        ["grant", "data set", "analyst", "cap", "spent", "remaining", ""],
        [
            [
                each["id"], named(each["dataset_id"], data_sets), named(each["principal_id"], people),
                *(amount_text(each[what]) for what in ("cap", "spent", "remaining")),
                "closed" if each["closed"] else each["expires_at"] or "",
            ]
            for each in found
        ],
    )  # fmt: skip
