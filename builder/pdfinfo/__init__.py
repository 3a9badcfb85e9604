"""A finished PDF as typed facts.

What is on each page, where, how large, in which colours and fonts. Judges nothing.
"""
