"""Draws SVG pictures from plain numbers and texts, which were released or are public. It reads no data."""
