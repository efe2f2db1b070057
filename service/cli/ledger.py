"""Declares the commands `private-posterior ledger ...`: on the database, and on exports of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ledger_app = typer.Typer(help="Show, export and verify ledgers; bring one back after a restore.", no_args_is_help=True)

_Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint",
        exists=True,
        dir_okay=False,
        help="File with signed heads, receipts or releases kept earlier. Repeatable.",
    ),
]
_PublicKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--public-key",
        help=(
            "The service's public key, or a file with the answer of /v1/public-key; checks the checkpoints' signatures."
        ),
    ),
]


@ledger_app.command("verify")
def verify(
    exports: Annotated[
        list[Path] | None,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="Exported ledgers (CSV, JSON lines, JSON pages). The database when left out.",
        ),
    ] = None,
    checkpoint: _Checkpoints = None,
    public_key: _PublicKeys = None,
) -> None:
    """Recompute hash chains and balances, and say whether the ledger is still what was once written.

    A ledger that was cut short, or written anew as a whole, shows only against a checkpoint that was kept elsewhere.

    Exit codes: 0, every ledger is intact; 1, at least one is not; 2, something could not be read.
    """
    from service.cli import verifying

    verifying.verify(exports or [], checkpoint or [], public_key or [])


@ledger_app.command("reconcile")
def reconcile(
    receipts: Annotated[
        list[Path],
        typer.Argument(
            exists=True, dir_okay=False, help="Files with receipts, or with releases as they were answered."
        ),
    ],
    public_key: _PublicKeys = None,
) -> None:
    """After a restore: charge again the receipts that the database forgot, each once.

    Receipts come from analysts and owners: every release they were answered holds one. Their idempotency keys are bound
    again, so that nothing that was drawn is drawn anew. Running it again, or with receipts that the database knows,
    changes nothing.
    """
    from service.cli import reconciling

    reconciling.reconcile(receipts, public_key or [])


@ledger_app.command("unfreeze")
def unfreeze(
    *,
    freeze_unsettled: Annotated[
        bool,
        typer.Option(
            "--freeze-unsettled", help="Freeze the budgets that are not accounted for, and let the others go on."
        ),
    ] = False,
) -> None:
    """After a restore: allow releases again, once every budget is accounted for.

    A budget is accounted for when all its forgotten entries were charged again from receipts, when its owner has
    written off what stays unknown (POST /v1/budgets/{id}/write-offs, also of nothing), or when it is frozen by itself.
    """
    from service.cli import reconciling

    reconciling.unfreeze(freeze_unsettled=freeze_unsettled)
