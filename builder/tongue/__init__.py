"""Messages that can be told in another language than English, and the words of each language."""
