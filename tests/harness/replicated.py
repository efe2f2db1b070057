"""A database with a hot standby, behind a proxy, as an installation on several machines has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from tests.harness.database_proxy import DatabaseProxy
from tests.harness.postgres import PostgresServer
from tests.harness.shared_postgres import OWNER, ROLES

SYNCHRONOUS = {"synchronous_standby_names": "standby"}


@dataclass(slots=True)
class Replicated:
    """`proxy` leads to the primary until a test redirects it."""

    primary: PostgresServer
    standby: PostgresServer
    database: str
    proxy: DatabaseProxy

    @property
    def url(self) -> str:
        """The service's address of its database, through the proxy."""
        return self.proxy.url(self.database, SERVICE_ROLE)

    def url_of(self, server: PostgresServer, user: str = SERVICE_ROLE) -> str:
        return server.url(self.database, user)

    def fail_over(self) -> None:
        """Kills the primary as a crash does, and promotes the standby."""
        self.proxy.target = None
        self.primary.kill()
        self.standby.promote()
        self.proxy.target = self.standby.directory
        self.proxy.cut()


@contextmanager
def replicated(*, synchronous: bool) -> Iterator[Replicated]:
    """A migrated database on a primary with its standby."""
    with ExitStack() as open_:
        primary = open_.enter_context(PostgresServer(settings={"wal_keep_size": "256MB"}))
        primary.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        database = primary.create_database(owner=OWNER)
        migrate(primary.url(database, OWNER))
        standby = open_.enter_context(PostgresServer(primary=primary))
        if synchronous:
            primary.configure(**SYNCHRONOUS)
        proxy = open_.enter_context(DatabaseProxy(primary.directory))
        yield Replicated(primary, standby, database, proxy)
