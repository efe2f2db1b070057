"""The log shows an operator who did what, with ids and constant words, and without private values and secrets."""

from __future__ import annotations

import ast
import io
import itertools
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from service.logs import log
from tests.harness import planted
from tests.harness.bodies import budget_body, of_releases, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.out_of_reach import FAR_SECONDS
from tests.harness.process import COMMAND, ROOT, environment
from tests.harness.server import Server, serving, serving_process
from tests.service.conftest import Study, dataset_body, make_study

if TYPE_CHECKING:
    from collections.abc import Iterator

ALWAYS = {"time", "level", "logger", "message"}
SECRET = "SECRET TEXT"


def id_of(answer: httpx.Response) -> str:
    return str(answer.headers["X-Request-Id"])


def said_of(server: Server, answer: httpx.Response) -> list[str]:
    """The lines about one request, once the last of them is written, after the answer was sent."""
    deadline = time.monotonic() + PATIENCE
    while True:
        whole = [line for line in server.log.read_text().splitlines(keepends=True) if line.endswith("\n")]
        found = [line for line in whole if id_of(answer) in line]
        if any("answered" in line for line in found):
            return found
        assert time.monotonic() < deadline, "the request left no line"
        time.sleep(0.01)


def lines_of(server: Server, answer: httpx.Response) -> list[dict[str, str]]:
    return [read_text(line) for line in said_of(server, answer)]


def read_text(line: str) -> dict[str, str]:
    """A line of text as its fields."""
    fields = {name: value.strip('"') for name, value in re.findall(r' (\w+)=("[^"]*"|\S+)', line)}
    moment, level, logger, message, *_ = line.split(" ", 4)
    return {"time": moment, "level": level, "logger": logger, "message": message} | fields


def test_every_answer_has_an_id_that_the_server_made(server: Server, study: Study) -> None:
    answers = [
        server.http.get("/livez"),
        server.http.get("/nowhere"),
        server.http.get("/v1/keys"),
        server.http.post("/v1/datasets", content=b"{", headers={"Authorization": "Bearer none"}),
        study.owner.get("/v1/budgets"),
        study.owner.request("GET", "/v1/budgets", headers={"X-Request-Id": "mine"}),
    ]
    ids = [id_of(answer) for answer in answers]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"req_[a-z2-7]{26}", each) for each in ids)


def test_a_refused_key_leaves_a_line_without_it(server: Server) -> None:
    answer = server.http.get("/v1/budgets", headers={"Authorization": "Bearer pp_thisisnokeyatall"})
    [line] = lines_of(server, answer)
    assert (line["level"], line["operation"], line["problem"]) == ("WARNING", "list_budgets", "unauthenticated")
    assert "thisisnokey" not in server.log.read_text()


def test_a_refused_key_of_a_request_with_a_body_leaves_a_line_that_names_the_operation(server: Server) -> None:
    headers = {"Authorization": "Bearer pp_thisisnokeyatall"}
    for method, path, operation in (
        ("POST", "/v1/budgets", "create_budget"),
        ("PATCH", "/v1/budgets/bud_1", "change_budget"),
    ):
        [line] = lines_of(server, server.http.request(method, path, json={}, headers=headers))
        assert (line["operation"], line["problem"], line["status"]) == (operation, "unauthenticated", "401")
        assert "bud_1" not in line.values()


def test_keys_that_are_issued_and_revoked_leave_lines(server: Server, study: Study) -> None:
    made, again = (study.analyst.post("/v1/keys", {}, idempotency_key="one") for _ in range(2))
    [issued], [replayed] = lines_of(server, made), lines_of(server, again)
    assert issued["operation"] == "create_key"
    assert issued["caller_id"] == study.analyst.principal_id
    assert issued["caller_key_id"] == study.analyst.key_id
    assert issued["made_id"] == replayed["made_id"] == made.json()["id"]
    assert ("replayed" in issued, "replayed" in replayed) == (False, True)
    [revoked] = lines_of(server, study.analyst.delete(f"/v1/keys/{made.json()['id']}"))
    assert (revoked["operation"], revoked["key_id"]) == ("revoke_key", made.json()["id"])
    enrolment = server.admin.post("/v1/principals", {"role": "analyst", "name": "Someone Unmistakable"})
    [added] = lines_of(server, enrolment)
    assert added["made_id"] == enrolment.json()["id"]
    enrolled = server.http.post("/v1/enrolments", json={"token": enrolment.json()["enrolment"]["token"]})
    [exchanged] = lines_of(server, enrolled)
    assert (exchanged["caller_id"], exchanged["made_id"]) == (enrolment.json()["id"], enrolled.json()["id"])
    text = server.log.read_text()
    for secret in (
        made.json()["key"],
        made.json()["prefix"],
        enrolment.json()["enrolment"]["token"],
        enrolled.json()["recovery_code"],
        "Unmistakable",
    ):
        assert secret not in text


