"""PlutoPrint, the fast engine: it renders the same HTML and CSS in C++."""
