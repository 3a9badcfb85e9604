"""Finished documents from set faces: sheets, fonts, marks. Lays nothing out."""
