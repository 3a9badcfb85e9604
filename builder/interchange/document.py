"""A file of another program as elements, so that it can be changed and written again. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite

from builder.interchange.elements import ForeignElement
from builder.interchange.json_elements import read_json_object
from builder.interchange.unpacking import decode_text, make_format_error, unpack_roster
from builder.interchange.xml_elements import read_xml
from builder.messages import gettext as _
from builder.model.base import DataPath, Json

MAX_SEARCH_DEPTH = 4
"""How deep a JSON file is searched for its roster."""
OUTER_KEYS = ("gameSystemId", "gameSystemName", "name")
"""Attributes of the roster that ListForge writes outside of it."""


@dataclass(frozen=True, slots=True)
class ForeignDocument:
    """A roster file of another program as elements that can be changed and written again.

    For JSON, `outer_value` is the value of the whole file, and `path` leads to the roster in it.
    """

    root: ForeignElement
    outer_value: Json = None
    path: DataPath = ()

    @property
    def complete_root(self) -> ForeignElement:
        """The roster element, with the attributes that ListForge writes outside of it."""
        root = replace(self.root, attributes={**self.root.attributes})
        outer = self.outer_value if isinstance(self.outer_value, dict) else {}
        for key in OUTER_KEYS:
            value = outer.get(key)
            if not root.get_attribute(key) and not isinstance(value, dict | list):
                root.attributes[key] = value
        return root

    def set_name(self, name: str) -> None:
        """Rename the list, wherever the file stores its name."""
        outer = self.outer_value
        if self.path and isinstance(outer, dict) and isinstance(outer.get("name"), str):
            outer["name"] = name
        if "name" in self.root.attributes or not self.path:
            self.root.attributes["name"] = name


def read_document(data: bytes) -> ForeignDocument:
    """Parse a roster file of another program, packed or not, as XML or JSON.

    Raise InputUnreadable with the reason if it has no roster.
    """
    data = unpack_roster(data)
    text = decode_text(data[:4096]).lstrip()
    if text.startswith(("{", "[")):
        return _read_json_document(data)
    if text.startswith("<"):
        root = read_xml(data)
        if root.name != "roster":
            raise make_format_error(
                _("the file is a {name}, not a roster", name=root.name[:40])
            )
        return ForeignDocument(root)
    raise make_format_error(_("the file is not a roster of a known format"))


def _read_json_document(data: bytes) -> ForeignDocument:
    try:
        value = json.loads(
            data, parse_constant=_parse_finite_number, parse_float=_parse_finite_number
        )
    except (ValueError, RecursionError) as error:
        # The reasons of the parser are in English only, so the message has the position instead.
        message = _("the file is not valid JSON")
        if isinstance(error, json.JSONDecodeError):
            form = _("the file is not valid JSON: line {line}, column {column}")
            message = _(form, line=error.lineno, column=error.colno)
        raise make_format_error(message) from error
    path = _find_roster_path(value, MAX_SEARCH_DEPTH)
    if path is None:
        raise make_format_error(_("the JSON file contains no roster with forces"))
    roster = value
    for key in path:
        roster = roster[key]
    return ForeignDocument(read_json_object("roster", roster), value, path)


def _parse_finite_number(text: str) -> float:
    """Parse a JSON number. Raise ValueError for NaN and infinity, which JSON does not allow."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


def _find_roster_path(value: Json, depth: int) -> DataPath | None:
    """Return the path of the roster in a JSON file, or None. Search a number of levels deep."""
    if depth == 0 or not isinstance(value, dict | list):
        return None
    items: Iterable[tuple[str | int, Json]]
    if isinstance(value, list):
        items = enumerate(value)
    else:
        if any(isinstance(value.get(key), list | dict) for key in ("forces", "force")):
            return ()
        items = value.items()
    for key, item in items:
        path = _find_roster_path(item, depth - 1)
        if path is not None:
            return (key, *path)
    return None
