"""The command line: one click module per command, exit codes."""
