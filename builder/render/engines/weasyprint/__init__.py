"""The reference engine; the only place that knows WeasyPrint, pydyf and tinyhtml5."""
