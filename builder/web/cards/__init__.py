"""The public pages of cards, and the games that all other apps read."""
