from __future__ import annotations

import pytest
from pydantic import ValidationError

from builder.model.preset import Colour, Preset


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"space": "rgb", "standard": "pdf/x-4"}, "cmyk"),
        ({"space": "cmyk", "standard": "pdf/x-1a"}, "transparency"),
        ({"space": "cmyk", "ink_limit": 200, "rich_black": (60, 40, 40, 100)}, "more than ink_limit"),
    ],
)
def test_colours_that_contradict_themselves_are_refused(wrong, said):
    with pytest.raises(ValidationError, match=said):
        Colour(**wrong)


def test_images_in_cmyk_are_refused():
    with pytest.raises(ValidationError, match="rgb"):
        Preset(id="x", name={}, output="png", bleed=3, colour=Colour(space="cmyk"))
