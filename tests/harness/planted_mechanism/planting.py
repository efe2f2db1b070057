"""Adds the planted mechanism to a copy of the code: one new file, and edits of three."""

from __future__ import annotations

from typing import Final

from tests.harness.planting import Edits

MODULE: Final = "core/mechanisms/tempered.py"
EDITS: Final[Edits] = {
    "core/mechanisms/catalogue.py": (
        ("from core.mechanisms.noisy_counts", "from core.mechanisms.tempered import TEMPERED, Tempered\n\\g<0>"),
        (r"^Event: TypeAlias = .*", "\\g<0> | Tempered"),
        (
            r"SIMPLEX_GEOMETRIC, LAPLACE, GAUSSIAN, EXPONENTIAL\)",
            "SIMPLEX_GEOMETRIC, LAPLACE, GAUSSIAN, EXPONENTIAL, TEMPERED)",
        ),
    ),
    "service/schemas/mechanisms.py": (
        ("from core.mechanisms.mechanism import Calibration", "from core.mechanisms import tempered\n\\g<0>"),
        (
            r"^REQUESTS: ",
            '''class Tempered(MechanismRequest):
    """Adds Laplace noise with a Gaussian tail to every count."""

    kind: Literal["tempered"]
    epsilon: EpsilonOfRelease
    delta: DeltaOfRelease


_TEMPERED: Final = RequestRecord(
    schema=Tempered,
    name="tempered",
    calibrations=(tempered.CALIBRATION,),
    calibration=lambda _: tempered.CALIBRATION,
    for_one_record=lambda request, records: shared(request, records, request.epsilon, request.delta),
    calibrate=lambda request, n, prior: tempered.within(n, prior, request.epsilon, request.delta),
    relations=(NeighbourRelation.REPLACE_ONE,),
    at_private_n=refused_at_private_n(tempered.TEMPERED),
    check=None,
    asked=lambda _, epsilon, delta, __: (
        Tempered(kind="tempered", epsilon=epsilon, delta=delta) if delta.units else None
    ),
    largest_epsilon=Largest(
        least=MIN_EPSILON,
        loss=lambda _, __, epsilon, delta, ___: PrivacyLoss(epsilon, delta),
        takes_delta=True,
        runs_at=_runs_at_public_n,
    ),
    largest_rho=None,
)

\\g<0>''',
        ),
        (r"^    _EXPONENTIAL_GLOBAL,\n", "\\g<0>    _TEMPERED,\n"),
    ),
    "pyproject.toml": ((r'    "core.mechanisms.laplace",', '\\g<0>\n    "core.mechanisms.tempered",'),),
}
