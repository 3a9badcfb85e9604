"""What is tested here is the reference alone."""

from __future__ import annotations

import pytest


@pytest.fixture
def engine() -> str:
    """The one that these tests take apart."""
    return "weasyprint"
