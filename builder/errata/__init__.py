"""Pure comparison of two card sets: differences, notes, version advice, impact."""
