"""The scheme by which a squad is kept secret: commitments that hide and bind, and what a disclosure proves of them.

A commitment is the SHA-256 of the canonical JSON of `{scheme, public, name, salt, value}`:

- `public` is the digest of all that the opponent's copy shows. Whoever changes a model, a parameter or the pack's
  digest in the copy makes every commitment false, so a single disclosed card proves the models too.
- `name` is where the secret stands: what was sealed for one model cannot be opened for another.
- `salt` is 256 random bits, another for each secret: no card can be guessed, and equal cards look different.

Each model has equally many places, the spare ones committed to as empty: how much it carries stays secret, yet each
place has exactly one commitment, so that nobody seals two cards and picks one later. `whole` opens everything at once:
the roster and every salt, so that each commitment is made again and none can contradict the roster or be left over.

A copy has one form only: the names of its places follow from the models it shows, nothing else may stand in it, and
each value is written in one way. docs/seal.md is the specification, from which a second program can be written.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.roster import Attachment, DeckCard, Roster
from builder.usecases.roster.verdict import format_canonical, simplify_roster

FORMAT = 2
SCHEME = "squadpress-seal-2"
WHOLE = "whole"
DIGITS = re.compile(r"[0-9a-f]{64}")
"""A salt, a digest or a seal."""
COPY = {"format", "scheme", "data", "legal", "roster", "seals"}
DISCLOSURE = {"format", "public", "opened"}
PLACE = re.compile(r"(#([1-9][0-9]{0,4})|deck)\.([1-9][0-9]{0,4})")
"""What a model carries at a place, or a card of the deck."""
PLACES = 4
"""Places are a multiple of this: only a squad with a model that carries more than that tells how much, and roughly."""
SPARE_DECK = 8
"""The same for the cards of the deck."""
REASONS = {
    "seal-copy": _("the copy is not valid: something in it is missing, unknown or superfluous"),
    "seal-scheme": _("the copy was sealed with a method that this program does not know"),
    "seal-names": _("the seals of the copy do not match its models"),
    "seal-proof": _(
        "the disclosure is not valid: something in it is missing, unknown or superfluous"
    ),
    "seal-card": _("the card cannot be at this position"),
    "seal-none": _("the copy has no such seal"),
    "seal-salt": _("the disclosure has no valid salt"),
    "seal-open": _(
        "the visible part of the copy (models, pack or rules) differs from what was sealed"
    ),
    "seal-other": _("this differs from what was sealed"),
    "seal-no-squad": _("it is not a squad"),
    "seal-models": _("its models differ from the models in the copy"),
    "seal-number": _(
        "the number of seals in the copy differs from the number of secrets in this squad"
    ),
    "seal-salts": _("the disclosure has no salts for its parts"),
    "seal-parts": _("it contradicts the seals of its parts: {places}"),
    "seal-data": _(
        "this is what was sealed, but with other cards or rules than the installed ones"
    ),
    "seal-illegal": _("this is what was sealed, but the squad is not legal"),
}
"""Why a disclosure proves nothing, in words; `places` are the secrets that it is about."""


@dataclass(frozen=True, slots=True)
class SecretCheck:
    """What a disclosure proves of one secret: `wrong` is the reason why not (of REASONS), with the places it is about,
    and is empty where it is what was sealed."""

    name: str
    value: Json
    wrong: str = ""
    places: str = ""


def format_fingerprint(copy: Mapping[str, Json]) -> str:
    """Half the SHA-256 of a whole opponent's copy, in groups: two players can compare it aloud or in a picture."""
    digest = sha256(format_canonical(dict(copy))).hexdigest()[:32]
    return " ".join(digest[i : i + 4] for i in range(0, len(digest), 4))


def hash_public_part(copy: Mapping[str, Json]) -> str:
    """The SHA-256 of all that a copy shows: everything in it but the seals."""
    return sha256(
        format_canonical({key: value for key, value in copy.items() if key != "seals"})
    ).hexdigest()


def compute_commitment(public: str, name: str, salt: str, value: Json) -> str:
    """The commitment to a value; `public` is the digest of what the copy shows, `salt` 64 hex digits."""
    content: Json = {"scheme": SCHEME, "public": public, "name": name, "salt": salt, "value": value}
    return sha256(format_canonical(content)).hexdigest()


