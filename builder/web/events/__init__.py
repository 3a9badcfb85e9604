"""Events: players hand lists in, an organiser sees the verdicts."""
