"""The runbooks of operators, followed as they stand, on a real service and a real database in the state that the page
describes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.datasets.cipher import new_key
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE, until
from tests.harness.people import Person, person
from tests.harness.postgres import SUPERUSER, PostgresServer
from tests.harness.process import COMMAND, ROOT, Process
from tests.harness.runbooks import HOW_TO, Operator, Unit, blocks
from tests.harness.shared_postgres import OWNER, ROLES
from tests.harness.studies import RegisteredStudy, register, release

PAGES = [
    "deploy",
    "back-up-and-restore",
    "keys",
    "troubleshoot",
    "people",
]
MOST_LINES = 215
SMALL_DISK = 'mount -t tmpfs -o size=6m tmpfs "$0" && cp -p "$1" "$2" "$0" && shift 2 && exec "$@"'


class Site:
    """An installation with its operator, and an owner with a study of ε = 1 on it."""

    def __init__(self, root: Path, environment: str) -> None:
        self.operator = Operator(root)
        program = self.operator.here("/opt/private-posterior")
        program.rmdir()
        program.mkdir()
        (program / "bin").symlink_to(COMMAND.parent)
        (self.operator.here("/etc/private-posterior") / "environment").write_text(environment)
        self.unit = Unit(self.operator, root / "log")
        self.operator.services["private-posterior"] = self.unit

    @property
    def data(self) -> Path:
        return self.operator.here("/var/lib/private-posterior")

    def begin(self, people_url: str = "") -> None:
        """Starts the service, and registers the study."""
        self.unit.start()
        self.owner = person(people_url or self.unit.database_url, Role.OWNER)
        self.admin = person(people_url or self.unit.database_url, Role.ADMIN)
        self.study: RegisteredStudy = register(self.unit.url, self.owner, epsilon="1")
        self.operator.environment |= {
            "OWNER_KEY": self.owner.key, "ADMIN_KEY": self.admin.key, "PRIVATE_POSTERIOR_KEY": self.owner.key,
            "PRIVATE_POSTERIOR_HOME": str(self.operator.root / "home"),
        }  # fmt: skip
        self.operator.put_in |= {"dat_…": self.study.dataset_id, "bud_…": self.study.budget_id}

    def release(self, key: str, dataset_id: str = "", who: Person | None = None) -> httpx.Response:
        with (who or self.owner).client(self.unit.url) as client:
            return release(client, dataset_id or self.study.dataset_id, key.replace(" ", "-"))

    def readiness(self) -> dict[str, Any]:
        found: dict[str, Any] = httpx.get(f"{self.unit.url}/readyz", timeout=PATIENCE).json()
        return found


@pytest.fixture
def site(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Site]:
    """On SQLite, with the key file that the service made."""
    database = tmp_path / "var/lib/private-posterior/private-posterior.db"
    site = Site(tmp_path, f"POSTERIOR_DATABASE_URL=sqlite:///{database}\n")
    shutil.copy(migrated_sqlite, database)
    database.chmod(0o600)
    site.begin()
    yield site
    site.unit.stop()


@pytest.fixture
def cluster() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        server.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        yield server


@pytest.fixture
def site_on_postgres(cluster: PostgresServer, tmp_path: Path) -> Iterator[Site]:
    """On PostgreSQL, with keys in files of the operator's own."""
    from service.database.migration import migrate

    owner_url = f"postgresql+psycopg://{OWNER}@/posterior?host={cluster.directory}"
    migrate(owner_url)
    etc, var = tmp_path / "etc/private-posterior", tmp_path / "var/lib/private-posterior"
    site = Site(
        tmp_path,
        f"POSTERIOR_DATABASE_URL='postgresql+psycopg://posterior_service@/posterior?host={cluster.directory}'\n"
        f"POSTERIOR_COUNTS_KEYS_FILE={etc}/counts-keys\nPOSTERIOR_RECEIPT_KEY_FILE={etc}/receipt-key\n"
        f"POSTERIOR_WITNESS_FILE={var}/witness\n",
    )
    for name, content in (("counts-keys", f"v1:{new_key()}"), ("receipt-key", new_key())):
        (etc / name).write_text(content)
        (etc / name).chmod(0o640)
    site.operator.environment |= {"PGHOST": str(cluster.directory), "PGUSER": SUPERUSER}
    site.operator.environment["PATH"] = os.pathsep.join([str(cluster.binaries), site.operator.environment["PATH"]])
    site.operator.services["postgresql"] = lambda action: {"start": cluster.start, "stop": cluster.stop}[action]()
    site.begin(owner_url)
    yield site
    site.unit.stop()


