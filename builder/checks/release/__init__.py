"""Checks of a release before it is made: one file per check."""
