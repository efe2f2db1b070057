"""Read the service's keys from the settings or a key file.

With SQLite, the key file is created on first use beside the database, readable only by its owner. A backup of the
database without it contains no readable counts. PostgreSQL can serve several machines. A file created by one of them
would lock out the others, so the keys must be configured.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Engine

from service.database.engine import reading, writing
from service.datasets.cipher import KeyRing, KeyRingError, new_key
from service.datasets.counts import known_keys
from service.ledger.journal import fsync
from service.ledger.receipts import Signer, UnknownKeyError, key_id_of
from service.runtime.key_checks import check_keys, may_make_keys
from service.settings.settings import KeySettings, SettingsError, check_private

_RETIRED_FIELD: Final = "retired_receipt_public_keys"
_RETIRED_SECRETS: Final = "retired_creation_secrets"
_CREATIONS: Final = "creations"
_PUBLIC_PREFIX: Final = "public:"
"""Prefix of an earlier receipt key whose private half the file no longer has."""
_MADE_KEY: Final = re.compile(r"(?:^|,)\s*k([0-9]+):")
"""Matches the ids of counts keys created here: k1, k2, and so on."""
_READ_AGAIN_SECONDS: Final = 1.0
T = TypeVar("T")


class Keys(NamedTuple):
    """The ring that encrypts counts, the signer of receipts, and all public keys of receipts by key id.

    `earlier_secrets` are those that earlier receipt keys gave to creations.
    """

    ring: KeyRing
    signer: Signer
    public_keys: dict[str, str]
    earlier_secrets: tuple[bytes, ...] = ()

    @property
    def creation_secrets(self) -> tuple[bytes, ...]:
        """Return the secrets that recognise repeated creations, the current one first."""
        return self.signer.secret_for(_CREATIONS), *self.earlier_secrets


class InstalledKeys:
    """The last read keys of an installation. Thread-safe."""

    def __init__(self, settings: KeySettings, keys: Keys) -> None:
        self._settings = settings
        self._current = keys
        self._reading_time = time.monotonic()
        self._lock = threading.Lock()

    @property
    def current(self) -> Keys:
        return self._current

    def ring_for(self, key_id: str) -> KeyRing:
        """Return the ring. If it lacks this key, read the key file again first."""
        self.know(key_id)
        return self._current.ring

    def know(self, counts_key_id: str, receipt_key_id: str | None = None) -> bool:
        """Return whether the counts key and the public key of a receipt are known.

        If not, the key file is read again first, at most once a second.
        """
        if not self._knows(counts_key_id, receipt_key_id):
            self._reload_keys()
        return self._knows(counts_key_id, receipt_key_id)

    def verified(self, check: Callable[[Mapping[str, str]], T]) -> T:
        """Return `check` of the public keys by id. If it lacks one, the key file is read again first.

        Raises UnknownKeyError.
        """
        try:
            return check(self._current.public_keys)
        except UnknownKeyError:
            self._reload_keys()
            return check(self._current.public_keys)

    def _knows(self, counts_key_id: str, receipt_key_id: str | None) -> bool:
        keys = self._current
        return counts_key_id in keys.ring.keys and (receipt_key_id is None or receipt_key_id in keys.public_keys)

    def _reload_keys(self) -> None:
        with self._lock:
            if time.monotonic() - self._reading_time < _READ_AGAIN_SECONDS:
                return
            self._reading_time = time.monotonic()
            with suppress(SettingsError):  # the file may be being replaced
                found = load_keys(self._settings)
                # A process never changes its signing key.
                self._current = found._replace(
                    signer=self._current.signer,
                    public_keys=self._current.public_keys | found.public_keys,
                    earlier_secrets=found.creation_secrets,
                )


def open_keys(engine: Engine, settings: KeySettings, *, known: bool = False) -> Keys:
    """Load the keys and compare them with the check values in the database.

    Raises SettingsError if they are missing, unusable or belong to another database; with `known`, also if the current
    key is new to the database.
    """
    with reading(engine) as connection:
        may_make = may_make_keys(connection)
    keys = load_keys(settings, may_make=may_make)
    with writing(engine) as connection:
        before = known_keys(connection)
        check_keys(connection, keys.ring, keys.public_keys)
        if known and keys.ring.current not in before:
            raise SettingsError(
                f"no service has been started with the counts key {keys.ring.current} yet: restart every service with "
                "it first, since they could not draw from counts that are encrypted with it"
            )
    return keys


def load_keys(settings: KeySettings, *, may_make: bool = False) -> Keys:
    """Load the keys from the settings and the key file. With SQLite and `may_make`, create a missing file. Raises
    SettingsError if a key is missing or unusable.

    Of several receipt keys, separated by commas, the first one signs. Earlier ones may be given by their public half,
    as `public:` and the public key.
    """
    stored = _key_file(settings, may_make=may_make)
    counts_keys = settings.counts_keys or stored.get("counts_keys", "")
    if not (settings.receipt_key or stored.get("receipt_key")):
        raise SettingsError("POSTERIOR_RECEIPT_KEY must be set: receipts are signed with it")
    if not counts_keys:
        raise SettingsError("POSTERIOR_COUNTS_KEYS must be set: counts are encrypted with them")
    try:
        public_keys = _public_keys(settings, stored)
        signer = Signer.parse((settings.receipt_key or stored["receipt_key"]).split(",")[0])
        earlier = _list_items(settings.receipt_key or stored["receipt_key"])[1:]
        secrets = [_creation_secret(each) for each in earlier if not each.startswith(_PUBLIC_PREFIX)]
        secrets += map(bytes.fromhex, _list_items(stored.get(_RETIRED_SECRETS, "")))
        return Keys(KeyRing.parse(counts_keys), signer, public_keys, tuple(secrets))
    except (KeyRingError, ValueError) as error:
        raise SettingsError(str(error)) from None


def load_public_keys(settings: KeySettings) -> dict[str, str]:
    """Return the public keys of this installation's receipts by id. Creates no file. Raises SettingsError."""
    path = settings.file
    try:
        return _public_keys(settings, _key_file(settings) if path is not None and path.exists() else {})
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _public_keys(settings: KeySettings, stored: Mapping[str, str]) -> dict[str, str]:
    """Return the public keys of receipts by id, the current one first. Raises SigningKeyError."""
    given = _list_items(settings.receipt_key or stored.get("receipt_key", ""))
    public_keys = [
        each.removeprefix(_PUBLIC_PREFIX) if each.startswith(_PUBLIC_PREFIX) else Signer.parse(each).public_key
        for each in given
    ]
    return {key_id_of(each): each for each in public_keys + _list_items(stored.get(_RETIRED_FIELD, ""))}


