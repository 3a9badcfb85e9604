"""All that is done with a squad."""
