"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# A law holds however busy the machine is: no test may fail by the clock.
settings.register_profile("afresh", deadline=None, max_examples=300)
# The same tree gets the same verdict wherever it is tested; `make laws` looks for new counterexamples, and for longer.
settings.register_profile("squadpress", settings.get_profile("afresh"), max_examples=30, derandomize=True)
settings.load_profile("squadpress")

# No test pulls the plug: a machine's disk need not be waited for at each file.
os.fsync = lambda _handle: None