def make_public_part(roster: Roster) -> dict[str, Json]:
    """The part of a roster that is no secret: its models without what they carry, and no deck."""
    bare = tuple(entry.model_copy(update={"attachments": ()}) for entry in roster.entries)
    return simplify_roster(roster.model_copy(update={"entries": bare, "deck": ()}))


def list_secrets(roster: Roster) -> dict[str, Json]:
    """Return the hidden parts by name: `whole`, `#LINE.PLACE` for an attachment, `deck.PLACE`; None for an empty
    place.

    The names tell nothing but the number of models, as long as nobody carries more than the usual places.
    """
    widest = max((len(entry.attachments) for entry in roster.entries), default=1)
    secrets: dict[str, Json] = dict.fromkeys(
        name_secrets(len(roster.entries), widest, len(roster.deck))
    )
    secrets[WHOLE] = simplify_roster(roster)
    for line, entry in enumerate(roster.entries, 1):
        secrets |= {
            f"#{line}.{place}": _make_card(item) for place, item in enumerate(entry.attachments, 1)
        }
    return secrets | {
        f"deck.{place}": _make_card(card) for place, card in enumerate(roster.deck, 1)
    }


def name_secrets(entries: int, widest: int, deck: int) -> list[str]:
    """Return the names of all secrets of a squad.

    It has `entries` lines, `deck` cards in its deck, and `widest` is the most cards that a line carries.
    """
    carried: list[str] = []
    for line in range(1, entries + 1):
        places = range(1, _round_up(widest, PLACES) + 1)
        carried += [f"#{line}.{place}" for place in places]
    return [
        WHOLE,
        *carried,
        *(f"deck.{place}" for place in range(1, _round_up(deck, SPARE_DECK) + 1)),
    ]


def _make_card(item: Attachment | DeckCard) -> Json:
    """A card of a squad as it is sealed: what is not said is left out."""
    return item.model_dump(mode="json", exclude_defaults=True)


