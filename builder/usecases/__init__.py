"""The tasks of the program: one short function per task, used by the command line and the web."""
