"""Imported by the process from which workers are forked: what is slow to load, once for all of them."""

import os

from builder.render import workers
from builder.render.engine import DEFAULT

workers.load(os.environ.get(workers.PRELOADED, DEFAULT))
