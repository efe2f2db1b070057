"""The commands `private-posterior counts ...`, for the encryption of counts at rest."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli.terminal import fail, open_database, read_settings, require_ready

counts_app = typer.Typer(help="Manage the encryption of counts at rest.", no_args_is_help=True)
_ROWS_AT_ONCE = 50


@counts_app.command("rotate")
def rotate() -> None:
    """Encrypt all counts with a new key. The service can run meanwhile, and the command can be interrupted and
    repeated.

    SQLite: the command adds a new key to the key file, or continues with the newest key if an earlier run was
    interrupted. The key file keeps the old keys.

    With POSTERIOR_COUNTS_KEYS, or a key file for PostgreSQL: put the new key first and keep the old ones after it.
    Restart every service, run this command, and remove the old keys when it reports that all counts are done.
    """
    from service.database.engine import reading, truncate_log, writing
    from service.datasets.counts import count_unrotated, rotate_counts
    from service.runtime.key_file import add_counts_key, makes_counts_keys, open_keys
    from service.settings.settings import SettingsError

    settings = read_settings()
    require_ready(settings)
    with open_database(settings) as engine:
        try:
            if makes_counts_keys(settings.keys):
                ring = open_keys(engine, settings.keys).ring
                with reading(engine) as connection:
                    is_done = not count_unrotated(connection, ring)
                if is_done:
                    add_counts_key(settings.keys)
                    ring = open_keys(engine, settings.keys).ring
            else:
                ring = open_keys(engine, settings.keys, known=True).ring
        except SettingsError as error:
            fail(str(error))
        done, unreadable, after = 0, list[str](), ""
        while True:
            with writing(engine) as connection:
                step = rotate_counts(connection, ring, after=after, limit=_ROWS_AT_ONCE)
            done, unreadable = done + step.count, [*unreadable, *step.unreadable]
            if step.last is None:
                break
            after = step.last
        with reading(engine) as connection:
            left = count_unrotated(connection, ring)
        emptied = truncate_log(engine, wait_seconds=5)
    typer.echo(f"{done} data sets were encrypted with key {ring.current}; {left} are left.")
    typer.echo(
        "Copy the keys to where you keep them apart from the backups: without this key nobody can read the counts."
    )
    if not emptied:
        typer.echo(
            "The write-ahead log is in use, or the disk is full: the log may contain the old ciphertexts until its "
            "next checkpoint."
        )
    for dataset_id in unreadable:
        typer.echo(
            f"data set {dataset_id} does not open: its key is not in POSTERIOR_COUNTS_KEYS, or it was altered", err=True
        )
    if left:
        raise typer.Exit(1)


@counts_app.command("abandon")
def abandon(
    key: Annotated[str, typer.Argument(help="The id of the key, as the service names it when it refuses to start.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,  # noqa: FBT002  given by its name
) -> None:
    """Delete the data sets whose counts are encrypted with a key that is lost for good, as their owners would.

    Ledgers, releases and what was spent stay. The owners can register the counts again on the same budgets.
    """
    from service.database.engine import reading, writing
    from service.datasets.counts import keys_in_use
    from service.datasets.datasets import abandon_next
    from service.runtime.key_file import load_keys
    from service.settings.settings import SettingsError

    settings = read_settings()
    require_ready(settings)
    try:
        present = load_keys(settings.keys).ring.keys
    except SettingsError:  # the key file is lost with the key
        present = {}
    if key in present:
        fail(f"the counts key {key} is available, so no counts have to be abandoned")
    with open_database(settings) as engine:
        with reading(engine) as connection:
            if key not in keys_in_use(connection):
                fail(f"no counts are encrypted with a key {key}")
        if not yes:
            typer.confirm(f"Delete all data sets whose counts are encrypted with key {key}?", abort=True, err=True)
        count = 0
        while True:
            with writing(engine) as connection:
                if abandon_next(connection, key) is None:
                    break
            count += 1
    typer.echo(f"{count} data sets were deleted. Their owners can register them again on the same budgets.")
