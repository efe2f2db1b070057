"""Private values do not leave: recognisable counts are planted, every operation is used, and all output is searched for
them.
"""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np
import pytest

from core.dirichlet import posterior
from core.mechanisms.exponential.sensitivity import local_sensitivity
from migrations.rights import SERVICE_ROLE
from tests.harness import planted
from tests.harness.bodies import budget_body, querying
from tests.harness.process import METRICS_KEY
from tests.harness.server import Party, Server, problem_code, serving_process, without_posteriors
from tests.harness.shared_postgres import OWNER
from tests.service.conftest import Study, dataset_body, make_study

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.harness.postgres import PostgresServer

KEPT = [5_318_008_731, 1_618_033_987]
"""Counts that nothing is ever released from."""
RELEASED = [6_022_140_761, 1_380_649_853]
"""Counts that noise is added to: of scale 10 000 or more, so that a noisy count equals the true one about once in 20
000 releases.
"""
MEDIUM = [91_337, 72_711]
"""Counts of a size that the exponential mechanism takes."""
PRIOR = (1.0, 2.5)


@cache
def fragments(*counts: int) -> list[str]:
    """The textual forms of the counts, the true posterior, its means and its sensitivity."""
    law = posterior(PRIOR, list(counts))
    deviations = [each.standard_deviation for each in law.summaries(0.9).values()]
    numbers = [*law.means, *deviations, local_sensitivity(np.array(PRIOR), np.array(counts))]
    spelled = [
        text
        for count in counts
        for text in (f"{count}", f"{count:_}", f"{count:,}", f"{count:x}", f"{count / 1e9:.6f}")
    ]
    spelled += [f"{a + c:.10g}" for a, c in zip(PRIOR, counts, strict=True)]
    return spelled + [repr(float(number))[:12] for number in numbers]


def found(text: str, counts: list[int]) -> list[str]:
    """The fragments of these counts that begin a word in the text. A short one is the whole word: hashes and ids begin
    with it by chance.
    """

    def is_in(fragment: str) -> bool:
        end = "(?![0-9a-z])" if fragment.isalnum() and len(fragment) < 9 else ""
        return fragment in text and re.search(rf"(?<![0-9a-z]){re.escape(fragment)}{end}", text) is not None

    return [fragment for fragment in fragments(*counts) if is_in(fragment)]


def test_the_search_finds_what_it_looks_for() -> None:
    law = posterior(PRIOR, RELEASED)
    for text in (f'"counts": {RELEASED}', f"[{RELEASED[0]:,}]", str(list(law.concentration)), str(law.means[0])):
        assert found(text, RELEASED), text
    for text in (f'"counts": {MEDIUM}', f"of {MEDIUM[0]:x} or"):
        assert found(text, MEDIUM), text
    assert not found(f"{MEDIUM[0]:x}" + 59 * "a", MEDIUM), "a hash"
    assert not found(f"{RELEASED[0] + 2} {RELEASED[1] + 1} 0.8 0.81", RELEASED)


def drive(study: Study, server: Server, *, computing: bool = True) -> None:
    """Every reading operation, by every role, with the objects of the study; and those without an id. `computing`:
    posteriors and pictures of its release, too.
    """
    ids = {"dataset_id": study.dataset_id, "budget_id": study.budget_id, "grant_id": study.grant_id}
    releases = study.owner.get(f"/v1/releases?dataset_id={study.dataset_id}").json()["items"]
    ids |= {"release_id": releases[0]["id"]} if releases else {}
    document = server.http.get("/openapi.json").json()
    for (path, operations), party in product(document["paths"].items(), (study.owner, study.analyst, server.admin)):
        if not computing and path.startswith("/v1/releases/") and path.endswith("/plot.svg"):
            continue
        filled = path.format_map(_FilledService(ids))
        for method in operations:
            if method == "get":
                party.get(filled)
            else:
                party.request(
                    method, filled, content=b"{}", headers={"Content-Type": "application/json"}
                ) if method != "delete" else None
    for path in ("/metrics", "/docs", "/docs/assets/swagger-ui-bundle.js"):
        server.http.get(path, headers={"Authorization": f"Bearer {METRICS_KEY}"})


