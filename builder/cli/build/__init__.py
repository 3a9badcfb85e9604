"""Commands that make files."""
