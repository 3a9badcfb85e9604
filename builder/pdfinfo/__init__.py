"""A finished PDF as typed facts: what is on each page, where, how large, in which colours and fonts. Judges nothing."""
