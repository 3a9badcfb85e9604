"""Digests by which a verdict names what was judged: the roster's content and the data of its pack."""

from __future__ import annotations

import json
from hashlib import sha256

from builder.model.base import Json
from builder.model.pack import Pack
from builder.model.roster import Roster


def plain(roster: Roster) -> dict[str, Json]:
    """A roster as JSON without what is not said and without a sample's expectation."""
    value: dict[str, Json] = roster.model_dump(mode="json", exclude_defaults=True, exclude={"expect"})
    return {"pack": roster.pack, **value}


def canonical(value: Json) -> bytes:
    """The one JSON text of a value: keys sorted, no blanks, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def roster_digest(roster: Roster) -> str:
    """The SHA-256 of what the roster says; remarks and the file's layout do not matter."""
    return sha256(canonical(plain(roster))).hexdigest()


def data_digest(pack: Pack) -> str:
    """The SHA-256 of all that decides legality: what a roster may state, the rules, every card."""
    value: Json = {
        "roster": pack.manifest.roster.model_dump(mode="json"),
        "kinds": {name: str(kind.role) for name, kind in pack.manifest.kinds.items()},
        "rules": pack.rules.model_dump(mode="json"),
        "cards": {name: card.model_dump(mode="json") for name, card in pack.cards.items()},
    }
    return sha256(canonical(value)).hexdigest()
