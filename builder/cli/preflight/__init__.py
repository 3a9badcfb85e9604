"""`squadpress preflight`."""
