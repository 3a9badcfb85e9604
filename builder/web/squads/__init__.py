"""Squads: building, checking, sharing, sealing, playing and printing them."""
