"""Findings turned into text, JSON, SARIF and CI annotations. Pure."""
