"""A typed client of Private Posterior, on httpx alone: `with Client.open(server, key) as client: ...`."""

from private_posterior.client import Client, new_idempotency_key
from private_posterior.connection import Waiting
from private_posterior.counting import CountedTable, count
from private_posterior.dataset import DataSet
from private_posterior.errors import (
    AnswerLost,
    ClientError,
    LimitMissing,
    NoSuchName,
    NotATable,
    NotSendable,
    NotTheService,
    ProblemError,
    Unreachable,
)
from private_posterior.groups import groups
from private_posterior.noisy_table import NoisyTable
from private_posterior.payload import request_key

__all__ = [
    "AnswerLost",
    "Client",
    "ClientError",
    "CountedTable",
    "DataSet",
    "LimitMissing",
    "NoSuchName",
    "NoisyTable",
    "NotATable",
    "NotSendable",
    "NotTheService",
    "ProblemError",
    "Unreachable",
    "Waiting",
    "count",
    "groups",
    "new_idempotency_key",
    "request_key",
]
