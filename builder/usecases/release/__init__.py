"""Releases: made, compared, announced, published."""
