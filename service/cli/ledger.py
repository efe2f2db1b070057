"""The commands `private-posterior ledger ...`, on the database and on its exports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ledger_app = typer.Typer(help="Verify ledgers, and reconcile them after a restore.", no_args_is_help=True)

_Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint",
        exists=True,
        dir_okay=False,
        help="File with signed heads, receipts or releases kept earlier. Can be repeated.",
    ),
]
_PublicKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--public-key",
        help=(
            "The service's public key, or a file with the response of /v1/public-key. It verifies the checkpoints' "
            "signatures."
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
            help="Exported ledgers (CSV, JSON lines, JSON pages). By default the database is verified.",
        ),
    ] = None,
    checkpoint: _Checkpoints = None,
    public_key: _PublicKeys = None,
) -> None:
    """Recompute hash chains and balances, and report whether each ledger is unchanged.

    A ledger that was cut short or rewritten as a whole is detected only with a checkpoint that was kept elsewhere.

    Exit codes: 0, every ledger is intact; 1, at least one is not; 2, a file or the database could not be read.
    """
    from service.cli import verifying

    verifying.verify(exports or [], checkpoint or [], public_key or [])


@ledger_app.command("reconcile")
def reconcile(
    receipts: Annotated[
        list[Path] | None,
        typer.Argument(
            exists=True,
            help=(
                "Folders, or files with receipts or with releases as the service returned them. By default the "
                "witness's folder of receipts."
            ),
        ),
    ] = None,
    public_key: _PublicKeys = None,
) -> None:
    """After a restore: charge receipts that the database lacks, and apply its lost decisions again, each once.

    The witness keeps each receipt and every other entry in its folder. Every release that analysts and owners kept
    contains a receipt too. The idempotency keys are bound again, so that no result is drawn twice. What the database
    has changes nothing, so the command can be repeated.
    """
    from service.cli import reconciling

    reconciling.reconcile(receipts or [], public_key or [])


@ledger_app.command("unfreeze")
def unfreeze(
    *,
    freeze_unsettled: Annotated[
        bool,
        typer.Option(
            "--freeze-unsettled", help="Freeze the budgets that are not accounted for, and unfreeze all others."
        ),
    ] = False,
) -> None:
    """After a restore: allow releases again, once every budget is accounted for.

    A budget is accounted for in one of three cases. All its lost charges were charged again from receipts. Its owner
    wrote off the rest (POST /v1/budgets/{id}/write-offs, even with an amount of 0). Or the budget is frozen.

    A budget of which another lost entry was not applied again is frozen until its owner looks. It is named with its
    owner.
    """
    from service.cli import reconciling

    reconciling.unfreeze(freeze_unsettled=freeze_unsettled)


@ledger_app.command("confirm-clock")
def confirm_clock() -> None:
    """Confirm this machine's clock although it contradicts the times in a ledger. Compare it with another clock first.

    Each such ledger gets an entry, and its budget can be charged again. If the clock is wrong and behind, grants that
    have ended can spend again.
    """
    from service.cli import reconciling

    reconciling.confirm_clock()
