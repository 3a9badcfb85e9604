"""Make, compare, announce and publish releases."""
