"""Check, edit, complete, show, share and seal squads."""
