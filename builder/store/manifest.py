"""Reads the manifest of an order that was made before."""

from __future__ import annotations

import json
from pathlib import Path

from builder.messages import gettext as _
from builder.messages import os_error
from builder.model.shop import Order
from builder.store.package import MANIFEST


def read_manifest(folder: Path) -> Order | None:
    """The order in this folder; None where there is no manifest. ValueError where it is not one of ours, or broken."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    from pydantic import TypeAdapter

    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise ValueError(os_error(error)) from None
    if not isinstance(value, dict) or value.get("made_by") != "squadpress":
        raise ValueError(_("it is not of this program"))
    return TypeAdapter(Order).validate_python(value)
