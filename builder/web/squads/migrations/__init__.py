"""The changes of the tables of this app, in order."""