def test_the_pages_are_those_that_are_tested() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    for page in PAGES:
        assert (HOW_TO / f"{page}.md").exists()
        assert f'blocks("{page}"' in here, f"no test follows {page}"
        assert len((HOW_TO / f"{page}.md").read_text(encoding="utf-8").splitlines()) < MOST_LINES


def test_every_command_of_the_program_that_a_page_names_is_there() -> None:
    from typer.main import get_command

    from service.cli.main import app

    known: dict[str, Any] = vars(get_command(app))["commands"]
    for page in PAGES:
        text = " ".join((HOW_TO / f"{page}.md").read_text(encoding="utf-8").split())
        for group, command in re.findall(r"private-posterior (migrate|serve|backup|restore|\w+) ([a-z-]+)?", text):
            if group in {"counts", "receipts", "ledger", "keys"}:
                assert command in vars(known[group])["commands"], (page, group, command)


# Back up, restore and reconcile


@pytest.mark.long
def test_a_backup_is_restored_and_reconciled(site: Site, curl: str) -> None:
    operator = site.operator
    operator.follow(*blocks("back-up-and-restore", "Back up with SQLite"))
    # The name has the second of the copy, and a quick machine makes both copies in one.
    [earlier] = operator.here("/backup").glob("*.db")
    earlier.rename(earlier.with_name("private-posterior-2026-01-01-000000.db"))
    before = site.release("before the copy")
    operator.follow(*blocks("back-up-and-restore", "Back up with SQLite"))
    assert json.loads((operator.here("/vault") / "keys.json").read_text())["counts_keys"].startswith("k1:")
    release_and_lose_a_receipt(site, "private-posterior.db.witness")
    operator.follow(*blocks("back-up-and-restore", "Restore with SQLite"))
    reconcile_and_go_on(site, before)
    [prune] = blocks("back-up-and-restore", "The folder of receipts")
    assert "0 files of receipts were deleted; 1 are left." in operator.follow(prune)


DECIDED = {"release_cap": {"epsilon": "0.2", "delta": "0"}}, {"low_budget_percent": 20}, {"name": "after the copy"}
"""Three decisions about the budget, which the restore loses."""


def decide(site: Site) -> None:
    with site.owner.client(site.unit.url) as client:
        for change in DECIDED:
            assert client.patch(f"/v1/budgets/{site.study.budget_id}", json=change).status_code == 200


def release_and_lose_a_receipt(site: Site, witness: str) -> None:
    """Decides and releases twice. The witness's folder alone has their lines; the last receipt is lost."""
    decide(site)
    assert site.release("after the copy").status_code == 201
    [file] = (site.data / f"{witness}.receipts").iterdir()
    kept = file.read_text()
    assert site.release("lost with its receipt").status_code == 201
    file.write_text(kept)


def reconcile_and_go_on(site: Site, before: httpx.Response) -> None:
    """After a restore that lost three decisions and two releases; the witness's folder has all but one receipt."""
    operator = site.operator
    refused = site.release("too early").json()
    assert (refused["type"], refused["charged"], refused["retryable"]) == ("/problems/restore-pending", False, False)
    [note] = site.readiness()["notes"]
    assert "ledger reconcile`, which takes the witness's folder" in note
    assert site.release("before the copy").content == before.content
    reconcile, write_off, go_on = blocks("back-up-and-restore", "Reconcile")
    said = operator.follow(reconcile)
    assert "1 of the 2 charges after the backup are unknown" in said
    assert "3 other entries forgotten, and now applied again" in said
    operator.follow(write_off)
    [note] = site.readiness()["notes"]
    assert "run `private-posterior ledger unfreeze`" in note
    assert "intact" in operator.follow(go_on)
    assert site.readiness()["notes"] == []
    assert site.release("after the copy").json()["type"] == "/problems/release-lost"
    assert site.release("afterwards").status_code == 201
    with site.owner.client(site.unit.url) as client:
        budget = client.get(f"/v1/budgets/{site.study.budget_id}").json()
    decided = budget["release_cap"]["epsilon"], budget["low_budget_percent"], budget["name"]
    assert decided == ("0.2", 20, "after the copy")
    spent = budget["spent"]["epsilon"]
    assert spent == "0.5", "the kept one, the one with a receipt, what was written off, and the last"