class _FilledService(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "nothing"


def spoil(owner: Party, counts: list[int]) -> list[httpx.Response]:
    """Requests with the counts that fail: by validation, by a rule of the service, by a constraint of the database."""
    taken = owner.post("/v1/datasets", dataset_body(counts=counts)).json()
    bodies: list[dict[str, Any]] = [
        {"labels": ["only one"]},
        {"labels": ["same", "same"]},
        {"counts": [*counts, -1]},
        {"counts": [*counts, "x"]},
        {"counts": [*counts, counts[0] + 0.5]},
        {"counts": {str(count): count for count in counts}},
        {"counts": [counts]},
        {"counts": counts[0]},
        {"prior": counts, str(counts[0]): 1},
        {"name": counts[0]},
        {"unit": counts},
        {"relation": str(counts[0])},
        {"relation": "add_remove"},
        {"budget": {"kind": str(counts[0])}},
        {"budget": {"kind": "new", "budget": budget_body(epsilon=counts[0], delta=counts[1])}},
        {"budget": {"kind": "existing", "id": str(counts[0])}},
        {"name": taken["name"]},
    ]
    answers = [owner.post("/v1/datasets", dataset_body(counts=counts) | body) for body in bodies]
    answers += [owner.patch(f"/v1/datasets/{taken['id']}", {"counts": [*counts, 1]})]
    answers += [owner.post_text("/v1/datasets", json.dumps(dataset_body(counts=counts))[:-1])]
    answers += [owner.post_text("/v1/datasets", json.dumps(dataset_body(counts=counts)), content_type="text/plain")]
    answers += [
        owner.release(taken["id"], prior=counts),
        owner.release(taken["id"], prior=[str(count) for count in counts]),
    ]
    answers += [owner.get(f"/v1/datasets/{counts[0]}"), owner.get("/v1/datasets", cursor=f"{counts[0]}!")]
    return answers


def test_counts_that_were_registered_never_come_back(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), counts=KEPT)
    assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": KEPT}).status_code == 200
    for answer in spoil(study.owner, KEPT):
        assert answer.status_code in {400, 404, 409, 415, 422}, answer.text
        assert problem_code(answer)
    drive(study, server)
    study.owner.delete(f"/v1/datasets/{study.dataset_id}")
    for text in (*server.transcript, server.log.read_text()):
        assert not found(text, KEPT), text[:2000]


def test_releases_are_noisy_and_nothing_else_discloses_counts(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), counts=RELEASED)
    mechanisms: list[dict[str, Any]] = [
        {"kind": "simplex_geometric", "epsilon": "0.0001"},
        {"kind": "laplace", "epsilon": "0.0001"},
        {"kind": "gaussian", "rho": "0.00000001", "delta": "1e-9"},
    ]
    before = len(server.transcript)
    for mechanism in mechanisms:
        thrice = [study.analyst.release(study.dataset_id, prior=list(PRIOR), mechanism=mechanism) for _ in range(3)]
        assert {answer.status_code for answer in thrice} == {201}
        # One answer can hold a true count by chance; all three do so once in ten million million runs.
        leaked = [set(found(answer.text, RELEASED)) for answer in thrice]
        assert not set.intersection(*leaked)
    drive(study, server)
    for text in server.transcript[before:]:
        assert not found(without_posteriors(text), RELEASED), text[:2000]
    assert not found(server.log.read_text(), RELEASED)


def test_a_private_number_of_records_is_nowhere(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), counts=RELEASED, n_is_public=False)
    n, before = sum(RELEASED), len(server.transcript)
    spelled = [f"{n}", f"{n:_}", f"{n:,}", f"{n:x}", f"{n:,}".replace(",", "\u202f")]
    mechanism = {"kind": "geometric", "epsilon": "0.0001"}
    assert study.analyst.release(study.dataset_id, prior=list(PRIOR), mechanism=mechanism).status_code == 201
    # An estimate that is the number by chance, up to its decimals, is one in 100 million.
    queries = [{"weights": [1, 1], "half_width": 2e8}]
    path = f"/v1/datasets/{study.dataset_id}/releases"
    assert study.analyst.post(path, querying(*queries), idempotency_key="query").status_code == 201
    for counts in ([n], [*RELEASED, -1], RELEASED):
        study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": counts})
    # Of noise that hides n from a search, a posterior takes long. `test_private_size` and the audit read posteriors.
    drive(study, server, computing=False)
    for text in (*server.transcript[before:], server.log.read_text()):
        assert not any(each in text for each in spelled), text[:2000]


