"""Gauges as geometry: each becomes a piece of exact outlines in mm, pieces are packed on pages.

Pure.
"""
