"""Checks of a pack's cards, texts and translations."""