def test_the_papers_mechanism_tells_no_sensitivity(server: Server) -> None:
    owner = server.new("owner")
    dataset = owner.post("/v1/datasets", dataset_body(counts=MEDIUM)).json()
    before = len(server.transcript)
    mechanism = {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-8"}
    assert owner.release(dataset["id"], prior=list(PRIOR), mechanism=mechanism).status_code == 201
    for text in (*server.transcript[before:], server.log.read_text()):
        assert not found(without_posteriors(text), MEDIUM), text[:2000]


def test_a_fault_that_shouts_the_counts_is_not_heard(shouting: Server) -> None:
    study = make_study(shouting.new("owner"), shouting.new("analyst"), counts=KEPT)
    failed = study.analyst.release(study.dataset_id, key="once")
    assert (problem_code(failed), failed.json()["charged"]) == ("release-failed", True)
    again = study.analyst.release(study.dataset_id, key="once")
    assert again.content == failed.content, "the same key gives the same answer"
    assert study.spent() == "0.1", "it stays charged, once"
    release_id = study.owner.get(f"/v1/releases?dataset_id={study.dataset_id}").json()["items"][0]["id"]
    assert problem_code(study.analyst.get(f"/v1/releases/{release_id}")) == "release-failed"

    broken = study.owner.post("/v1/datasets", dataset_body(labels=["a", "b", "c"], counts=[*KEPT, 1]))
    assert (problem_code(broken), broken.json()["charged"]) == ("internal-error", False)
    assert len(study.owner.get("/v1/datasets").json()["items"]) == 1, "nothing of it was kept"
    drive(study, shouting)
    log = shouting.log.read_text()
    for text in (*shouting.transcript, log):
        assert planted.SHOUTED not in text
        assert not found(text, KEPT), text[:2000]
    assert "failed" in log, "the operator hears that something failed"


def test_the_database_holds_counts_sealed_and_nowhere_else(server: Server) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), counts=KEPT)
    spoil(study.owner, KEPT)
    for table, rows in tables(server):
        for row in rows:
            for name, value in row.items():
                if isinstance(value, bytes | memoryview):
                    assert_sealed(bytes(value), KEPT)
                elif name != "result":
                    assert not found(str(value), KEPT), f"{table}.{name}"
    assert server.rows("SELECT 1 FROM encrypted_counts WHERE dataset_id = :id", id=study.dataset_id)


def tables(server: Server) -> Iterator[tuple[str, Iterable[dict[str, Any]]]]:
    master = "SELECT name FROM sqlite_master WHERE type = 'table'"
    catalogue = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    for (table,) in server.rows(master if server.owner_database_url.startswith("sqlite") else catalogue):
        yield table, [dict(row._mapping) for row in server.rows(f"SELECT * FROM {table}")]  # noqa: S608  names from the catalogue


def assert_sealed(sealed: bytes, counts: list[int]) -> None:
    for count in counts:
        for spelled in binary(count):
            assert spelled not in sealed
        assert str(count).encode() not in sealed


def binary(count: int) -> list[bytes]:
    """The count as a number of eight bytes, in either order."""
    return [count.to_bytes(8, "big"), count.to_bytes(8, "little")]


def test_the_files_of_the_database_hold_no_count(server: Server, request: pytest.FixtureRequest) -> None:
    make_study(server.new("owner"), server.new("analyst"), counts=KEPT)
    if server.owner_database_url.startswith("sqlite"):
        folder = Path(server.owner_database_url.removeprefix("sqlite:///")).parent
        beside = [
            path for path in folder.rglob("*") if path.relative_to(folder).parts[0].startswith("posterior.sqlite3")
        ]
        files = [path for path in beside if path.is_file()]
        assert len(files) >= 2, "the write-ahead log is among them"
    else:
        cluster: PostgresServer = request.getfixturevalue("postgres")
        with cluster.connect() as connection:
            connection.execute("CHECKPOINT")
        files = [path for path in cluster.directory.rglob("*") if path.is_file()]
    for path in files:
        content = path.read_bytes()
        for count in KEPT:
            assert str(count).encode() not in content, path
            for spelled in binary(count):
                assert spelled not in content, path


@pytest.fixture(params=["sqlite", "postgresql"])
def shouting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A service with faults whose exceptions contain the counts."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "posterior.sqlite3")
        with serving_process(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", fault="shouting") as running:
            yield running
        return
    cluster: PostgresServer = request.getfixturevalue("postgres")
    name = cluster.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)
    with serving_process(
        tmp_path, cluster.url(name, SERVICE_ROLE), cluster.url(name, OWNER), fault="shouting"
    ) as running:
        yield running
