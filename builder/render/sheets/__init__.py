"""Compose documents from rendered faces: sheets, fonts, marks."""