def test_changes_of_budgets_and_reads_of_releases_leave_lines(server: Server, study: Study) -> None:
    changed = study.owner.patch(f"/v1/budgets/{study.budget_id}", {"low_budget_percent": 20})
    [line] = lines_of(server, changed)
    assert (line["operation"], line["budget_id"], line["status"]) == ("change_budget", study.budget_id, "200")
    opened = study.owner.post("/v1/budgets", budget_body())
    assert lines_of(server, opened)[0]["made_id"] == opened.json()["id"]
    release = study.analyst.release(study.dataset_id, key="a-name-of-mine")
    release_id = release.json()["id"]
    [paid] = lines_of(server, release)
    assert (paid["operation"], paid["dataset_id"], paid["release_id"]) == (
        "create_release",
        study.dataset_id,
        release_id,
    )
    for path in (f"/v1/releases/{release_id}", f"/v1/releases/{release_id}/plot.svg"):
        [read] = lines_of(server, study.analyst.get(path))
        assert (read["release_id"], read["caller_id"]) == (release_id, study.analyst.principal_id)
    pooled = study.analyst.post("/v1/posteriors", of_releases(release_id) | {"prior": [1, 1]})
    assert pooled.status_code == 200
    assert lines_of(server, pooled)[0]["release_ids"] == release_id
    assert "a-name-of-mine" not in server.log.read_text()


def test_no_line_tells_a_part_of_a_second_or_a_query(server: Server, study: Study) -> None:
    study.owner.get("/v1/budgets", limit=7)
    study.owner.delete(f"/v1/principals/{study.owner.principal_id}", erase_name="true")
    text = server.log.read_text()
    for line in text.splitlines():
        if " posterior.requests " in line:
            assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line)
            assert read_text(line).keys() <= ALWAYS | set(log.FIELDS)
    assert "limit=7" not in text
    assert "erase_name" not in text


