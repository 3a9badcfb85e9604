"""Commands for lists of other programs."""
