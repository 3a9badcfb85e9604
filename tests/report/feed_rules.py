"""The rules of Atom (RFC 4287) and JSON Feed 1.1, for the tests of all feeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from lxml import etree

FOLDER = Path(__file__).parent / "feeds"
ATOM = "{http://www.w3.org/2005/Atom}"


def require_atom(content: bytes) -> Any:
    """Return the root of a valid Atom feed."""
    root = etree.fromstring(content)
    rules = etree.RelaxNG(etree.parse(str(FOLDER / "atom.rng")))
    assert rules.validate(root), rules.error_log
    ids = [element.text for element in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))
    for holder in (root, *root.iter(f"{ATOM}entry")):
        links = [
            (link.get("rel"), link.get("type"))
            for link in holder.findall(f"{ATOM}link")
        ]
        # At most one alternate link of a type, and one to the feed itself.
        assert len(links) == len(set(links))
    return root


def require_json_feed(content: bytes) -> Any:
    """Return the value of a valid JSON Feed."""
    feed = json.loads(content)
    schema = json.loads((FOLDER / "jsonfeed.schema.json").read_text())
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(feed)
    ids = [item["id"] for item in feed["items"]]
    assert len(ids) == len(set(ids))
    return feed
