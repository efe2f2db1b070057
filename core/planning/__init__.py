"""Plans of releases at counts that somebody made up: costs, errors, interval widths, and the smallest epsilon that is
enough. Nothing here sees private data.
"""
