"""The scheme by which a squad is kept secret: commitments that hide and bind, and what a disclosure proves of them.

A commitment is the SHA-256 of the canonical JSON of `{scheme, public, name, salt, value}`:

- `public` is the digest of all that the opponent's copy shows. Whoever changes a model, a parameter or the pack's
  digest in the copy makes every commitment false, so a single disclosed card proves the models too.
- `name` is where the secret stands: what was sealed for one model cannot be opened for another.
- `salt` is 256 random bits, another for each secret: no card can be guessed, and equal cards look different.

Each model has equally many places, the spare ones committed to as empty: how much it carries stays secret, yet each
place has exactly one commitment, so that nobody seals two cards and picks one later. `whole` opens everything at once:
the roster and every salt, so that each commitment is made again and none can contradict the roster or be left over.
"""

import hmac
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.roster import Roster
from builder.usecases.roster.verdict import canonical, plain

SCHEME = "squadpress-seal-2"
WHOLE = "whole"
SALT = re.compile(r"[0-9a-f]{64}")
PLACES = 4
"""Places are a multiple of this: only a squad with a model that carries more than that tells how much, and roughly."""
SPARE_DECK = 8
"""The same for the cards of the deck."""
REASONS = {
    "seal-none": _("the copy holds no such seal"),
    "seal-salt": _("the disclosure gives no proper salt"),
    "seal-open": _("what the copy shows openly (models, pack or rules) is not what was sealed with it"),
    "seal-other": _("this is not what was sealed"),
    "seal-no-squad": _("it is not a squad"),
    "seal-models": _("its models are not those that the copy shows"),
    "seal-number": _("the copy has other seals than this squad has secrets"),
    "seal-salts": _("the disclosure gives no salts for its parts"),
    "seal-parts": _("it contradicts the seals of its parts: {places}"),
    "seal-data": _("it is what was sealed, but with other cards or rules than those here"),
    "seal-illegal": _("it is what was sealed, but it is not a legal squad"),
}
"""Why a disclosure proves nothing, in words; `places` are the secrets that it is about."""


@dataclass(frozen=True, slots=True)
class Proved:
    """What a disclosure proves of one secret: `wrong` is the reason why not (of REASONS), with the places it is about,
    and is empty where it is what was sealed."""

    name: str
    value: Json
    wrong: str = ""
    places: str = ""


def fingerprint(copy: Mapping[str, Json]) -> str:
    """Half the SHA-256 of a whole opponent's copy, in groups: two players can compare it aloud or in a picture."""
    digest = sha256(canonical(dict(copy))).hexdigest()[:32]
    return " ".join(digest[i : i + 4] for i in range(0, len(digest), 4))


def public_digest(copy: Mapping[str, Json]) -> str:
    """The SHA-256 of all that a copy shows: everything in it but the seals."""
    return sha256(canonical({key: value for key, value in copy.items() if key != "seals"})).hexdigest()


def commitment(public: str, name: str, salt: str, value: Json) -> str:
    """The commitment to a value; `public` is the digest of what the copy shows, `salt` 64 hex digits."""
    stated: Json = {"scheme": SCHEME, "public": public, "name": name, "salt": salt, "value": value}
    return sha256(canonical(stated)).hexdigest()


def shown(roster: Roster) -> dict[str, Json]:
    """The part of a roster that is no secret: its models without what they carry, and no deck."""
    bare = tuple(entry.model_copy(update={"attachments": ()}) for entry in roster.entries)
    return plain(roster.model_copy(update={"entries": bare, "deck": ()}))


def hidden(roster: Roster) -> dict[str, Json]:
    """What is hidden, by name: `whole`, `#LINE.PLACE` for what a model carries, `deck.PLACE`; None for an empty place.

    The names tell nothing but the number of models, as long as nobody carries more than the usual places.
    """
    places = _up(max((len(entry.attachments) for entry in roster.entries), default=0), PLACES)
    found: dict[str, Json] = {WHOLE: plain(roster)}
    for line, entry in enumerate(roster.entries, 1):
        for place in range(places):
            item = entry.attachments[place] if place < len(entry.attachments) else None
            found[f"#{line}.{place + 1}"] = item.model_dump(mode="json", exclude_defaults=True) if item else None
    for place in range(_up(len(roster.deck), SPARE_DECK)):
        card = roster.deck[place] if place < len(roster.deck) else None
        found[f"deck.{place + 1}"] = card.model_dump(mode="json", exclude_defaults=True) if card else None
    return found


def _up(number: int, step: int) -> int:
    return max(1, -(-number // step)) * step


def sealed(public: Mapping[str, Json], roster: Roster) -> tuple[dict[str, Json], dict[str, str]]:
    """The opponent's copy (`public` and the seals) and the salts that its owner keeps."""
    digest, values = public_digest(public), hidden(roster)
    salts = {name: secrets.token_hex(32) for name in values}
    seals: dict[str, Json] = {name: commitment(digest, name, salts[name], value) for name, value in values.items()}
    return {**public, "seals": seals}, salts


def proved(copy: Mapping[str, Json], proof: Mapping[str, Json]) -> Iterator[Proved]:
    """Each secret of a disclosure held against the copy."""
    digest = public_digest(copy)
    for name, item in _map(proof["opened"]).items():
        given = _map(item)
        value = given.get("value")
        wrong, places = _wrong(copy, digest, name, given, proof.get("public")), ""
        if not wrong and name == WHOLE:
            wrong, places = _whole(copy, digest, given)
        yield Proved(name, value, wrong, places)


def _wrong(copy: Mapping[str, Json], digest: str, name: str, given: Mapping[str, Json], claimed: Json) -> str:
    """Why a disclosed secret is not the one that the copy commits to (of REASONS)."""
    seal, salt, value = _map(copy["seals"]).get(name), given.get("salt"), given.get("value")
    if not isinstance(seal, str):
        return "seal-none"
    if not isinstance(salt, str) or not SALT.fullmatch(salt):
        return "seal-salt"
    if hmac.compare_digest(commitment(digest, name, salt, value).encode(), seal.encode()):
        return ""
    other = isinstance(claimed, str) and commitment(claimed, name, salt, value) == seal
    return "seal-open" if other else "seal-other"


def _whole(copy: Mapping[str, Json], digest: str, given: Mapping[str, Json]) -> tuple[str, str]:
    """Why a whole squad contradicts what the copy shows or any of its other commitments, and which of them."""
    try:
        roster = Roster.model_validate(given["value"])
    except ValueError:
        return "seal-no-squad", ""
    if canonical(shown(roster)) != canonical(copy["roster"]):
        return "seal-models", ""
    values, salts = hidden(roster), given.get("salts")
    if set(values) != set(_map(copy["seals"])):
        return "seal-number", ""
    if not isinstance(salts, dict):
        return "seal-salts", ""
    wrong = [
        name for name, value in values.items()
        if name != WHOLE and _wrong(copy, digest, name, {"salt": salts.get(name), "value": value}, None)
    ]  # fmt: skip
    return ("seal-parts", ", ".join(wrong)) if wrong else ("", "")


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
