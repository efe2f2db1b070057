"""Releases: from the request through payment and draw to the stored answer."""
