"""Rosters of other programs as printable cards, without knowledge of any game."""
