"""Cards from tables, and tables from cards."""
