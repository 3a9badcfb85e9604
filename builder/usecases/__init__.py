"""One short function per verb: the story of the program."""
