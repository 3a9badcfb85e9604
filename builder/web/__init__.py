"""The use cases for a browser: squads built, looked at, printed and shared.

Decides nothing about rules.
"""
