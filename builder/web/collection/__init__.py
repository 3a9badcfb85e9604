"""The cards that an owner has."""