def _round_up(number: int, step: int) -> int:
    return max(1, -(-number // step)) * step


def seal_squad(
    public: Mapping[str, Json], roster: Roster
) -> tuple[dict[str, Json], dict[str, str]]:
    """The opponent's copy (`public` and the seals) and the salts that its owner keeps."""
    digest, values = hash_public_part(public), list_secrets(roster)
    salts = {name: secrets.token_hex(32) for name in values}
    seals: dict[str, Json] = {
        name: compute_commitment(digest, name, salts[name], value) for name, value in values.items()
    }
    return {**public, "seals": seals}, salts


def find_copy_flaw(copy: Mapping[str, Json]) -> str:
    """Return the reason (of REASONS) why an opponent's copy proves nothing; empty if it is valid.

    Two copies that show the same models and seal the same places differ in their seals alone: there is no second name
    for a place, and no second way to write what is shown.
    """
    if copy.get("scheme") != SCHEME:
        return "seal-scheme"
    seals = _map(copy.get("seals"))
    try:
        roster = Roster.model_validate(copy.get("roster"))
    except ValueError:
        return "seal-copy"
    fine = (
        copy.keys() == COPY
        and type(copy["format"]) is int
        and copy["format"] == FORMAT
        and copy["legal"] is True
    )
    if (
        not fine
        or not _are_hex_digits(copy["data"])
        or format_canonical(make_public_part(roster)) != format_canonical(copy["roster"])
    ):
        return "seal-copy"
    found = [PLACE.fullmatch(name) for name in seals if name != WHOLE]
    widest = max((int(place[3]) for place in found if place and place[2]), default=1)
    deck = max((int(place[3]) for place in found if place and not place[2]), default=1)
    if len(seals) != 1 + len(roster.entries) * _round_up(widest, PLACES) + _round_up(
        deck, SPARE_DECK
    ):
        return "seal-names"
    named = seals.keys() == set(name_secrets(len(roster.entries), widest, deck)) and all(
        map(_are_hex_digits, seals.values())
    )
    return "" if named else "seal-names"


def verify_disclosure(
    copy: Mapping[str, Json], proof: Mapping[str, Json]
) -> tuple[SecretCheck, ...]:
    """Compare each secret of a disclosure with the copy. Nothing is proved if either is invalid."""
    opened = _map(proof.get("opened"))
    flaw = find_copy_flaw(copy) or _find_proof_flaw(copy, proof)
    if flaw:
        return tuple(
            SecretCheck(name, _map(item).get("value"), flaw) for name, item in opened.items()
        )
    digest = hash_public_part(copy)
    results = []
    for name, item in opened.items():
        secret = _map(item)
        wrong, at = _find_secret_flaw(copy, digest, name, secret, proof.get("public")), ""
        if not wrong and name == WHOLE:
            wrong, at = _find_squad_flaw(copy, secret)
        results.append(SecretCheck(name, secret.get("value"), wrong, at))
    return tuple(results)


def _find_proof_flaw(copy: Mapping[str, Json], proof: Mapping[str, Json]) -> str:
    """Return the reason (of REASONS) why a disclosure is invalid as a whole."""
    opened = _map(proof.get("opened"))
    if (
        proof.keys() != DISCLOSURE
        or type(proof["format"]) is not int
        or not _are_hex_digits(proof["public"])
        or not opened
    ):
        return "seal-proof"
    if not opened.keys() <= _map(copy["seals"]).keys():
        return "seal-none"
    whole = all(
        isinstance(item, dict)
        and item.keys() == {"salt", "value", *(["salts"] if name == WHOLE else [])}
        for name, item in opened.items()
    )
    return "" if whole else "seal-proof"


def _find_secret_flaw(
    copy: Mapping[str, Json], digest: str, name: str, secret: Mapping[str, Json], claimed: Json
) -> str:
    """Return the reason (of REASONS) why a secret is not the one that the copy commits to."""
    seal, salt, value = _map(copy["seals"]).get(name), secret.get("salt"), secret.get("value")
    if not isinstance(seal, str):
        return "seal-none"
    if not isinstance(salt, str) or not _are_hex_digits(salt):
        return "seal-salt"
    if hmac.compare_digest(compute_commitment(digest, name, salt, value).encode(), seal.encode()):
        if claimed not in (None, digest):
            return "seal-open"
        return "" if _can_stand(name, value) else "seal-card"
    is_for_other_copy = (
        isinstance(claimed, str) and compute_commitment(claimed, name, salt, value) == seal
    )
    return "seal-open" if is_for_other_copy else "seal-other"


def _can_stand(name: str, value: Json) -> bool:
    """True if a value is what is sealed at a place, written as it is sealed."""
    if name == WHOLE:
        return True
    model = DeckCard if name.startswith("deck.") else Attachment
    try:
        return value is None or format_canonical(
            _make_card(model.model_validate(value))
        ) == format_canonical(value)
    except ValueError:
        return False


def _are_hex_digits(value: Json) -> bool:
    return isinstance(value, str) and DIGITS.fullmatch(value) is not None


def _find_squad_flaw(copy: Mapping[str, Json], secrets: Mapping[str, Json]) -> tuple[str, str]:
    """Return why a whole squad contradicts what the copy shows or commits to, and which places do."""
    try:
        roster = Roster.model_validate(secrets["value"])
    except ValueError:
        return "seal-no-squad", ""
    if format_canonical(simplify_roster(roster)) != format_canonical(secrets["value"]):
        return "seal-no-squad", ""
    if format_canonical(make_public_part(roster)) != format_canonical(copy["roster"]):
        return "seal-models", ""
    values, salts = list_secrets(roster), secrets.get("salts")
    if set(values) != set(_map(copy["seals"])):
        return "seal-number", ""
    if not isinstance(salts, dict) or salts.keys() != values.keys():
        return "seal-salts", ""
    digest = hash_public_part(copy)
    wrong = [
        name for name, value in values.items()
        if name != WHOLE and _find_secret_flaw(copy, digest, name, {"salt": salts.get(name), "value": value}, None)
    ]  # fmt: skip
    return ("seal-parts", ", ".join(wrong)) if wrong else ("", "")


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
