"""Rosters of other programs, read into one tree."""
