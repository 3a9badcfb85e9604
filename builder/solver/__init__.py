"""Rules as linear constraints, and what a solver makes of them.

Squads completed, conflicts, cheapest repairs.
"""
