"""Squadpress checks squads of tabletop skirmish games and prints their cards."""
