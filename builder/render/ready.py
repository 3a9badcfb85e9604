"""Imported by the process from which those that set cards are forked: what is slow to load, once for all of them."""

from builder.render import pool

pool.load(None)
