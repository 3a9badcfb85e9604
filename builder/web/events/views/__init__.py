"""The pages of events: for their organiser, and for players."""
