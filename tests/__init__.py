"""Tests compute as the service does, on one core: threads of a linear algebra library would wait for each other in
loops, which counts as time of a processor.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
