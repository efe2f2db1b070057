"""nginx before a test's service, with the configuration in `deploy/`."""

from __future__ import annotations

import datetime as dt
import ipaddress
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.harness.deadlines import PATIENCE
from tests.harness.ports import free_port, wait_for
from tests.harness.programs import installed

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"


class Proxy(NamedTuple):
    """A running proxy: its address, its certificate, the directory of its temporary files, and its process."""

    url: str
    certificate: Path
    directory: Path
    process_id: int


@contextmanager
def nginx(service_url: str, second_url: str = "") -> Iterator[Proxy]:
    """The proxy before a service that has the path prefix of the configuration, of one process or two."""
    binary, port = installed("nginx"), free_port()
    with tempfile.TemporaryDirectory(prefix="posterior-nginx-", dir="/tmp") as name:
        directory = Path(name)
        _make_certificate(directory)
        text = CONFIGURATION.read_text()
        replaced = {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "server_name posterior.example;": "server_name posterior.example 127.0.0.1;",
            "server service:8000": f"server {urlsplit(service_url).netloc}",
            "server service-2:8000": f"server {urlsplit(second_url or service_url).netloc}"
            + ("" if second_url else " backup"),
            "/etc/ssl/private-posterior/": f"{directory}/",
            "http {": "http {"
            + "".join(
                f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            ),
        }
        for ours, theirs in replaced.items():
            assert ours in text
            text = text.replace(ours, theirs)
        (directory / "nginx.conf").write_text(text)
        directives = f"daemon off; pid {directory}/pid; error_log {directory}/log; user root;"
        process = subprocess.Popen(
            [binary, "-e", str(directory / "log"), "-c", str(directory / "nginx.conf"), "-g", directives],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(port, process)
            yield Proxy(f"https://127.0.0.1:{port}/posterior", directory / "certificate.pem", directory, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def _make_certificate(directory: Path) -> None:
    key, instant = ec.generate_private_key(ec.SECP256R1()), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "posterior.example")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(instant)
        .not_valid_after(instant + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (directory / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (directory / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
