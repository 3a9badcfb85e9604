"""The version of the program, the one place where it is written."""

VERSION = "0.6.0"
