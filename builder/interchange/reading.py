"""Read rosters of other programs: BattleScribe XML, and JSON of New Recruit and ListForge.

The format is recognised by the content, not by the file's name.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from builder.errors import InputUnreadable
from builder.interchange.elements import ForeignElement, convert_json, read_xml
from builder.interchange.tree import (
    ForeignCategory,
    ForeignCost,
    ForeignForce,
    ForeignProfile,
    ForeignRoster,
    ForeignRule,
    ForeignSelection,
)
from builder.messages import gettext as _

Item = TypeVar("Item", ForeignProfile, ForeignRule)
MAX_BYTES = 60_000_000
"""Bytes of a file, and of what a packed file unpacks to."""
MAX_COMPRESSION_RATIO = 200
"""How much larger an unpacked file may be. Real rosters compress to a tenth."""
MAX_SEARCH_DEPTH = 4
"""How deep a JSON file is searched for its roster."""
ZIP_START = b"PK\3\4"
GZIP_START = b"\x1f\x8b"
LINK = re.compile(rb"#/listforge/([A-Za-z0-9+/_=%-]+)")
"""A ListForge link: after the path follow gzip data in base64."""

KNOWN_ELEMENTS = {
    "roster": "costs costLimits forces rules profiles tags customNotes description",
    "force": "rules profiles selections categories publications forces costs customNotes tags",
    "selection": "rules profiles selections categories costs customNotes tags links",
    "profile": "characteristics attributes description",
    "rule": "description",
    "category": "rules profiles",
    "cost": "",
}
"""The children that an element may have, by its name. Others are counted as unknown."""
NUMBERS = {"selection": ("number",), "cost": ("value",)}
"""Attributes that must be numbers, by the element's name. Other texts are counted as unknown."""
MAX_NUMBER = 1e9


def is_foreign_roster(data: bytes) -> bool:
    """Return True if the bytes look like a foreign roster.

    Nothing is unpacked or parsed completely.
    """
    start = data[:4096].lstrip(b"\xef\xbb\xbf \r\n\t")
    if data.startswith(ZIP_START):
        return _find_zip_member(data) is not None
    if start.startswith(b"<"):
        return b"<roster" in start
    if start.startswith(b"{"):
        return b'"forces"' in data and (b'"selections"' in data or b'"gameSystemId"' in data)
    return LINK.search(start) is not None


