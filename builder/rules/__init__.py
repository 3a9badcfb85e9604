"""Apply a game's rules to a squad: check it, describe violations, find repairs.

Pure; knows nothing of files or output.
"""
