"""Commands for whoever runs a server: `python -m django NAME`."""
