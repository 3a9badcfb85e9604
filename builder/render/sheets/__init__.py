"""Finished documents from rendered faces: sheets, fonts, marks. Lays nothing out."""
