"""All checks: their registry, the code that runs them, and one file per check."""
