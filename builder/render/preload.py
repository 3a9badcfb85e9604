"""Imported by the process from which workers are forked: what is slow to load, once for all of them."""

from builder.render import workers

workers.load()
