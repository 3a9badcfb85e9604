"""Checks of the files that shape how cards look: pictures, drawings, style sheets, and the letters of the fonts."""
