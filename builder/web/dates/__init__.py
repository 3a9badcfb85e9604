"""How days are written, where Django writes them otherwise than sentences can take."""
