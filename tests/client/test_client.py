"""The typed client against a running service. It waits if waiting helps, names each request once, and distinguishes
three failures: not sent, possibly applied, and refused.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest

from private_posterior.client import Client
from private_posterior.connection import IDLE_SECONDS, Waiting
from private_posterior.credentials import HOME, KEY, SERVER, Access, keep_access
from private_posterior.errors import AnswerLost, NotSendable, NotTheService, ProblemError, Unreachable
from tests.client.middleman import between
from tests.harness.bodies import budget_body, registration
from tests.harness.deadlines import PATIENCE
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.server import problem_code, serving
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from pathlib import Path

    from private_posterior.models import ComparisonCreate, CountsCreate, ShareQuestion
    from tests.harness.server import Party, Server
    from tests.service.conftest import Study

RELEASE: CountsCreate = {
    "kind": "counts",
    "prior": [1, 1],
    "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"},
}


def certified(epsilon: str) -> CountsCreate:
    """A release whose certificate takes long enough to be waited for, on the first request."""
    return {
        "kind": "counts",
        "prior": [1, 1],
        "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": epsilon, "delta": "0"},
    }


def test_it_does_the_main_job(study: Study, server: Server) -> None:
    with Client.open(server.url, study.analyst.key) as client:
        assert client.check_version() == "0.3.0"
        released = client.create_release(study.dataset_id, RELEASE)
        assert [each["id"] for each in client.releases(study.dataset_id)] == [released["id"]]
        posterior = client.posterior(released["id"], level=0.9)
        assert posterior["kind"] == "noise_aware"
        assert client.plot(released["id"]).startswith(b"<svg")
        estimates = client.estimate(study.dataset_id, {"queries": [{"of": {"labels": ["case"]}}]})
        assert estimates["used"] == [released["id"]]
    with Client.open(server.url, study.owner.key) as client:
        budget = client.budget(study.budget_id)
        assert budget["spent"] == released["charged"]
        assert len(list(client.ledger(study.budget_id))) == budget["sequence"]
        assert "One record stands for" in client.statement_text(study.dataset_id)


def test_it_opens_the_service_and_the_key_that_enrol_wrote(
    study: Study, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (SERVER, KEY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    with pytest.raises(NotSendable, match="`posterior enrol` makes that file"):
        Client.open()
    keep_access(Access(server.url, study.analyst.key))
    with Client.open() as client:
        assert client[study.dataset_id].id == study.dataset_id
    with Client.open(server.url) as client, pytest.raises(ProblemError, match="key"):
        client.datasets()[0]  # the key of the file is for the service of the file
    monkeypatch.setenv(KEY, study.owner.key)
    with Client.open() as client:
        assert client.budget(study.budget_id)["id"] == study.budget_id
    with Client.open(key=study.analyst.key) as client, pytest.raises(ProblemError):
        client.budget(study.budget_id)
    monkeypatch.setenv(SERVER, "http://elsewhere.example.org")
    with pytest.raises(NotSendable, match="must begin with https://"):
        Client.open()


def test_a_wrong_label_is_answered_with_the_nearest_one(study: Study, server: Server) -> None:
    with Client.open(server.url, study.analyst.key) as client:
        release = client.create_release(study.dataset_id, RELEASE)["id"]
        share: ShareQuestion = {"kind": "share", "of": {"labels": ["cases"]}}
        side = {"sources": [{"kind": "release", "release_id": release}], "of": share["of"]}
        asked: list[Callable[[], object]] = [
            lambda: client.posterior(release, questions=[share]),
            lambda: client.estimate(study.dataset_id, {"queries": [{"of": {"labels": ["cases"]}}]}),
            lambda: client.compare(cast("ComparisonCreate", dict.fromkeys(("first", "second"), side))),
        ]
        for ask in asked:
            with pytest.raises(ProblemError, match="“cases” was sent; did you mean “case”"):
                ask()


def test_it_goes_through_all_pages(server: Server) -> None:
    owner = server.new("owner")
    for number in range(5):
        owner.api.create_budget({"accountant": "basic", "name": f"{number}", "epsilon": "1", "delta": "0"})
    assert [each["name"] for each in owner.api.items("/v1/budgets", limit=2)] == ["0", "1", "2", "3", "4"]


def test_it_waits_for_a_certificate_as_long_as_retry_after_says(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*NOBODY_WAITS)
    study = make_study(server.new("owner"), server.new("analyst"), counts=[60, 240])
    with pytest.raises(ProblemError) as told:
        study.analyst.api.create_release(study.dataset_id, certified("0.2"))
    assert (told.value.code, told.value.document["charged"]) == ("preparation-pending", False)
    waited: list[Waiting] = []
    with Client.open(server.url, study.analyst.key, on_wait=waited.append) as client:
        released = client.create_release(study.dataset_id, certified("0.2"))
    assert released["certificate"]["method"] == "exact_channel"
    assert {each.problem["type"] for each in waited} == {"/problems/preparation-pending"}
    assert all(before.seconds < after.seconds for before, after in pairwise(waited))


def test_the_service_waits_for_a_job_in_place_of_the_client(
    study: Study, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*NOBODY_WAITS)
    waited: list[Waiting] = []
    with Client.open(server.url, study.analyst.key, on_wait=waited.append) as client:
        plan = client.plan(
            {"prior": [1, 1], "data": {"kind": "counts", "counts": [5, 9]}, "epsilons": ["0.5"], "delta": "0"}
        )
    assert plan["points"][0]["epsilon"] == "0.5"
    assert waited == []


def test_links_of_answers_lead_to_the_service_behind_a_proxy_with_a_prefix(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTTP clients resolve links against the address of the request."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    url = f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
    plan: Any = {"prior": [1, 1], "data": {"kind": "counts", "counts": [5, 9]}, "epsilons": ["0.5"], "delta": "0"}
    table = [{"name": "a", "levels": ["x", "y"]}, {"name": "b", "levels": ["x", "y"]}]
    with (
        serving(tmp_path, url, root_path="/posterior", behind_proxy="true") as server,
        between(server, "/posterior") as proxy,
    ):
        owner = server.new("owner")
        http = httpx.Client(headers=owner.headers, timeout=PATIENCE)
        body = registration([5, 6, 7, 8], attributes=table)
        del body["labels"]
        dataset_id = owner.post("/v1/datasets", body).json()["id"]
        paid = f"{proxy.url}/v1/datasets/{dataset_id}"
        with monkeypatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            answer = http.post(f"{proxy.url}/v1/plans", json=plan)
            assert answer.status_code == 202, answer.text
            links = [answer.headers["Location"], answer.json()["result"]]
            mechanism = {"kind": "exponential", "calibration": "certified", "epsilon": "0.2", "delta": "0"}
            for path, member, body in (
                ("releases", "certificate", {"prior": [1] * 4, "mechanism": mechanism}),
                ("margins", "job", {"all": 1, "epsilon": "0.5"}),
            ):
                answer = http.post(f"{paid}/{path}", json=body, headers={"Idempotency-Key": path})
                assert answer.status_code == 503, answer.text
                links.append(answer.json()[member])
        for link in links:
            found = http.get(httpx.URL(f"{proxy.url}/v1/plans").join(link))
            pending = found.status_code == 409 and problem_code(found) == "job-pending"
            assert found.status_code == 200 or pending, link
        http.close()
        with monkeypatch.context() as hurried, Client.open(proxy.url, owner.key) as client:
            hurried.setattr(*NOBODY_WAITS)
            assert client.plan(plan | {"epsilons": ["0.25"]})["points"][0]["epsilon"] == "0.25"
            assert (
                client[dataset_id].release("exponential", epsilon="0.25", delta="0", calibration="certified")["state"]
                == "complete"
            )


def test_a_plan_of_a_data_set_of_private_size_takes_a_guess_of_the_number_of_records(
    owner: Party, analyst: Party, server: Server
) -> None:
    study = make_study(owner, analyst, counts=[300, 500], labels=["ill", "well"], n_is_public=False)
    with Client.open(server.url, analyst.key) as client:
        data = client[study.dataset_id]
        with pytest.raises(ValueError, match="your guess of it as records"):
            data.plan()
        for found in (data.plan("0.5", records=900), data.plan("0.5", counts=[400, 500])):
            (point,) = found["points"]
            assert point["recommended"]["kind"] == "geometric"
            assert point["at_public_size"] is not None


def test_a_plan_of_a_data_set_counts_in_the_unit_of_its_budget(owner: Party, analyst: Party, server: Server) -> None:
    budget = budget_body(accountant="zcdp", epsilon="3", delta="1e-6", delta_conversion="1e-6")
    made = owner.post("/v1/datasets", registration([200, 800], budget={"kind": "new", "budget": budget}))
    with Client.open(server.url, owner.key) as client:
        data = client[made.json()["id"]]
        plan = data.plan(rhos="0.005", counts=[200, 800])
        (point,) = plan["points"]
        assert (point["rho"], point["recommended"]["kind"]) == ("0.005", "gaussian")
        assert {each["rho"] for each in plan.rows()} >= {"0.005"}
        assert "epsilon" not in plan.table().headings
        assert "Recommended at rho 0.005: gaussian" in plan.remark()
        assert data.plan(counts=[200, 800])["points"][0]["rho"] == "0.1"
        with pytest.raises(ValueError, match="accountant zcdp: give rhos"):
            data.plan("0.5")
    of_basic = make_study(owner, analyst)
    with Client.open(server.url, analyst.key) as client:
        data = client[of_basic.dataset_id]
        with pytest.raises(ValueError, match="accountant basic: give epsilons"):
            data.plan(rhos="0.1")
        assert "gaussian" in {each["mechanism"] for each in data.plan("0.5").rows()}
    without_delta = make_study(owner, analyst, budget={"kind": "new", "budget": budget_body(delta="0")})
    with Client.open(server.url, owner.key) as client:
        kinds = {each["mechanism"] for each in client[without_delta.dataset_id].plan("0.5").rows()}
        assert kinds == {"simplex_geometric", "laplace"}


def test_a_refusal_is_a_typed_problem(standing: Study, server: Server) -> None:
    with Client.open(server.url, standing.analyst.key) as client, pytest.raises(ProblemError) as told:
        client.create_release(
            standing.dataset_id,
            {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "laplace", "epsilon": "50"}},
        )
    document = told.value.document
    assert document["type"] == "/problems/grant-exhausted"
    assert document.get("largest_possible_charge") == {"accountant": "basic", "epsilon": "0.5", "delta": "0.000001"}


def test_no_connection_and_a_lost_answer_are_distinguished() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with Client.open(f"http://127.0.0.1:{port}") as client, pytest.raises(Unreachable, match="nothing answers"):
        client.public_key()
    with answering(b"") as url, Client.open(url) as client, pytest.raises(AnswerLost):
        client.public_key()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "did not return JSON"),
        ('HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"status": "ok"}', "that this client knows"),
        ('HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{"version": "0.9.44"}', "version 0.9.44, and this is"),
    ],
    ids=["a page", "another service", "another version"],
)
def test_another_server_is_recognised(answer: str, words: str) -> None:
    with answering(answer.encode()) as url, Client.open(url) as client, pytest.raises(NotTheService, match=words):
        client.check_version()


@pytest.mark.parametrize(
    ("status", "what"),
    [("413 Too Large", NotTheService), ("502 Bad Gateway", AnswerLost), ("504 Gateway Timeout", AnswerLost)],
)
def test_an_error_page_of_something_between_is_no_problem_of_the_service(status: str, what: type[Exception]) -> None:
    page = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n".encode()
    # A proxy that gave up waiting cannot know whether the service applied the request.
    with answering(page) as url, Client.open(url) as client, pytest.raises(what, match=f"returned {status[:3]}"):
        client.public_key()


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """The address of a server that answers one request, of any kind, with these bytes, and closes the connection."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer_one() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

        thread = threading.Thread(target=answer_one)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@pytest.mark.long
def test_a_request_after_a_pause_is_sent_over_a_new_connection() -> None:
    """Seen before: client and service both closed idle connections after 5 s, and a request got no response."""
    opened: list[socket.socket] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer_all() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    opened.append(connection)
                    threading.Thread(target=answer_on, args=(connection,), daemon=True).start()

        def answer_on(connection: socket.socket) -> None:
            with connection:
                while connection.recv(65_536):
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        threading.Thread(target=answer_all, daemon=True).start()
        with Client.open(f"http://127.0.0.1:{listener.getsockname()[1]}") as client:
            for pause in (0, 0, IDLE_SECONDS + 0.5):
                time.sleep(pause)
                client.public_key()
    assert len(opened) == 2


def test_a_key_is_not_shown_with_its_connection() -> None:
    with httpx.Client() as http:
        assert "pp_secret" not in repr(Client(http, "pp_secret"))
