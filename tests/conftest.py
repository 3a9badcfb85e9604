"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A law holds however busy the machine is: no test may fail by the clock.
settings.register_profile("squadpress", deadline=None)
settings.load_profile("squadpress")
