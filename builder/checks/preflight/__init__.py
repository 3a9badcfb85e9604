"""Checks of a finished PDF against a preset."""
