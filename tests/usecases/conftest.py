"""What tests of the use cases share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from builder.render.sheets import fontmerge


@pytest.fixture(scope="session", autouse=True)
def _typefaces_cut_once() -> Iterator[None]:
    """Yield the same letters of a typeface are the same file.

    Cut for the first project that wants them, not for each.
    """
    cached_subset = cache(lambda path, glyphs: subset_font(path, list(glyphs)))
    subset_font = fontmerge.subset_font
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            fontmerge,
            "subset_font",
            lambda path, glyphs: cached_subset(path, tuple(glyphs)),
        )
        yield