@pytest.fixture
def raising_server(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Server]:
    """A service with faults, whose log is JSON and whose releases wait for a tick of a second."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    with serving_process(
        tmp_path,
        f"sqlite:///{tmp_path / 'posterior.sqlite3'}",
        fault="shouting",
        log_format="json",
        response_time_quantum_ms="1000",
    ) as running:
        yield running


def json_lines(server: Server) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.log.read_text().splitlines()]


def test_failures_leave_lines_that_name_the_place_and_the_release(raising_server: Server) -> None:
    study = make_study(raising_server.new("owner"), raising_server.new("analyst"))
    failed = study.owner.post("/v1/datasets", dataset_body(counts=[1, 2, 3], labels=["a", "b", "c"]))
    assert failed.status_code == 500
    started = time.monotonic()
    path = f"/v1/datasets/{study.dataset_id}/releases"
    release = study.analyst.post(path, release_body("0.1"), idempotency_key="once")
    assert (release.status_code, time.monotonic() - started > 1) == (500, True)
    [line], of_release = (
        [json.loads(each) for each in said_of(raising_server, answer)] for answer in (failed, release)
    )
    assert (line["level"], line["operation"], line["failure"]) == ("error", "create_dataset", "RuntimeError")
    assert re.search(r"planted\.py:\d+$", line["places"])
    [release_id] = [row.id for row in raising_server.rows("SELECT id FROM releases")]
    assert [(each["level"], each["message"], each["release_id"]) for each in of_release] == [
        ("error", "a release is charged and failed", release_id),
        ("error", "answered", release_id),
    ]
    for each in json_lines(raising_server):
        assert each.keys() <= ALWAYS | set(log.FIELDS)
    assert planted.SHOUTED not in raising_server.log.read_text()


def format_(record: logging.LogRecord, *, as_json: bool = False) -> str:
    return log.Lines(as_json=as_json).format(record)


def record(name: str, message: str, *arguments: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.ERROR, "file", 1, message, arguments, None)
    made.__dict__ |= more
    return made


def test_unlisted_fields_are_refused() -> None:
    line = format_(record("posterior.app", "it failed", release_id="rel_a", secret=SECRET, detail=SECRET))
    assert line.endswith("ERROR posterior.app it failed release_id=rel_a")


def test_exceptions_are_logged_by_class_and_places_alone() -> None:
    with pytest.raises(OperationalError) as caught:
        raise OperationalError(SECRET, {"parameter": SECRET}, ValueError(SECRET))
    failed = record("posterior.app", "it failed")
    failed.exc_info = (caught.type, caught.value, caught.tb)
    line = json.loads(format_(failed, as_json=True))
    assert (line["failure"], line["message"]) == ("ValueError", "it failed")
    assert line["places"].startswith("test_log.py:")
    assert SECRET not in json.dumps(line)


def test_other_libraries_log_the_first_line_of_their_templates() -> None:
    assert format_(record("asyncio", f"never retrieved\nfuture: {SECRET}")).endswith("ERROR asyncio never retrieved")
    assert format_(record("sqlalchemy.pool", "lost %r", SECRET)).endswith("ERROR sqlalchemy.pool lost %r")
    assert format_(record("uvicorn.error", "started [%d]", 7)).endswith("ERROR uvicorn.error started [7]")


def test_a_line_that_waits_holds_no_frame_of_an_exception() -> None:
    waiting = log.Outlet(io.StringIO(), log.Lines(as_json=False))
    failed = record("posterior.app", "it failed")
    failed.exc_info = (ValueError, ValueError(SECRET), None)
    prepared = waiting.prepare(failed)
    assert (prepared.exc_info, prepared.exc_text) == (None, None)
    assert SECRET not in prepared.getMessage()


def test_lines_are_written_in_the_order_in_which_they_were_said() -> None:
    stream = io.StringIO()
    outlet = log.Outlet(stream, log.Lines(as_json=True))
    for number in range(3_000):
        outlet.handle(record("posterior.app", "it failed", release_id=f"rel_{number}"))
    outlet.finish(60)
    lines = stream.getvalue().splitlines()
    assert [json.loads(line)["release_id"] for line in lines] == [f"rel_{number}" for number in range(3_000)]


def test_a_line_that_cannot_be_formatted_does_not_stop_later_lines() -> None:
    stream = io.StringIO()
    outlet = log.Outlet(stream, log.Lines(as_json=True))
    outlet.handle(record("posterior.app", "it failed", release_id=object()))
    outlet.handle(record("posterior.app", "it failed", release_id="rel_a"))
    outlet.finish(60)
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == [
        "lines are missing here: they could not be written",
        "it failed",
    ]


def test_lines_of_two_workers_stay_whole_where_their_reader_is_slow() -> None:
    """A line that does not fit into the pipe must not continue in the middle of another line."""
    saying = (
        "import sys; from service.logs import log; log.configure('info', as_json=True)\n"
        f"log._LAST_SECONDS = {FAR_SECONDS}\n"
        "logger = log.logging.getLogger('posterior.x')\n"
        "for number in range(2_000): logger.info('answered', extra={'release_id': f'rel_{sys.argv[1]}_{number}'})"
    )
    reading, writing = os.pipe()
    with os.fdopen(reading) as told:
        command = [sys.executable, "-c", saying]
        workers = [subprocess.Popen([*command, each], cwd=ROOT, stderr=writing) for each in ("a", "b")]
        os.close(writing)
        time.sleep(1)
        ids = [json.loads(line)["release_id"] for line in told]
        assert [worker.wait(PATIENCE) for worker in workers] == [0, 0]
    assert sorted(ids) == sorted(f"rel_{each}_{number}" for each in ("a", "b") for number in range(2_000))


def test_a_process_whose_standard_error_was_closed_goes_on() -> None:
    """Seen before: it ended without a message."""
    going_on = (
        "import os; from service.logs import log; log.configure('info', as_json=False)\n"
        "log.logging.getLogger('posterior.x').info('nobody hears it')\n"
        "print(os.path.samefile('/dev/fd/2', os.devnull))"
    )
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", going_on]
    assert subprocess.run(closed, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout == "True\n"


def test_an_unread_log_delays_nothing_and_later_reports_missing_lines() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, os.fdopen(reading) as told:
        outlet = log.Outlet(stream, log.Lines(as_json=False))
        for number in range(20_000):
            outlet.handle(record("posterior.app", "it failed", release_id=f"rel_{number}"))
        lines = iter(told.readline, "")
        read = list(itertools.islice(lines, 10_000))
        outlet.handle(record("posterior.app", "it failed", release_id="rel_later"))
        read += itertools.takewhile(lambda line: "rel_later" not in line, lines)
        assert "lines are missing here" in read.pop()
        assert [line.rpartition("=")[2].strip() for line in read] == [f"rel_{number}" for number in range(len(read))]
        assert len(read) < 20_000


def test_a_process_that_ends_waits_a_while_for_a_slow_reader() -> None:
    with ending(3_000, FAR_SECONDS) as process:
        assert process.stderr is not None
        time.sleep(1)
        assert len(process.stderr.readlines()) == 3_000
    assert process.returncode == 0


def test_a_process_whose_log_nobody_reads_ends() -> None:
    with ending(20_000, 0.1) as process:
        assert process.wait(PATIENCE) == 0


def ending(lines: int, last_seconds: float) -> subprocess.Popen[str]:
    """A process that logs `lines` lines, and waits for their reader for `last_seconds` at its end."""
    saying = (
        f"from service.logs import log; log.configure('info', as_json=False); log._LAST_SECONDS = {last_seconds}\n"
        f"for number in range({lines}): log.logging.getLogger('posterior.x').info('answered')\n"
        "print('ends', flush=True)"
    )
    command = [sys.executable, "-c", saying]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ends\n"
    return process


def test_a_service_with_an_unread_log_serves_and_stops(migrated_sqlite: Path, tmp_path: Path) -> None:
    """A refused login has a line of at least 130 bytes, and a pipe holds 64 KiB."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    settings = environment(f"sqlite:///{tmp_path / 'posterior.sqlite3'}")
    service = subprocess.Popen([COMMAND, "serve"], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert service.stdout is not None
        lines = iter(service.stdout.readline, b"")
        said = next(match for line in lines if (match := re.search(rb"listens on (http://\S+)", line)))
        with httpx.Client(base_url=said[1].decode(), timeout=PATIENCE) as client:
            for number in range(600):
                answer = client.get("/v1/datasets", headers={"Authorization": f"Bearer pp_{number}"})
                assert answer.status_code == 401
        service.terminate()
        service.wait(PATIENCE)
    finally:
        service.kill()
        service.communicate()


def test_a_stopping_process_logs_every_release(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", response_time_quantum_ms="0") as running:
        study = make_study(running.new("owner"), running.new("analyst"))
        answers = [study.analyst.release(study.dataset_id) for _ in range(5)]
    text = running.log.read_text()
    assert [text.count(id_of(answer)) for answer in answers] == [1] * 5


def calls_of_loggers() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted((ROOT / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Name(id="_logger"), attr="debug" | "info" | "warning" | "error" | "log" | "exception"
                    )
                ):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node
                case _:
                    pass


def test_every_message_in_the_code_is_constant() -> None:
    calls = list(calls_of_loggers())
    assert len(calls) > 8
    for place, call in calls:
        *before, message = call.args
        assert isinstance(message, ast.Constant), place
        assert len(before) == (call.func.attr == "log"), place  # type: ignore[attr-defined]  # matched above
        assert {keyword.arg for keyword in call.keywords} <= {"extra"}, place
