"""A game's rules applied to a squad: judged, worded, repaired.

Pure; knows nothing of files or output.
"""
