"""WeasyPrint, the reference engine. No other package imports WeasyPrint, pydyf or tinyhtml5."""
