"""Releases and publications on disk."""
