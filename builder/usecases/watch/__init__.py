"""Watch a pack: render edited cards and show them in a browser."""
