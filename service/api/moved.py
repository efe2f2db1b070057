"""Free operations of 0.2 that another one replaced. Their addresses name it, and are in no description."""

from __future__ import annotations

from functools import partial
from typing import Final, Never

from fastapi import APIRouter

from service.errors import OperationMoved

MOVED: Final = {
    "GET /v1/datasets/{dataset_id}/grants": "GET /v1/grants",
    "GET /v1/datasets/{dataset_id}/access-requests": "GET /v1/access-requests",
    "GET /v1/certificates/{certificate_id}": "GET /v1/jobs/{job_id}/result",
    "POST /v1/releases/{release_id}/posterior": "POST /v1/posteriors",
    "POST /v1/tables/posterior": "POST /v1/posteriors",
    "POST /v1/tables/plot.svg": "POST /v1/posteriors",
    "POST /v1/datasets/{dataset_id}/margins/tables": "POST /v1/datasets/{dataset_id}/estimates",
    "POST /v1/rehearsals": "POST /v1/plans",
    "POST /v1/public/releases/{release_id}/posterior": "POST /v1/public/posteriors",
}
"""The operation in place of each operation of 0.2."""

router = APIRouter(include_in_schema=False)


async def _refuse(moved_to: str) -> Never:
    raise OperationMoved(moved_to=moved_to)


for _former, _moved_to in MOVED.items():
    _method, _path = _former.split()
    router.add_api_route(_path, partial(_refuse, _moved_to), methods=[_method], response_model=None)
