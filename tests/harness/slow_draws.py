"""The service with draw processes that compute for a second before each draw through noise.

Started as the command line is: `python -m tests.harness.slow_draws serve`. With the argument `draw` it is its own draw
process.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from core.mechanisms.geometric import mechanism as simplex_geometric

_RELEASE = simplex_geometric.release
_SECONDS = 1.0


def _release_slowly(*given: Any) -> Any:
    until = time.process_time() + _SECONDS
    while time.process_time() < until:
        pass
    return _RELEASE(*given)


def serve() -> None:
    from service.cli import main as cli
    from tests.harness.process import draw_with

    draw_with(sys.executable, "-m", "tests.harness.slow_draws", "draw")
    cli.main()


if __name__ == "__main__":
    if sys.argv[1:] == ["draw"]:
        from service.drawing.__main__ import main

        simplex_geometric.release = _release_slowly  # type: ignore[assignment]  # it takes what the original takes
        main()
    else:
        serve()