def read_foreign_roster(data: bytes) -> ForeignRoster:
    """Return the roster in a file of another program.

    Raise InputUnreadable with the reason if there is none.
    """
    if len(data) > MAX_BYTES:
        raise _make_error(_("the file is larger than {count} MB", count=MAX_BYTES // 1_000_000))
    data = _unpack(data)
    text_start = data[:200].lstrip(b"\xef\xbb\xbf \r\n\t")
    if text_start.startswith(b"{"):
        return _read_roster(convert_json("roster", _parse_json(data)))
    # UTF-16 begins with a byte-order mark, which the XML parser understands.
    if text_start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        root = read_xml(data)
        if root.name != "roster":
            raise _make_error(_("the file is a {name}, not a roster", name=root.name))
        return _read_roster(root)
    raise _make_error(_("the file is not a roster of a known format"))


def _make_error(message: str) -> InputUnreadable:
    return InputUnreadable(
        message, _("Use a BattleScribe file (.ros, .rosz) or a New Recruit or ListForge JSON file.")
    )


def _unpack(data: bytes) -> bytes:
    """Return the unpacked roster of a zip file, of gzip data or of a link.

    Other bytes are returned as they are.
    """
    if data.startswith(ZIP_START):
        return _unzip(data)
    link = LINK.search(data[:200_000])
    if link is not None and not data.lstrip().startswith((b"<", b"{")):
        data = _decode_link(link[1])
    if data.startswith(GZIP_START):
        return _gunzip(data)
    return data


def _find_zip_member(data: bytes) -> zipfile.ZipInfo | None:
    """Return the entry that may be a roster: the only file, or the only one with its extension."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return None
    if len(files) > 1:
        files = [info for info in files if info.filename.lower().endswith((".ros", ".json"))]
    return files[0] if len(files) == 1 else None


def _unzip(data: bytes) -> bytes:
    member = _find_zip_member(data)
    if member is None:
        raise _make_error(_("the zip file does not contain exactly one roster"))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(member) as file:
            # The size in the directory may be a lie: read at most one byte more than is allowed.
            content = file.read(_max_unpacked(data) + 1)
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError) as error:
        raise _make_error(_("the zip file is damaged: {reason}", reason=str(error))) from error
    return _require_size(content, data)


def _gunzip(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(data, _max_unpacked(data) + 1)
    except zlib.error as error:
        raise _make_error(_("the packed data is damaged: {reason}", reason=str(error))) from error
    if not unpacker.eof and len(content) <= _max_unpacked(data):
        raise _make_error(_("the packed data is incomplete"))
    return _require_size(content, data)


def _max_unpacked(data: bytes) -> int:
    return min(MAX_BYTES, len(data) * MAX_COMPRESSION_RATIO)


def _require_size(content: bytes, packed: bytes) -> bytes:
    if len(content) > _max_unpacked(packed):
        raise _make_error(_("the packed file unpacks to more than a roster can need"))
    return content


def _decode_link(encoded: bytes) -> bytes:
    text = encoded.replace(b"%3D", b"=").replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise _make_error(_("the link is incomplete")) from error


def _parse_json(data: bytes) -> Mapping[str, object]:
    """Return the object that holds the forces. Programs wrap it in up to three others."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _make_error(_("the file is not valid JSON: {reason}", reason=str(error))) from error
    roster = _find_roster(value, MAX_SEARCH_DEPTH)
    if roster is None:
        raise _make_error(_("the JSON file contains no roster with forces"))
    if isinstance(value, dict):
        # ListForge names the game system outside of the roster.
        for key in ("gameSystemId", "gameSystemName", "name"):
            if key in value and key not in roster:
                roster = {**roster, key: value[key]}
    return roster


def _find_roster(value: object, depth: int) -> Mapping[str, object] | None:
    if not isinstance(value, dict) or depth == 0:
        return None
    if isinstance(value.get("forces"), (list, dict)):
        return value
    for item in value.values():
        roster = _find_roster(item, depth - 1)
        if roster is not None:
            return roster
    return None


def _read_roster(root: ForeignElement) -> ForeignRoster:
    roster = ForeignRoster(
        id=root.attributes.get("id", ""),
        name=root.attributes.get("name", "").strip(),
        game_system_id=root.attributes.get("gameSystemId", ""),
        game_system_name=root.attributes.get("gameSystemName", "").strip(),
        costs=_read_costs(root, "costs"),
        cost_limits=_read_costs(root, "costLimits"),
        forces=tuple(_read_force(element) for element in root.list_in("forces")),
        profiles=_read_profiles(root),
        rules=_read_rules(root),
        notes=root.get_text("customNotes"),
        unknown_elements=_count_unknown(root),
    )
    if not roster.forces:
        raise _make_error(_("the roster has no forces"))
    return roster


def _read_force(element: ForeignElement) -> ForeignForce:
    return ForeignForce(
        id=element.attributes.get("id", ""),
        name=element.attributes.get("name", "").strip(),
        catalogue_id=element.attributes.get("catalogueId", ""),
        catalogue_name=element.attributes.get("catalogueName", "").strip(),
        costs=_read_costs(element, "costs"),
        profiles=_read_owned(element, _read_profiles),
        rules=_read_owned(element, _read_rules),
        selections=_read_selections(element),
        forces=tuple(_read_force(child) for child in element.list_in("forces")),
    )


def _read_selections(element: ForeignElement) -> tuple[ForeignSelection, ...]:
    return tuple(_read_selection(child) for child in element.list_in("selections"))


def _read_selection(element: ForeignElement) -> ForeignSelection:
    attributes = element.attributes
    return ForeignSelection(
        id=attributes.get("id", ""),
        name=attributes.get("name", "").strip(),
        entry_id=attributes.get("entryId", ""),
        number=max(round(_read_number(attributes.get("number", "1"), 1)), 0),
        type=attributes.get("type", "upgrade"),
        group=attributes.get("group", ""),
        custom_name=attributes.get("customName", "").strip(),
        notes=element.get_text("customNotes").strip(),
        costs=_read_costs(element, "costs"),
        categories=tuple(_read_category(child) for child in element.list_in("categories")),
        profiles=_read_owned(element, _read_profiles),
        rules=_read_owned(element, _read_rules),
        selections=_read_selections(element),
    )


def _read_costs(element: ForeignElement, container: str) -> tuple[ForeignCost, ...]:
    costs = []
    for child in element.list_in(container):
        name = child.attributes.get("name", "").strip()
        value = _read_number(child.attributes.get("value", "0"), 0)
        costs.append(ForeignCost(name, child.attributes.get("typeId", ""), value))
    return tuple(costs)


def _read_category(element: ForeignElement) -> ForeignCategory:
    attributes = element.attributes
    entry_id = attributes.get("entryId", "") or attributes.get("id", "")
    return ForeignCategory(
        entry_id, attributes.get("name", "").strip(), _is_true(attributes, "primary")
    )


def _read_owned(
    element: ForeignElement, read: Callable[[ForeignElement], tuple[Item, ...]]
) -> tuple[Item, ...]:
    """Return the profiles or rules of an element, then those of its categories."""
    items = read(element)
    for category in element.list_in("categories"):
        items += read(category)
    return items


def _read_profiles(element: ForeignElement) -> tuple[ForeignProfile, ...]:
    return tuple(_read_profile(child) for child in element.list_in("profiles"))


def _read_profile(element: ForeignElement) -> ForeignProfile:
    attributes = element.attributes
    characteristics: dict[str, str] = {}
    for child in element.list_in("characteristics"):
        name = child.attributes.get("name", "").strip()
        text = child.text or child.attributes.get("value", "")
        # A profile may have two columns of one name: number the second.
        key, number = name, 2
        while key in characteristics:
            key, number = f"{name} {number}", number + 1
        characteristics[key] = text.strip()
    return ForeignProfile(
        id=attributes.get("id", ""),
        name=attributes.get("name", "").strip(),
        type_id=attributes.get("typeId", "") or attributes.get("profileTypeId", ""),
        type_name=(attributes.get("typeName", "") or attributes.get("profileTypeName", "")).strip(),
        characteristics=characteristics,
        is_hidden=_is_true(attributes, "hidden"),
    )


def _read_rules(element: ForeignElement) -> tuple[ForeignRule, ...]:
    return tuple(_read_rule(child) for child in element.list_in("rules"))


def _read_rule(element: ForeignElement) -> ForeignRule:
    attributes = element.attributes
    return ForeignRule(
        attributes.get("id", ""),
        attributes.get("name", "").strip(),
        element.get_text("description").strip(),
        _is_true(attributes, "hidden"),
    )


def _is_true(attributes: Mapping[str, str], name: str) -> bool:
    return attributes.get(name, "").lower() == "true"


def _read_number(text: str, default: float) -> float:
    """Return a number, or the default for a text that is none."""
    number = _parse_number(text)
    return default if number is None else number


def _parse_number(text: str) -> float | None:
    """Return a finite number of ordinary size; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < MAX_NUMBER else None


def _count_unknown(root: ForeignElement) -> Mapping[str, int]:
    """Count the elements that no part of the reader reads, by their path of two names."""
    unknown: Counter[str] = Counter()
    _add_unknown([root], unknown)
    return dict(unknown)


def _add_unknown(elements: Iterable[ForeignElement], unknown: Counter[str]) -> None:
    for element in elements:
        for name in NUMBERS.get(element.name, ()):
            text = element.attributes.get(name, "0")
            if _parse_number(text) is None:
                unknown[f"{element.name}/{name}={text[:20]}"] += 1
        known = KNOWN_ELEMENTS.get(element.name)
        if known is None:
            continue
        known_names = known.split()
        for child in element.children:
            if child.name in known_names:
                _add_unknown(child.children, unknown)
            else:
                unknown[f"{element.name}/{child.name}"] += 1
