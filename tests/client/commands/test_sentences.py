"""A request that fails ends the command with a message that says what to do."""

from __future__ import annotations

import re
import shutil
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from private_posterior.commands.exits import Exit
from tests.client.people import Person, journal, someone
from tests.client.test_client import answering
from tests.harness.deadlines import until
from tests.harness.server import serving
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.server import Server
    from tests.service.conftest import Study

KEY = "pp_" + "x" * 43


@contextmanager
def tls_service(folder: Path) -> Iterator[tuple[str, Path]]:
    """The port of a TLS server with a self-signed certificate, and the file of that certificate."""
    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    file, key = folder / "certificate.pem", folder / "secret.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"status": "ok", "version": "9.9.9"}')

        def log_message(self, *_: object) -> None:
            """A test says nothing."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    try:
        yield str(listener.server_port), file
    finally:
        listener.shutdown()
        listener.server_close()


def test_tls_that_fails_says_how(server: Server, tmp_path: Path) -> None:
    with tls_service(tmp_path) as (port, certificate):
        person = Person(tmp_path, f"https://localhost:{port}", KEY)
        said = person.refused("budgets", "list", code=Exit.NO_SERVICE)
        assert "is not trusted (self" in said
        assert "SSL_CERT_FILE" in said
        person.variables = {"SSL_CERT_FILE": str(certificate)}
        assert "the service is version 9.9.9" in person.refused("budgets", "list", code=Exit.NO_SERVICE)
        person.variables = {"SSL_CERT_FILE": str(tmp_path / "nowhere.pem")}
        assert "SSL_CERT_FILE" in person.refused("budgets", "list", code=Exit.NO_SERVICE)
        plain = Person(tmp_path, f"http://localhost:{port}", KEY)
        assert "speaks TLS: its address begins with https://" in plain.refused("budgets", "list", code=Exit.NO_SERVICE)
    wrong = Person(tmp_path, server.url.replace("http://", "https://"), KEY)
    assert "does not speak TLS" in wrong.refused("budgets", "list", code=Exit.NO_SERVICE)


def test_a_proxy_that_fails_is_named_without_its_password(tmp_path: Path) -> None:
    person = Person(tmp_path, "https://posterior.example.org", KEY)
    proxy = "http://me:secret@127.0.0.1:9"
    person.variables = {"HTTPS_PROXY": proxy, "https_proxy": proxy, "NO_PROXY": "", "no_proxy": ""}
    said = person.refused("budgets", "list", code=Exit.NO_SERVICE)
    assert "the proxy 127.0.0.1:9 of the environment gave no connection" in said
    assert "NO_PROXY" in said
    assert "secret" not in said
    refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    with answering(refusal) as url:
        person.variables |= {"HTTPS_PROXY": url, "https_proxy": url}
        assert "407 Proxy Authentication Required" in person.refused("budgets", "list", code=Exit.NO_SERVICE)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (KEY + " ", "has a space"),
        (KEY[:20] + "\n" + KEY[20:], "a line break"),
        (KEY + "é", "a character that keys do not have"),
    ],
)
def test_a_key_that_can_be_none_is_not_sent(server: Server, tmp_path: Path, key: str, words: str) -> None:
    said = Person(tmp_path, server.url, key).refused("budgets", "list")
    assert words in said
    assert "PRIVATE_POSTERIOR_KEY" in said
    assert KEY not in said


def test_a_file_that_cannot_be_written_is_refused_before_paying(study: Study, server: Server, tmp_path: Path) -> None:
    analyst = someone(tmp_path, server, study.analyst)
    for option in ("--output", "--picture"):
        said = analyst.refused("release", study.dataset_id, "--epsilon", "0.1", option, str(tmp_path / "no" / "file"))
        assert "can't be written (No such file or directory); nothing was sent" in said
    assert "can't be written" in analyst.refused("release", study.dataset_id, "--epsilon", "0.1", "--output", ".")
    assert study.spent() == "0"
    assert journal(analyst) == []


def test_a_budget_of_tables_of_public_size_is_refused_in_words(study: Study, server: Server, tmp_path: Path) -> None:
    table = tmp_path / "counts.csv"
    table.write_text("outcome,count\nill,3\nwell,7\n")
    said = someone(tmp_path, server, study.owner).refused(
        "datasets", "create", "N", "--unit", "one person", "--one-record-per-unit", "--n-is-private",
        "--counts", str(table), "--budget", study.budget_id, code=Exit.REFUSED,
    )  # fmt: skip
    assert "--budget: its tables have a public number of records" in said
    assert "choose or make another budget" in said


def test_a_token_that_was_used_says_when(server: Server, tmp_path: Path) -> None:
    enrolment = server.admin.api.create_principal({"role": "owner", "name": "Owner"})["enrolment"]
    assert enrolment
    token = enrolment["token"]
    first, second = Person(tmp_path / "first", server.url), Person(tmp_path / "second", server.url)
    assert "You are 'Owner', pri_" in first.run("enrol", said=token + "\n").stderr
    used = second.run("enrol", said=token + "\n", code=Exit.REFUSED).stderr
    assert f"used already, at {datetime.now(UTC):%Y-%m-%d}T" in used
    assert "there is no such token" in second.run("enrol", said="ppe_" + "x" * 40, code=Exit.REFUSED).stderr
    assert "this is not an invitation" in second.run("enrol", said="two words", code=Exit.UNUSABLE).stderr


def test_a_key_that_ended_says_when(server: Server, tmp_path: Path) -> None:
    enrolment = server.admin.api.create_principal({"role": "owner", "name": "Owner"})["enrolment"]
    assert enrolment
    owner = Person(tmp_path, server.url)
    later, ends = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}", "2026-01-02T03:04:05Z"
    owner.run("enrol", "--expires", later, said=enrolment["token"] + "\n")
    server.rows("UPDATE api_keys SET expires_at = 1 WHERE principal_id = :id", id=enrolment["principal_id"])
    credentials = tmp_path / "credentials.json"
    credentials.write_text(credentials.read_text().replace(later, ends))
    [key] = re.findall(r"pp_[\w-]+", credentials.read_text())
    # The service remembers a caller for a moment.
    until(lambda: server.http.get("/v1/me", headers={"Authorization": f"Bearer {key}"}).status_code == 401)
    said = owner.refused("budgets", "list", code=Exit.KEY_REFUSED)
    assert f"your key ended at {ends}" in said
    assert "posterior enrol --replace" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["datasets", "show", "bud_" + "a" * 26], "this is a budget's id; the id of a data set begins with dat_"),
        (["budgets", "show", "dat_" + "a" * 26], "this is a data set's id; the id of a budget begins with bud_"),
        (["posterior", "dat_" + "a" * 26], "this is a data set's id; the id of a release begins with rel_"),
        (["grants", "close", "rel_" + "a" * 26], "this is a release's id; the id of a grant begins with gra_"),
        (["datasets", "show", "dat_abc"], "26 letters and digits, copied whole"),
        (["posterior", "rel_" + "a" * 26, "--level", "95"], "--level 95: write 0.95"),
        (["posterior", "rel_" + "a" * 26, "--level", "95%"], "--level 95%: write 0.95"),
        (["posterior", "rel_" + "a" * 26, "--level", "0,9"], "--level 0,9: write 0.9"),
        (["posterior", "rel_" + "a" * 26, "--level", "nan"], "between 0 and 1"),
        (["release", "dat_" + "a" * 26, "--epsilon", "0,5"], "--epsilon 0,5: write 0.5"),
        (["release", "dat_" + "a" * 26, "--epsilon", ",5"], "--epsilon ,5: write 0.5"),
        (["release", "dat_" + "a" * 26, "--epsilon", "nan"], "--epsilon nan: an amount is a number"),
        (["budgets", "create", "B", "--epsilon", "-1"], "--epsilon -1: an amount is a number"),
        (["plan", "--records", "9000", "--categories", "2000"], "at most 1 000 categories, and these are 2 000"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_answered_with_the_right_form(
    server: Server, tmp_path: Path, arguments: list[str], words: str
) -> None:
    assert words in Person(tmp_path, server.url, KEY).refused(*arguments)


def test_a_restore_ends_the_command_at_once_and_nothing_is_sent_later(server: Server, tmp_path: Path) -> None:
    document = (
        b'{"type": "/problems/restore-pending", "title": "Restored.", "status": 503, "detail": "Restored.", '
        b'"charged": false, "retry_safe": true, "retryable": true}'
    )
    study = make_study(server.new("owner"), server.new("analyst"))
    answers: list[str] = []

    class Restored(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answers.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(503)
            for name, value in (
                ("Content-Type", "application/problem+json"), ("Retry-After", "1"),
                ("Content-Length", str(len(document))),
            ):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(document)

        def do_GET(self) -> None:
            with study.analyst.api.http.stream(
                "GET", self.path, headers={"Authorization": self.headers.get("Authorization", "")}
            ) as answer:
                content = answer.read()
            self.send_response(answer.status_code)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """A test says nothing."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Restored)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    try:
        analyst = Person(tmp_path, f"http://127.0.0.1:{listener.server_port}", study.analyst.key)
        said = analyst.refused("release", study.dataset_id, "--epsilon", "0.1", code=Exit.REFUSED)
    finally:
        listener.shutdown()
        listener.server_close()
    assert "until its operator has reconciled it" in said
    assert len(answers) == 1
    assert journal(analyst) == []
    assert study.spent() == "0"


def test_a_request_that_takes_longer_than_a_second_shows_progress(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    url = f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
    with serving(tmp_path, url, response_time_quantum_ms="3000") as slow:
        study = make_study(slow.new("owner"), slow.new("analyst"))
        analyst = someone(tmp_path, slow, study.analyst)
        shown = analyst.run("release", study.dataset_id, "--epsilon", "0.1").stderr
    assert re.search(r"waiting, [123] s: the service computes", shown), shown
