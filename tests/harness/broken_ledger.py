"""The service with a ledger that prices measured queries too low on purpose, to be caught by the audit of queries.

AUDITED_VARIANT=max_over_data_sets python -m tests.harness.broken_ledger serve

A draw process refuses what was charged too little. With the argument `draw` this is one that does not compare. Each
computation process runs this file again, so only the main program imports the service.
"""

import os
import sys

if __name__ == "__main__":
    from service.cli import main
    from tests.harness.ledger_faults import draw_at_any_price, plant
    from tests.harness.process import draw_with

    if sys.argv[1:] == ["draw"]:
        draw_at_any_price()
    else:
        variant = os.environ["AUDITED_VARIANT"]
        plant(variant)
        if variant != "sound":
            draw_with(sys.executable, "-m", "tests.harness.broken_ledger", "draw")
        main.main()
