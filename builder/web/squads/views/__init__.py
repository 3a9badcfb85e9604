"""The pages of squads, one concern a file."""
