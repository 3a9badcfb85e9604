"""Lists of other programs: printed, or written as an editable pack."""
