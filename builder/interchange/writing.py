"""Write a roster as a file of another program. Pure."""

from __future__ import annotations

import io
import json
import zipfile
from copy import deepcopy

from builder.interchange.document import ForeignDocument
from builder.interchange.json_elements import make_json, restore_types
from builder.interchange.xml_elements import write_xml
from builder.model.base import Json

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of the file in a zip file. With a fixed date, equal lists give equal files."""


def write_ros(document: ForeignDocument) -> bytes:
    """Format a roster as a BattleScribe file (.ros)."""
    return write_xml(document.complete_root)


def write_rosz(document: ForeignDocument, name: str) -> bytes:
    """Format a roster as a zipped BattleScribe file (.rosz). `name` is that of the file inside."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(f"{name}.ros", ZIP_DATE)
        archive.writestr(info, write_ros(document), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def write_new_recruit(document: ForeignDocument) -> bytes:
    """Format a roster as a New Recruit or ListForge JSON file."""
    if document.outer_value is None:
        root = deepcopy(document.root)
        restore_types(root)
        value: Json = {root.name: make_json(root)}
    else:
        value = _replace_roster(document)
    return json.dumps(value, ensure_ascii=False).encode(errors="ignore") + b"\n"


def _replace_roster(document: ForeignDocument) -> Json:
    """Return the value of the original JSON file with the changed roster in its place."""
    roster = make_json(document.root)
    if not document.path:
        return roster
    outer_value = deepcopy(document.outer_value)
    place: Json = outer_value
    for key in document.path[:-1]:
        place = place[key]  # type: ignore[index]
    place[document.path[-1]] = roster  # type: ignore[index]
    return outer_value
