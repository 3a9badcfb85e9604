"""The forms of roster rules, one module each: all that the program knows of a form. Pure."""
