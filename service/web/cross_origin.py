"""Allows pages of the configured origins to call the API from a browser. The page sends the key itself; a browser never
adds one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.web.logged import REQUEST_ID_HEADER


def cross_origin(origins: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of Starlette's middleware for these origins."""
    return {
        "allow_origins": list(origins),
        "allow_methods": ["GET", "POST", "PATCH", "DELETE"],
        "allow_headers": ["Authorization", "Content-Type", "Idempotency-Key"],
        "expose_headers": ["Idempotency-Replayed", "Location", "Retry-After", REQUEST_ID_HEADER],
        "allow_credentials": False,
        "max_age": 600,
    }
