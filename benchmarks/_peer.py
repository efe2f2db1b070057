"""A service for the same purpose that a competent engineer writes in a day. Benchmarks compare ours with it.

FastAPI with pydantic models, SQLAlchemy, one transaction for each release, noise by OpenDP. Keys are hashed, amounts
are integers, a repeated Idempotency-Key is answered from the row, and the budget's row is locked while it is checked.
The database is as durable as ours. `ABSENT` is what its users lack.

    python -m benchmarks._peer URL PORT     serves it, after making its tables
"""

from __future__ import annotations

import argparse
import hashlib
import json
import uuid
from typing import Annotated, Any, Final

import numpy as np
import opendp.prelude as dp
import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel
from scipy import stats
from sqlalchemy import BigInteger, Connection, Engine, ForeignKey, create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from service.cli.serving import SERVER_OPTIONS

KEY: Final = "pk_peer"
NANO: Final = 10**9
ABSENT: Final = (
    "a charge that stands before the data are opened (a failure after the draw is free, and tells of the counts), "
    "a certificate of the noise distribution as implemented, quantized response times, a hash chain with receipts and "
    "a witness against restored backups, grants, caps and freezes, counts that are encrypted at rest, limits for each "
    "caller, and a rehearsed upgrade"
)


class Base(DeclarativeBase):
    pass


class ApiKey(Base):
    __tablename__ = "api_keys"
    secret_hash: Mapped[str] = mapped_column(primary_key=True)


class Budget(Base):
    __tablename__ = "budgets"
    id: Mapped[str] = mapped_column(primary_key=True)
    limit_nano: Mapped[int] = mapped_column(BigInteger)
    spent_nano: Mapped[int] = mapped_column(BigInteger, default=0)


class Dataset(Base):
    __tablename__ = "datasets"
    id: Mapped[str] = mapped_column(primary_key=True)
    budget_id: Mapped[str] = mapped_column(ForeignKey("budgets.id"))
    labels: Mapped[str]
    counts: Mapped[str]


class Released(Base):
    __tablename__ = "releases"
    id: Mapped[str] = mapped_column(primary_key=True)
    dataset_id: Mapped[str] = mapped_column(ForeignKey("datasets.id"))
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    epsilon_nano: Mapped[int] = mapped_column(BigInteger)
    result: Mapped[str]


class Wanted(BaseModel):
    prior: list[float]
    epsilon: float


class Category(BaseModel):
    label: str
    mean: float
    low: float
    high: float


class Answer(BaseModel):
    id: str
    epsilon: float
    noisy_counts: list[int]
    concentration: list[float]
    categories: list[Category]


def draw(counts: list[int], epsilon: float) -> list[int]:
    """Counts with discrete Laplace noise: one replaced record moves two of them by one each."""
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    return [int(each) for each in dp.m.make_laplace(*space, scale=2.0 / epsilon)(counts)]


def posterior(labels: list[str], prior: list[float], noisy: list[int]) -> tuple[list[float], list[Category]]:
    concentration = [alpha + max(0, count) for alpha, count in zip(prior, noisy, strict=True)]
    total = sum(concentration)
    others = [total - a for a in concentration]
    lows, highs = (np.asarray(stats.beta.ppf(q, concentration, others)).tolist() for q in (0.025, 0.975))
    categories = [
        Category(label=label, mean=a / total, low=low, high=high)
        for label, a, low, high in zip(labels, concentration, lows, highs, strict=True)
    ]
    return concentration, categories


def answer_in(session: Session, dataset_id: str, wanted: Wanted, key: str, authorization: str) -> str:
    """The JSON text of the release, paid for in the transaction of the session."""
    if session.get(ApiKey, hashlib.sha256(authorization.removeprefix("Bearer ").encode()).hexdigest()) is None:
        raise HTTPException(401)
    before = session.scalars(select(Released).where(Released.idempotency_key == key)).first()
    if before is not None:
        return before.result
    dataset = session.get(Dataset, dataset_id)
    if dataset is None:
        raise HTTPException(404)
    budget = session.get_one(Budget, dataset.budget_id, with_for_update=True)
    epsilon_nano = round(wanted.epsilon * NANO)
    if budget.spent_nano + epsilon_nano > budget.limit_nano:
        raise HTTPException(409, "the budget is spent")
    budget.spent_nano += epsilon_nano
    noisy = draw(json.loads(dataset.counts), wanted.epsilon)
    concentration, categories = posterior(json.loads(dataset.labels), wanted.prior, noisy)
    release = Answer(
        id=str(uuid.uuid4()),
        epsilon=wanted.epsilon,
        noisy_counts=noisy,
        concentration=concentration,
        categories=categories,
    )
    text = release.model_dump_json()
    session.add(
        Released(id=release.id, dataset_id=dataset.id, idempotency_key=key, epsilon_nano=epsilon_nano, result=text)
    )
    return text


def application(engine: Engine) -> FastAPI:
    app = FastAPI()

    @app.post("/datasets/{dataset_id}/releases", status_code=201)
    def release(
        dataset_id: str,
        wanted: Wanted,
        idempotency_key: Annotated[str, Header()],
        authorization: Annotated[str, Header()],
    ) -> Answer:
        with Session(engine) as session, session.begin():
            text = answer_in(session, dataset_id, wanted, idempotency_key, authorization)
        return Answer.model_validate_json(text)

    return app


def opened(url: str) -> Engine:
    """The engine; a transaction on SQLite takes its write lock first, and is as durable as one of the service."""
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=20)
    engine = create_engine(url, connect_args={"timeout": 60}, pool_size=20)

    def configure(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", begin)
    return engine


def fill(engine: Engine, datasets: int) -> list[str]:
    """Create the tables and `count` data sets, each on a budget of its own, and return their ids."""
    Base.metadata.create_all(engine)
    ids = [f"data-{number}" for number in range(datasets)]
    with Session(engine) as session, session.begin():
        session.add(ApiKey(secret_hash=hashlib.sha256(KEY.encode()).hexdigest()))
        session.add_all(Budget(id=each, limit_nano=1000 * NANO) for each in ids)
        session.flush()
        counts, labels = json.dumps([33, 200_712]), json.dumps(["yes", "no"])
        session.add_all(Dataset(id=each, budget_id=each, labels=labels, counts=counts) for each in ids)
    return ids


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="SQLAlchemy address of an empty database")
    parser.add_argument("port", type=int)
    parser.add_argument("--datasets", type=int, default=64)
    arguments = parser.parse_args()
    dp.enable_features("contrib")
    engine = opened(arguments.url)
    fill(engine, arguments.datasets)
    uvicorn.run(application(engine), host="127.0.0.1", port=arguments.port, log_level="warning", **SERVER_OPTIONS)


if __name__ == "__main__":
    main()
