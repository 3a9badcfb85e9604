"""Render cards: view, HTML, PDF. Rules are not part of it."""
