"""Cards as tables."""
