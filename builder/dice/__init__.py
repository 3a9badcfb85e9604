"""Chances of dice, counted exactly: what statistics of squads are made of. Pure."""
