"""The content of files as frozen typed models. No input or output."""
