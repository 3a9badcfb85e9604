"""The version of the program, the one place where it is written."""

VERSION = "0.2.0"
