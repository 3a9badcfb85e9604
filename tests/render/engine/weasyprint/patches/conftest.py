"""What tests of the short ways share."""

from __future__ import annotations

import os

import pytest

from builder.render.fonts import configure


@pytest.fixture(scope="module")
def fonts(tmp_path_factory):
    """The fonts of the press as the engine knows them."""
    from weasyprint.text.fonts import FontConfiguration

    before = os.environ.get("FONTCONFIG_FILE")
    configure(tmp_path_factory.mktemp("fonts"), ())
    found = FontConfiguration()
    os.environ.pop("FONTCONFIG_FILE") if before is None else os.environ.update(FONTCONFIG_FILE=before)
    return found
