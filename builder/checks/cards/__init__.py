"""Checks of a pack's cards: one file each, `check(loaded)` yields findings."""
