"""Use what is stored of a release only if the service signed it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial

from service.database.rows import ReleaseRow
from service.errors import ReceiptKeyUnavailable, ReleaseAltered
from service.key_file import InstalledKeys
from service.ledger.outcomes import is_genuine, is_paid, is_public_text
from service.ledger.receipts import UnknownKeyError

_logger = logging.getLogger("posterior.releases")


def check_outcome(row: ReleaseRow, keys: InstalledKeys) -> ReleaseRow:
    """Return the row if its drawn values and answer are those that the service stored.

    Raises ReleaseAltered or ReceiptKeyUnavailable.
    """
    _require(row.id, _verified(keys, partial(is_genuine, row)))
    return row


def check_public_text(release_id: str, text: str, keys: InstalledKeys) -> None:
    """Raise ReleaseAltered or ReceiptKeyUnavailable unless this is the signed public text of the release."""
    _require(release_id, _verified(keys, partial(is_public_text, release_id, text)))


def matches_receipt(row: ReleaseRow, keys: InstalledKeys) -> bool:
    """Return whether the row equals its signed receipt. Raises ReceiptKeyUnavailable."""
    return _verified(keys, partial(is_paid, row))


def _require(release_id: str, genuine: bool) -> None:  # noqa: FBT001  an assertion in form
    if not genuine:
        _logger.error("what is stored of a release was altered", extra={"release_id": release_id})
        raise ReleaseAltered


def _verified(keys: InstalledKeys, check: Callable[[Mapping[str, str]], bool]) -> bool:
    try:
        return keys.verified(check)
    except UnknownKeyError as error:
        raise ReceiptKeyUnavailable.of(error.key_id) from None
