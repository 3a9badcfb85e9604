"""Make the HTML of a card: templates, views, marked text, typography, style sheets."""