@pytest.mark.long
def test_a_backup_of_postgresql_is_restored_and_reconciled(site_on_postgres: Site) -> None:
    site, operator = site_on_postgres, site_on_postgres.operator
    before = site.release("before the copy")
    operator.follow(*blocks("back-up-and-restore", "Back up with PostgreSQL"))
    release_and_lose_a_receipt(site, "witness")
    operator.follow(*blocks("back-up-and-restore", "Restore with PostgreSQL"))
    reconcile_and_go_on(site, before)


# Keys


@pytest.mark.long
def test_a_lost_key_file_is_put_back(site: Site) -> None:
    operator, keys = site.operator, site.data / "keys.json"
    shutil.copy(keys, operator.here("/vault"))
    keys.unlink()
    site.unit.stop()
    operator.follow(*blocks("keys", "A copy of the key is left"))
    assert site.release("afterwards").status_code == 201


@pytest.mark.long
def test_a_counts_key_that_is_gone_for_good_ends_its_data_sets_alone(site: Site) -> None:
    operator = site.operator
    before = site.release("before")
    kept = httpx.get(f"{site.unit.url}/v1/public-key", timeout=PATIENCE).content
    (operator.here("/vault") / "public-key.json").write_bytes(kept)
    site.unit.stop()
    (site.data / "keys.json").unlink()
    with pytest.raises(AssertionError, match="restore the file"):
        site.unit.start()
    assert "intact" in operator.follow(*blocks("keys", "The counts key is gone for good"))
    assert site.release("before").content == before.content
    assert site.release("afterwards").json()["type"] == "/problems/not-found"
    with site.owner.client(site.unit.url) as client:
        ledger = client.get(f"/v1/budgets/{site.study.budget_id}/ledger").json()["items"]
        assert ledger[-1]["kind"] == "dataset_deleted"
        again = client.post("/v1/datasets", json=registered_again(site.study.budget_id))
        assert again.status_code == 201, again.text
    assert site.release("again", again.json()["id"]).status_code == 201


def registered_again(budget_id: str) -> dict[str, Any]:
    from tests.harness.bodies import registration

    return registration([3, 4], budget={"kind": "existing", "id": budget_id})


@pytest.mark.long
def test_keys_of_a_key_file_are_rotated_beside_the_service(site: Site) -> None:
    first = site.release("first").json()
    printed = site.operator.follow(*blocks("keys", "With SQLite and its key file"))
    assert "1 data sets were encrypted with key k2; 0 are left" in printed
    second = site.release("second").json()
    assert first["receipt"]["key_id"] != second["receipt"]["key_id"]
    assert site.readiness()["notes"] == []
    site.unit.stop()
    (site.data / "keys.json").unlink()  # as with a lost disk
    site.operator.follow(*blocks("keys", "A copy of the key is left"))
    assert site.release("third").status_code == 201


@pytest.mark.long
def test_keys_in_files_of_the_operators_own_are_rotated(site_on_postgres: Site) -> None:
    site = site_on_postgres
    first = site.release("first").json()
    rotate, drop = blocks("keys", "With keys in variables or in files of your own")
    assert "1 data sets were encrypted with key v2; 0 are left" in site.operator.follow(rotate)
    for name in ("counts-keys", "receipt-key"):
        kept = site.operator.here("/vault") / name
        assert kept.read_text() == (site.operator.here("/etc/private-posterior") / name).read_text()
    site.operator.follow(drop)
    assert (site.operator.here("/etc/private-posterior") / "counts-keys").read_text().startswith("v2:")
    second = site.release("second").json()
    assert first["receipt"]["key_id"] != second["receipt"]["key_id"]
    assert site.readiness()["notes"] == []


