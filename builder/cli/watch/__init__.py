"""`squadpress watch`."""
