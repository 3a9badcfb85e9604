"""Everything that judges: the registry, the runner, and one file per check."""