# The database


@pytest.mark.long
def test_a_disk_that_is_full_needs_room_alone(site: Site, tmp_path: Path) -> None:
    site.unit.stop()
    disk = tmp_path / "disk"
    disk.mkdir()
    environment = site.operator.here("/etc/private-posterior") / "environment"
    database, keys = site.data / "private-posterior.db", site.data / "keys.json"
    environment.write_text(f"POSTERIOR_DATABASE_URL=sqlite:///{disk / database.name}\n")
    alone = ("unshare", "--mount", "--map-root-user", "sh", "-c", SMALL_DISK, str(disk), str(database), str(keys))
    url = site.unit.database_url
    with Process(url, started_by=alone, log=tmp_path / "log", counts_keys="", receipt_key="") as process:
        site.unit.process = process
        seen = Path(f"/proc/{process.process.pid}/root{disk}")
        # Only the process sees the disk.
        site.operator.put_in |= {
            "http://127.0.0.1:8000": process.url,
            "private-posterior ledger verify": f"nsenter --mount=/proc/{process.process.pid}/ns/mnt "
            f"--user=/proc/{process.process.pid}/ns/user {COMMAND} ledger verify",
        }
        with (seen / "all the room").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1024))
        answers = [site.release(f"during-{number}") for number in range(9)]
        assert answers[-1].json()["charged"] in (False, None), answers[-1].text
        until(lambda: "has no room: make room" in site.readiness().get("detail", ""))
        look, wait = blocks("troubleshoot", "Disk or memory full")
        site.operator.follow(look)
        (seen / "all the room").unlink()
        assert "intact" in site.operator.follow(wait)
        assert site.release("during-8").status_code == 201


@pytest.mark.long
def test_a_file_that_was_moved_is_put_back_without_a_restart(site: Site) -> None:
    (site.data / "private-posterior.db").rename(site.data / "elsewhere.db")
    until(lambda: "was moved, deleted or replaced" in site.readiness().get("detail", ""))
    [look] = blocks("troubleshoot", "Database gone")
    assert "put it back under its name" in site.operator.follow(look)
    site.operator.follow(*blocks("troubleshoot", "The SQLite file was moved, deleted or replaced"))
    assert site.release("afterwards").status_code == 201


@pytest.mark.long
def test_a_postgresql_that_is_gone_is_started_again(site_on_postgres: Site) -> None:
    site = site_on_postgres
    site.operator.services["postgresql"]("stop")
    until(lambda: "does not answer, or takes no writes: start it" in site.readiness().get("detail", ""))
    assert site.release("during").json()["type"] == "/problems/database-unavailable"
    printed = site.operator.follow(*blocks("troubleshoot", "PostgreSQL does not respond, or accepts no writes"))
    assert "intact" in printed
    assert site.release("during").status_code == 201


# Personal data


@pytest.mark.long
def test_counts_and_a_name_are_deleted(site: Site, curl: str) -> None:
    erased = person(site.unit.database_url, Role.ANALYST)
    site.operator.put_in |= {"pri_…": erased.principal_id}
    site.operator.environment["PRIVATE_POSTERIOR_SERVER"] = site.unit.url
    counts, _vacuum = blocks("people", "Counts that hold a person's record")
    before = site.release("before")
    site.operator.follow(counts, *blocks("people", "The name of a person who uses the service"))
    assert site.release("before").content == before.content
    assert site.release("afterwards").json()["type"] == "/problems/not-found"
    with erased.client(site.unit.url) as client:
        assert client.get("/v1/keys").status_code == 401
    with site.admin.client(site.unit.url) as client:
        people = {each["id"]: each["name"] for each in client.get("/v1/principals").json()["items"]}
    assert people[erased.principal_id] is None


@pytest.mark.long
def test_old_versions_of_deleted_counts_go_from_postgresql(site_on_postgres: Site) -> None:
    site = site_on_postgres
    site.operator.environment["PRIVATE_POSTERIOR_SERVER"] = site.unit.url
    counts, vacuum = blocks("people", "Counts that hold a person's record")
    site.operator.follow(counts)
    assert "VACUUM" in site.operator.follow(vacuum)


