"""Checks of a roster against its pack."""
