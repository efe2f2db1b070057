"""Pages for a browser. They use `/v1` only, over an in-process transport with plain JSON, so that all rules, charges
and log lines of the API apply to them.
"""