# Install and update


def key_in(printed: str) -> str:
    """The API key in the output of a block."""
    [key] = re.findall(r"pp_\S+", printed)
    return str(key)


def installed_operator(root: Path) -> Operator:
    """With the files of a release, before installation."""
    from tests.test_deployment_files import DOCKERFILE

    released = root / "release"
    released.mkdir()
    copied = [source for i in DOCKERFILE if i.name == "COPY" and i.stage == 0 for source in i.value.split()[:-1]]
    for source in {*copied, "deploy", "requirements"}:
        if (ROOT / source).is_dir():
            shutil.copytree(
                ROOT / source, released / source, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            (released / source).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / source, released / source)
    operator = Operator(root, release=released)
    unit = Unit(operator, root / "log", program=operator.here("/opt/private-posterior") / "bin" / "private-posterior")
    operator.services["private-posterior"] = unit
    return operator


@pytest.mark.long
def test_it_is_installed_with_sqlite_and_updated(tmp_path: Path) -> None:
    operator = installed_operator(tmp_path)
    unit = operator.services["private-posterior"]
    assert isinstance(unit, Unit)
    try:
        operator.follow(*blocks("deploy", "In a Python environment"), *blocks("deploy", "With SQLite"))
        key = key_in(operator.follow(*blocks("deploy", "Start it")))
        assert (operator.here("/var/lib/private-posterior") / "keys.json").stat().st_mode & 0o777 == 0o600
        unit_file = operator.here("/etc/systemd/system") / "private-posterior.service"
        assert unit_file.read_text() == (ROOT / "deploy" / "private-posterior.service").read_text()
        assert "Operate a Private Posterior service" in operator.follow(*blocks("deploy", "The operator's shell"))
        assert (
            httpx.get(f"{unit.url}/v1/principals", headers=Person("", key).headers, timeout=PATIENCE).status_code == 200
        )
        assert "The database is ready." in operator.follow(*blocks("deploy", "Update"))
        assert (
            httpx.get(f"{unit.url}/v1/principals", headers=Person("", key).headers, timeout=PATIENCE).status_code == 200
        )
    finally:
        unit.stop()


@pytest.mark.long
def test_it_is_installed_with_postgresql(tmp_path: Path) -> None:
    with PostgresServer() as server:
        operator = Operator(tmp_path)
        (operator.here("/opt/private-posterior") / "bin").symlink_to(COMMAND.parent)
        operator.services["private-posterior"] = unit = Unit(operator, tmp_path / "log")
        operator.environment |= {
            "PGHOST": str(server.directory), "POSTGRES_OWNER_PASSWORD": "a", "POSTGRES_SERVICE_PASSWORD": "b",
            "PATH": os.pathsep.join([str(server.binaries), operator.environment["PATH"]]),
        }  # fmt: skip
        operator.put_in["@db.example/posterior"] = f"@/posterior?host={server.directory}"
        try:
            operator.follow(*blocks("deploy", "With PostgreSQL"))
            key = key_in(operator.follow(*blocks("deploy", "Start it")))
            answer = httpx.get(f"{unit.url}/v1/principals", headers=Person("", key).headers, timeout=PATIENCE)
            assert answer.status_code == 200
            for name in ("counts-keys", "receipt-key"):
                assert (operator.here("/etc/private-posterior") / name).stat().st_mode & 0o777 == 0o640
        finally:
            unit.stop()


def test_containers_are_started_as_the_compose_file_says() -> None:
    [compose] = blocks("deploy", "In containers")
    stated = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for command in compose.splitlines():
        assert f"#   {command}\n" in stated


def test_the_base_of_the_image_has_the_name_that_the_dockerfile_asks_for() -> None:
    from tests.test_deployment_files import DOCKERFILE

    [build] = blocks("deploy", "Without Docker and without a registry")
    [base] = {i.value.split()[0] for i in DOCKERFILE if i.name == "FROM"}
    assert f'buildah commit --rm "$container" {base}\n' in build
