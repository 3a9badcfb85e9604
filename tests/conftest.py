"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, settings

# A law holds however busy the machine is: no test may fail by the clock.
settings.register_profile(
    "afresh",
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow],
)
# The same tree gets the same verdict wherever it is tested; `make laws` looks for new
# counterexamples, and for longer.
settings.register_profile(
    "squadpress", settings.get_profile("afresh"), max_examples=30, derandomize=True
)
settings.load_profile("squadpress")

# No test pulls the plug: a machine's disk need not be waited for at each file.
os.fsync = lambda _handle: None

SECOND = {"weasyprint", "postgres", "postgresql"}
"""The second engine and the second database, as parameters and fixtures name them."""


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark tests that need one of these by parameter or fixture; `make quick-test` skips them."""
    for item in items:
        case = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if SECOND & {*map(str, case), *getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.second)
