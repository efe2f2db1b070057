"""A replacement of a draw process, with its loop, signals and alarm, that draws nothing: it answers with the order's
spec, and fails in the way that its arguments select.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import signal

from service.drawing import frames


def main() -> None:
    behaviour, *arguments = sys.argv[1:]
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    frames.read_frame(source)
    if behaviour == "never-ready" or (behaviour == "if-there-is" and not Path(arguments[0]).exists()):
        return
    frames.write(sink, {"ready": True})
    for order in (order for round_ in iter(lambda: frames.read_frame(source), None) for order in round_["orders"]):
        Path("/proc/self/comm").write_text("drawing")
        signal.alarm(order["seconds"])
        again = order["spec"] == "again"
        match behaviour:
            case "sleep" if not again:
                time.sleep(float(arguments[0]))
            case "end-at" if order["spec"] == arguments[0]:
                return
            case "garbage":
                sink.write(bytes(7) + b"\3{]}")
                sink.flush()
                continue
            case "half":
                sink.write(bytes(7) + rb"\9{")
                sink.flush()
                return
            case "flood":
                sink.write((2**40).to_bytes(8))
                for _ in range(100):
                    sink.write(bytes(1_000_000))
                    time.sleep(0.05)
            case "end":
                return
            case _:
                pass
        named = "rel_another" if behaviour == "another" else order["release_id"]
        frames.write(sink, {"release_id": named, "drawn": order["spec"]})
        signal.alarm(0)


if __name__ == "__main__":
    main()
