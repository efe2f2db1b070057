"""The commands `private-posterior receipts ...`, for the key that signs receipts and heads."""

from __future__ import annotations

import typer

from service.cli.terminal import fail, read_settings, require_ready

receipts_app = typer.Typer(help="Manage the key that signs receipts and heads.", no_args_is_help=True)


@receipts_app.command("rotate")
def rotate() -> None:
    """Sign receipts and heads with a new key after the next restart. Earlier public keys stay published, and old
    receipts stay valid.

    With a key file, the command creates the new key in it. Otherwise put the new key in POSTERIOR_RECEIPT_KEY first.
    Then restart the service: until then it signs with the old key, and it does not start with the old key again.
    """
    from service.database.engine import open_engine, reading, writing
    from service.key_checks import change_receipt_key, published_keys
    from service.key_file import load_keys, replace_receipt_key
    from service.settings import SettingsError

    settings = read_settings()
    require_ready(settings)
    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        with reading(engine) as connection:
            known = {key.key_id for key in published_keys(connection)}
        signer = load_keys(settings.keys).signer
        if not known and not settings.receipt_key:
            with writing(engine) as connection:
                change_receipt_key(connection, signer)
        if signer.key_id in known or not (known or settings.receipt_key):
            if settings.receipt_key:
                fail("POSTERIOR_RECEIPT_KEY holds a key that was used before: put a new one there first")
            replace_receipt_key(settings.keys)
            signer = load_keys(settings.keys).signer
        with writing(engine) as connection:
            change_receipt_key(connection, signer)
    except SettingsError as error:
        fail(str(error))
    finally:
        engine.dispose()
    typer.echo(f"Receipts are signed with key {signer.key_id} as soon as the service is restarted.")
