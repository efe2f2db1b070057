"""The commands `private-posterior receipts ...`, for the key that signs receipts and heads."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli.terminal import fail, read_settings, require_ready

receipts_app = typer.Typer(help="Manage the key that signs receipts and heads.", no_args_is_help=True)


@receipts_app.command("rotate")
def rotate() -> None:
    """Put a new key into the key file, with which receipts and heads are signed after the next restart. The file keeps
    the public half of the old key, so old receipts stay valid.

    If the key is in POSTERIOR_RECEIPT_KEY, put a new one there, before the old one, and restart the service instead.
    """
    from service.runtime.key_file import load_keys, replace_receipt_key
    from service.settings.settings import SettingsError

    settings = read_settings()
    require_ready(settings)
    try:
        replace_receipt_key(settings.keys)
        key_id = load_keys(settings.keys).signer.key_id
    except SettingsError as error:
        fail(str(error))
    typer.echo(f"Receipts are signed with key {key_id} as soon as the service is restarted.")


@receipts_app.command("prune")
def prune(
    copy: Annotated[
        str,
        typer.Argument(
            help="A backup: a SQLite file, or the address of a PostgreSQL database that was restored from one."
        ),
    ],
) -> None:
    """Delete the files of the witness's folder of receipts whose entries are all in a backup. The file of today stays.

    The backup is verified first. Keep it: a restore from an older one needs the deleted receipts.
    """
    from service.cli import pruning

    pruning.prune(copy)
