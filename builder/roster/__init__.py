"""Pure operations on a roster: resolving, costs with their breakdown, edits."""
