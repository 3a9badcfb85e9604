"""PlutoPrint, the quick engine: the same HTML and CSS, set in C++."""
