"""Rules as linear constraints, and what a solver makes of them: squads completed, conflicts, cheapest repairs."""
