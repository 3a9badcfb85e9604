"""Checks of a release before it is frozen."""
