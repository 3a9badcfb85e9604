"""Commands that show cards while they are edited."""
