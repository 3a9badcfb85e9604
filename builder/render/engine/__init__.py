"""The engine behind one protocol: filled-in HTML in, set faces out."""
