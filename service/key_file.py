"""Where the service's own keys come from: the settings, or a key file.

SQLite is the embedded default, so its key file is made on first use, beside the database and readable by its owner alone; a backup of the
database without it holds no readable counts. PostgreSQL serves several machines, where a file made by one of them would lock out the others: there the
keys must be given.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from service.datasets.cipher import KeyRing, KeyRingError, new_key
from service.ledger.receipts import Signer, SigningKeyError
from service.settings import Settings, SettingsError


def load_keys(settings: Settings) -> tuple[KeyRing, Signer]:
    """The ring that seals counts and the signer of receipts. Raises SettingsError where a key is missing or unusable."""
    stored = _key_file(settings)
    counts_keys = settings.counts_keys or stored.get("counts_keys", "")
    receipt_key = settings.receipt_key or stored.get("receipt_key", "")
    if not receipt_key:
        raise SettingsError("POSTERIOR_RECEIPT_KEY must be set: receipts are signed with it")
    if not counts_keys and not settings.allow_plaintext_counts:
        raise SettingsError("POSTERIOR_COUNTS_KEYS must be set, or POSTERIOR_ALLOW_PLAINTEXT_COUNTS be true")
    try:
        ring = (
            KeyRing.parse(counts_keys, reads_plaintext=settings.allow_plaintext_counts)
            if counts_keys
            else KeyRing.plaintext()
        )
        return ring, Signer.parse(receipt_key)
    except (KeyRingError, SigningKeyError) as error:
        raise SettingsError(str(error)) from None


def find_public_key(settings: Settings) -> str | None:
    """The public key of this installation's receipts; None where its signing key isn't at hand. Makes no key file."""
    path = (
        Path(settings.key_file)
        if settings.key_file
        else settings.data_directory / "keys.json"
        if settings.is_sqlite
        else None
    )
    stored = _key_file(settings) if path is not None and path.exists() else {}
    seed = settings.receipt_key or stored.get("receipt_key", "")
    try:
        return Signer.parse(seed).public_key if seed else None
    except SigningKeyError as error:
        raise SettingsError(str(error)) from None


def _key_file(settings: Settings) -> dict[str, str]:
    if settings.key_file:
        path = Path(settings.key_file)
    elif settings.is_sqlite:
        path = settings.data_directory / "keys.json"
    else:
        return {}
    if not path.exists() and settings.is_sqlite:
        _make(path)
    if not path.exists():
        raise SettingsError("POSTERIOR_KEY_FILE names no file")
    try:
        content = json.loads(path.read_text())
    except ValueError:
        content = None
    if not isinstance(content, dict) or not all(isinstance(value, str) for value in content.values()):
        raise SettingsError("the key file must be a JSON object of texts")
    return content


def _make(path: Path) -> None:
    """Writes fresh keys under a name of its own and links it into place: of several processes that start at once, one wins and all read its keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump({"counts_keys": f"k1:{new_key()}", "receipt_key": new_key()}, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
