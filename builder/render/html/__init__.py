"""From a card to its HTML: templates, views, marked text, typography, style sheets."""
