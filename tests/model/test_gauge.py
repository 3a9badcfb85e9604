from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from builder.geometry.gauges.sheet import DRAWERS
from builder.model.gauge import AnyGauge, GaugeSet, Track
from builder.model.outline import Length

LENGTH: TypeAdapter[float] = TypeAdapter(Length)


@pytest.mark.parametrize(
    ("written", "mm"),
    [
        (25, 25),
        ("25", 25),
        ("25mm", 25),
        ("2.5 cm", 25),
        ("1in", 25.4),
        ('2"', 50.8),
        ("12.5mm + 2in", 63.3),
        ("1in-0.4", 25),
    ],
)
def test_a_length_is_read_with_its_units(written: object, mm: float) -> None:
    assert LENGTH.validate_python(written) == pytest.approx(mm)


@pytest.mark.parametrize(
    "written", ["", " ", "two", "2 ft", "1in 2", "-3mm", 0, -1, "1in+"]
)
def test_what_is_no_length_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        LENGTH.validate_python(written)


BAD: dict[str, dict[str, Any]] = {
    "two sizes": {"type": "disc", "radius": 10, "diameter": 20},
    "no size": {"type": "disc"},
    "a hole as large as the disc": {"type": "disc", "diameter": 20, "hole": 20},
    "an unknown type": {"type": "cube"},
    "an unknown key": {"type": "disc", "diameter": 20, "colour_of": "red"},
    "a colour by name": {"type": "disc", "diameter": 20, "colour": "red"},
    "a token without a face": {"type": "token", "faces": []},
    "numbers and cells": {
        "type": "panel",
        "tracks": [{"first": 1, "last": 2, "cells": [{}]}],
    },
    "neither numbers nor cells": {"type": "panel", "tracks": [{}]},
    "a track backwards": {"type": "panel", "tracks": [{"first": 5, "last": 1}]},
    "a zone beyond the track": {
        "type": "panel",
        "tracks": [
            {
                "first": 1,
                "last": 3,
                "zones": [{"first": 2, "last": 4, "colour": "#ff0000"}],
            }
        ],
    },
    "a ruler too slim for two scales": {
        "type": "ruler",
        "length": 100,
        "width": 20,
        "opposite": {},
    },
    "an outline of nothing": {"type": "reach", "length": 10, "form": "outline"},
    "a polygon of two corners": {
        "type": "template",
        "outline": {"shape": "polygon", "points": [[0, 0], [1, 1]]},
    },
}


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_gauge_is_refused(case: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(AnyGauge)
    with pytest.raises(ValidationError):
        adapter.validate_python({"id": "x", "name": {"en": "X"}, **BAD[case]})


def test_an_id_is_used_once() -> None:
    disc = {"id": "x", "type": "disc", "name": {"en": "X"}, "diameter": 20}
    with pytest.raises(ValidationError, match="twice: x"):
        GaugeSet.model_validate(
            {"groups": [{"id": "g", "title": {"en": "G"}, "gauges": [disc, disc]}]}
        )


def test_a_numbered_track_writes_its_boxes_out() -> None:
    track = Track(first=-1, last=3, step=2, plus=True)
    assert [cell.label for cell in track.boxes] == ["-1", "+1", "+3"]


def test_every_type_is_drawn() -> None:
    schema = TypeAdapter(AnyGauge).json_schema()
    assert set(schema["discriminator"]["mapping"]) == set(DRAWERS)
