"""Imported by the process from which those that set cards are forked: what is slow to load, once for all of them."""

from __future__ import annotations

import signal

from builder.render import pool

# Whoever stops the program stops it by its own process: this one ends with it and has nothing to say.
_before = signal.signal(signal.SIGINT, signal.SIG_IGN)
try:
    pool.load(None)
finally:
    signal.signal(signal.SIGINT, _before)
