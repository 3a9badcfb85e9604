"""Commands that judge finished files."""
