"""Rosters of other programs, read into one neutral tree."""
