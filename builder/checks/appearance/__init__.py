"""Checks of pictures, drawings, style sheets, and the glyphs of fonts."""
