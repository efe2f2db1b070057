"""Pages for a browser. They speak to `/v1` over an in-process transport with plain JSON and to nothing else, so that
every rule, charge and log line of the API holds for them.
"""
