"""From finished faces to what a print shop takes: bleed, inks, standards, images.

Works on PDF files only.
"""
