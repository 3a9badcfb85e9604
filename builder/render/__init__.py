"""Card to view to HTML to PDF. Decides nothing about rules."""
