"""Diagnoses failed connections: host name, port, TLS or proxy."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx

_PORTS: Final = {"http": 80, "https": 443}
_PROBE_SECONDS: Final = 5


def what_stopped(error: httpx.TransportError, url: httpx.URL) -> str:
    """Return a sentence with the cause of a failed connection to `url` and what to do."""
    place = f"{url.host}:{port_of(url)}"
    if isinstance(error, httpx.UnsupportedProtocol):
        return f"{url} is not an address such as https://posterior.example.org"
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"the certificate of {place} is not trusted ({cause.verify_message.rstrip('.')}); if your organisation "
                "signs its own, SSL_CERT_FILE names the file with its certificates"
            )
        if isinstance(cause, ssl.SSLError) and _is_plain(cause):
            return f"the server at {place} does not speak TLS: the port or https:// is wrong"
        if isinstance(cause, ssl.SSLError):
            return f"no TLS connection to {place} came about ({cause.reason or cause})"
    if proxy := _proxy_for(url):
        reason = str(error) if isinstance(error, httpx.ProxyError) else "it does not answer"
        return (
            f"the proxy {proxy} of the environment gave no connection to {place} ({reason}); HTTPS_PROXY names the "
            "proxy, and NO_PROXY the hosts that need none"
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"there is no host named {url.host}, or no network"
    if isinstance(error, httpx.TimeoutException):
        return f"nothing answers at {url} in time"
    return f"nothing answers at {url}"


def speaks_tls(url: httpx.URL) -> bool:
    """Return whether the port of an address accepts TLS. Sends only a handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((url.host, port_of(url)), _PROBE_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=url.host),
        ):
            return True
    except OSError:
        return False


def port_of(url: httpx.URL) -> int:
    return url.port or _PORTS.get(url.scheme, 0)


def _is_plain(error: ssl.SSLError) -> bool:
    return error.reason in {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL", "HTTP_REQUEST"}


def _proxy_for(url: httpx.URL) -> str:
    """Return the environment's proxy for an address, without its password; empty if there is none."""
    if url.host in {"127.0.0.1", "::1", "localhost"} or proxy_bypass(url.host):
        return ""
    proxies = getproxies()
    named = proxies.get(url.scheme) or proxies.get("all") or ""
    return f"{named.rpartition('@')[2]}".removeprefix("http://")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
