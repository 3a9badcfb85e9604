"""Exact chances of dice for the statistics of squads. Pure."""
