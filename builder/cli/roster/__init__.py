"""Commands about squads."""
