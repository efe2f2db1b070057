"""Adds the planted kind to a copy of the code: three new files, and edits of seven."""

from __future__ import annotations

from typing import Final

from tests.harness.planting import Edits

MODULES: Final = {
    "largest.py": "core/mechanisms/largest.py",
    "schema.py": "service/schemas/largest.py",
    "paid_largest.py": "service/releases/paid_largest.py",
}
"""The new files, by their names in this folder."""
EDITS: Final[Edits] = {
    "core/mechanisms/catalogue.py": (
        ("from core.mechanisms.linear", "from core.mechanisms.largest import LARGEST, Largest\n\\g<0>"),
        (r"^AnyEvent: TypeAlias = .*", "\\g<0> | Largest"),
        (r"MARGINS, BLOCKS, LINEAR\)$", "MARGINS, BLOCKS, LINEAR, LARGEST)"),
    ),
    "pyproject.toml": ((r'    "core.mechanisms.laplace",', '    "core.mechanisms.largest",\n\\g<0>'),),
    "service/database/rows.py": (
        (r'^PaidKind: TypeAlias = Literal\["counts", "margins", "queries"', '\\g<0>, "largest"'),
    ),
    "service/schemas/mechanisms.py": (
        (
            "^_OTHER_MECHANISMS: ",
            '''class LargestMechanism(Response):
    """Names the category with the largest noisy count."""

    kind: Literal["largest"]
    epsilon: EpsilonField


\\g<0>''',
        ),
        (r"\{MARGINS: MarginsMechanism", '\\g<0>, "largest": LargestMechanism'),
    ),
    "service/schemas/paid.py": (
        (
            "^from service.schemas.margins",
            "from service.schemas.largest import LargestCreate, LargestQuote, LargestRelease\n\\g<0>",
        ),
        (r"MarginsCreate \| QueryCreate", "\\g<0> | LargestCreate"),
        (r"MarginsQuote \| QueriesQuote", "\\g<0> | LargestQuote"),
        (r"MarginsRelease \| QueryRelease", "\\g<0> | LargestRelease"),
    ),
    "service/api/app.py": (
        ("^from service.releases import ", "\\g<0>paid_largest, "),
        ('"margins": paid_margins.KIND', '\\g<0>, "largest": paid_largest.KIND'),
    ),
    "service/console/api.py": (("^_OTHER_MECHANISMS: Final = {", '\\g<0>"largest": "Names the largest category.", '),),
}
"""Replacements by file, as regular expressions, each of which matches once."""