def _creation_secret(receipt_key: str) -> bytes:
    return Signer.parse(receipt_key).secret_for(_CREATIONS)


def _list_items(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _key_file(settings: KeySettings, *, may_make: bool = False) -> dict[str, str]:
    path = settings.file
    if path is None:
        return {}
    if not path.exists() and settings.is_embedded and may_make:
        _make(path)
    if not path.exists():
        if settings.is_embedded:
            raise SettingsError(
                f"the key file {path} is missing. The database needs the keys that were in it: restore the file"
            )
        raise SettingsError("POSTERIOR_KEY_FILE does not name a file")
    check_private(path)
    try:
        content = json.loads(path.read_text())
    except OSError as error:
        raise SettingsError(f"the key file {path} can't be read: {error.strerror}") from None
    except ValueError:
        content = None
    if not isinstance(content, dict) or not all(isinstance(value, str) for value in content.values()):
        raise SettingsError(
            f"the key file {path} is not a JSON object of texts, for example since it was cut short: restore your copy"
        )
    return content


def makes_counts_keys(settings: KeySettings) -> bool:
    """Return whether the counts keys are in a key file of this machine, to which a command may add one."""
    return settings.is_embedded and not settings.counts_keys


def add_counts_key(settings: KeySettings) -> None:
    """Add a new counts key to the key file as the current one. Running services read the file again when they find
    counts encrypted with it. Raises SettingsError.
    """
    path = settings.file
    assert path is not None, "SQLite has one"
    stored = _key_file(settings)
    before = stored["counts_keys"]
    number = max([0, *map(int, _MADE_KEY.findall(before))]) + 1
    _write_draft(path, stored | {"counts_keys": f"k{number}:{new_key()},{before}"}).replace(path)
    fsync(path.parent)


def replace_receipt_key(settings: KeySettings) -> None:
    """Replace the receipt key in the key file.

    The file keeps the public half of earlier keys, because what they signed is checked for good, and their secrets by
    which repeated creations are recognised. Raises SettingsError if the key is in a variable, or if the file can't be
    written.
    """
    path = settings.file
    if path is None or settings.receipt_key:
        raise SettingsError(
            "the receipt key is in POSTERIOR_RECEIPT_KEY: put a new one before it there, and restart the service"
        )
    stored = _key_file(settings)
    retired = ",".join(_public_keys(settings, stored).values())
    secrets = [_creation_secret(stored["receipt_key"]).hex(), *_list_items(stored.get(_RETIRED_SECRETS, ""))]
    changed = {"receipt_key": new_key(), _RETIRED_FIELD: retired, _RETIRED_SECRETS: ",".join(secrets)}
    _write_draft(path, stored | changed).replace(path)
    fsync(path.parent)


def _write_draft(path: Path, content: dict[str, str]) -> Path:
    """Write a temporary file beside `path`, readable only by its owner, that can replace it. If that fails, remove it
    and raise SettingsError.
    """
    draft = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "w") as file:
            json.dump(content, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if draft is not None:
            draft.unlink()
        raise SettingsError(f"the key file {path} can't be written: {error.strerror}") from None
    return draft


def _make(path: Path) -> None:
    """Write new keys to a draft and link it into place.

    If several processes start at once, all read the keys of the first one.
    """
    if not path.parent.exists():
        raise SettingsError(
            f"there is no folder {path.parent} for the key file: make it, or correct POSTERIOR_KEY_FILE"
        )
    draft = _write_draft(path, {"counts_keys": f"k1:{new_key()}", "receipt_key": new_key()})
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    fsync(path.parent)  # counts encrypted after a crash would need the key file
