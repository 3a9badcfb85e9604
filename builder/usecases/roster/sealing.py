"""The scheme by which a squad is sealed.

Commitments that hide and bind, and what a disclosure proves of them.

A commitment is the SHA-256 of the canonical JSON of `{scheme, public, name, salt, value}`:

- `public` is the digest of all that the opponent's copy shows. Changing a model, a parameter or
  the pack's digest in the copy breaks every commitment. One disclosed card thus proves the models.
- `name` is the position of the secret: a card sealed for one model cannot be opened for another.
- `salt` is 256 random bits, different for each secret. No card can be guessed, and equal cards
  have different commitments.

Each model has equally many places, the spare ones committed to as empty: how much it carries stays
secret, yet each place has exactly one commitment, so that nobody seals two cards and picks one
later. `whole` opens everything at once: the roster and every salt, so that each commitment is made
again and none can contradict the roster or be left over.

A copy has one form only: the names of its places follow from the models it shows, nothing else may
stand in it, and each value is written in one way. docs/seal.md is the specification, from which a
second program can be written.
"""

import hmac
import math
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from builder.messages import gettext as _
from builder.model.base import Json, get_map
from builder.model.roster import Attachment, DeckCard, Roster
from builder.usecases.roster.verdict import format_canonical, simplify_roster

FORMAT = 2
SCHEME = "squadpress-seal-2"
WHOLE_SQUAD = "whole"
DIGITS = re.compile(r"[0-9a-f]{64}")
"""A salt, a digest or a seal."""
COPY_KEYS = {"format", "scheme", "data", "legal", "roster", "seals"}
DISCLOSURE_KEYS = {"format", "public", "opened"}
PLACE = re.compile(r"(#([1-9][0-9]{0,4})|deck)\.([1-9][0-9]{0,4})")
"""An attachment of a model, or a card of the deck."""
ATTACHMENT_PLACES_STEP = 4
"""The places of a model are a multiple of this, so that their number reveals little."""
DECK_PLACES_STEP = 8
"""The places of the deck are a multiple of this."""
FINGERPRINT_DIGITS = 32
"""Hex digits of a fingerprint, which people read aloud."""
REASONS = {
    "seal-copy": _(
        "the copy is not valid: something in it is missing, unknown or superfluous"
    ),
    "seal-scheme": _(
        "the copy was sealed with a method that this program does not know"
    ),
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
    "seal-parts": _(
        "the revealed squad differs from the separate seals of its parts: {places}"
    ),
    "seal-data": _(
        "this is what was sealed, but with other cards or rules than the installed ones"
    ),
    "seal-illegal": _("this is what was sealed, but the squad is not legal"),
}
"""Why a disclosure proves nothing, in words; `places` are the secrets that it is about."""


@dataclass(frozen=True, slots=True)
class SecretCheck:
    """The result of checking one disclosed secret. `flaw` is a key of REASONS, or empty.

    `places` are the secrets that the flaw is about.
    """

    name: str
    value: Json
    flaw: str = ""
    places: str = ""


def format_fingerprint(copy: Mapping[str, Json]) -> str:
    """Format the fingerprint of a sealed copy: half its SHA-256, in groups of 4 digits.

    Two players can compare it aloud or in a picture.
    """
    digest = sha256(format_canonical(dict(copy))).hexdigest()
    return " ".join(
        digest[start : start + 4] for start in range(0, FINGERPRINT_DIGITS, 4)
    )


def hash_public_part(copy: Mapping[str, Json]) -> str:
    """Return the SHA-256 of everything in a sealed copy except the seals."""
    public_part = {key: value for key, value in copy.items() if key != "seals"}
    return sha256(format_canonical(public_part)).hexdigest()


def compute_commitment(public: str, name: str, salt: str, value: Json) -> str:
    """Compute the commitment to a secret value: a hash that hides it and binds to it.

    `public` is the digest of everything that the copy shows. `salt` has 64 hex digits.
    """
    content: Json = {
        "scheme": SCHEME,
        "public": public,
        "name": name,
        "salt": salt,
        "value": value,
    }
    return sha256(format_canonical(content)).hexdigest()


def make_public_part(roster: Roster) -> dict[str, Json]:
    """Return the part of a squad that the opponent may see: models without attachments and deck."""
    entries = tuple(
        entry.model_copy(update={"attachments": ()}) for entry in roster.entries
    )
    return simplify_roster(roster.model_copy(update={"entries": entries, "deck": ()}))


def list_secrets(roster: Roster) -> dict[str, Json]:
    """Return all secrets of a squad by name, such as `whole`, `#1.2` or `deck.1`.

    `#1.2` is the second attachment of the first entry. An empty place is None. The names reveal
    only the number of models, as long as no model has more attachments than the usual places.
    """
    max_attachments = max(
        (len(entry.attachments) for entry in roster.entries), default=1
    )
    names = name_secrets(len(roster.entries), max_attachments, len(roster.deck))
    secrets: dict[str, Json] = dict.fromkeys(names)
    secrets[WHOLE_SQUAD] = simplify_roster(roster)
    for line, entry in enumerate(roster.entries, 1):
        for place, attachment in enumerate(entry.attachments, 1):
            secrets[f"#{line}.{place}"] = _make_sealed_value(attachment)
    for place, card in enumerate(roster.deck, 1):
        secrets[f"deck.{place}"] = _make_sealed_value(card)
    return secrets


def name_secrets(line_count: int, max_attachments: int, deck_size: int) -> list[str]:
    """Return the names of all secrets that a squad with these numbers has."""
    names = [WHOLE_SQUAD]
    for line in range(1, line_count + 1):
        places = range(
            1, _round_up_to_multiple(max_attachments, ATTACHMENT_PLACES_STEP) + 1
        )
        names += [f"#{line}.{place}" for place in places]
    deck_places = range(1, _round_up_to_multiple(deck_size, DECK_PLACES_STEP) + 1)
    return names + [f"deck.{place}" for place in deck_places]


def _make_sealed_value(item: Attachment | DeckCard) -> Json:
    """Return an attachment or deck card as the JSON value that is sealed."""
    return item.model_dump(mode="json", exclude_defaults=True)


def _round_up_to_multiple(number: int, step: int) -> int:
    """Round a number up to a multiple of a step, at least to one step."""
    return math.ceil(max(number, 1) / step) * step


def seal_squad(
    public: Mapping[str, Json], roster: Roster
) -> tuple[dict[str, Json], dict[str, str]]:
    """Seal a squad. Return the copy for the opponent, and the salts that the owner keeps."""
    digest = hash_public_part(public)
    values = list_secrets(roster)
    # Each secret has its own salt, so that equal cards have different seals.
    salts = {name: secrets.token_hex(32) for name in values}
    seals: dict[str, Json] = {}
    for name, value in values.items():
        seals[name] = compute_commitment(digest, name, salts[name], value)
    return {**public, "seals": seals}, salts


def find_copy_flaw(copy: Mapping[str, Json]) -> str:
    """Return the key of REASONS why a sealed copy is not valid. Empty if it is valid.

    Each copy can be written in one way only, so that nobody can show two versions of it.
    """
    if copy.get("scheme") != SCHEME:
        return "seal-scheme"
    seals = get_map(copy.get("seals"))
    try:
        roster = Roster.model_validate(copy.get("roster"))
    except ValueError:
        return "seal-copy"
    if not _is_well_formed(copy):
        return "seal-copy"
    # Validation ignores how a value is written, so two copies could show the same differently.
    if format_canonical(make_public_part(roster)) != format_canonical(copy["roster"]):
        return "seal-copy"
    max_attachments, deck_size = _measure_places(seals)
    attachment_count = len(roster.entries) * _round_up_to_multiple(
        max_attachments, ATTACHMENT_PLACES_STEP
    )
    # Compared first, because a false number of places could make the list of names endless.
    if len(seals) != 1 + attachment_count + _round_up_to_multiple(
        deck_size, DECK_PLACES_STEP
    ):
        return "seal-names"
    names = name_secrets(len(roster.entries), max_attachments, deck_size)
    has_all_names = seals.keys() == set(names)
    has_digests = all(_is_hex_digest(seal) for seal in seals.values())
    return "" if has_all_names and has_digests else "seal-names"


def _is_well_formed(copy: Mapping[str, Json]) -> bool:
    # `==` alone would accept 2.0 as well: a second text for the same copy.
    return (
        copy.keys() == COPY_KEYS
        and type(copy["format"]) is int
        and copy["format"] == FORMAT
        and copy["legal"] is True
        and _is_hex_digest(copy["data"])
    )


def _measure_places(names: Iterable[str]) -> tuple[int, int]:
    """Return the highest place of an attachment and of a deck card among secret names.

    At least 1.
    """
    attachment_places, deck_places = [1], [1]
    for name in names:
        match = PLACE.fullmatch(name)
        if match is not None:
            places = attachment_places if match[2] else deck_places
            places.append(int(match[3]))
    return max(attachment_places), max(deck_places)


def verify_disclosure(
    copy: Mapping[str, Json], proof: Mapping[str, Json]
) -> tuple[SecretCheck, ...]:
    """Check each disclosed secret against the sealed copy."""
    opened = get_map(proof.get("opened"))
    flaw = find_copy_flaw(copy) or _find_disclosure_flaw(copy, proof)
    digest = "" if flaw else hash_public_part(copy)
    results = []
    for name, item in opened.items():
        secret = get_map(item)
        secret_flaw, places = flaw, ""
        if not flaw:
            secret_flaw = _find_secret_flaw(
                copy, digest, name, secret, proof.get("public")
            )
        if not secret_flaw and name == WHOLE_SQUAD:
            secret_flaw, places = _find_squad_flaw(copy, secret)
        results.append(SecretCheck(name, secret.get("value"), secret_flaw, places))
    return tuple(results)


def _find_disclosure_flaw(copy: Mapping[str, Json], proof: Mapping[str, Json]) -> str:
    """Return the key of REASONS why a disclosure is invalid as a whole. Empty if it is valid."""
    opened = get_map(proof.get("opened"))
    if (
        proof.keys() != DISCLOSURE_KEYS
        or type(proof["format"]) is not int
        or not _is_hex_digest(proof["public"])
        or not opened
    ):
        return "seal-proof"
    if not opened.keys() <= get_map(copy["seals"]).keys():
        return "seal-none"
    for name, item in opened.items():
        fields = (
            {"salt", "value", "salts"} if name == WHOLE_SQUAD else {"salt", "value"}
        )
        if not isinstance(item, dict) or item.keys() != fields:
            return "seal-proof"
    return ""


def _find_secret_flaw(
    copy: Mapping[str, Json],
    digest: str,
    name: str,
    secret: Mapping[str, Json],
    claimed: Json,
) -> str:
    """Return the key of REASONS why a secret is not the sealed one. Empty if it is."""
    seal = get_map(copy["seals"]).get(name)
    salt = secret.get("salt")
    value = secret.get("value")
    if not isinstance(seal, str):
        return "seal-none"
    if not isinstance(salt, str) or not _is_hex_digest(salt):
        return "seal-salt"
    commitment = compute_commitment(digest, name, salt, value)
    if hmac.compare_digest(commitment.encode(), seal.encode()):
        if claimed not in (None, digest):
            return "seal-open"
        return "" if _is_sealable_value(name, value) else "seal-card"
    # The secret fits the seal, but not what the copy shows: the copy was changed afterwards.
    if (
        isinstance(claimed, str)
        and compute_commitment(claimed, name, salt, value) == seal
    ):
        return "seal-open"
    return "seal-other"


def _is_sealable_value(name: str, value: Json) -> bool:
    """Return True if a value may be sealed under this name, in exactly this form."""
    if name == WHOLE_SQUAD or value is None:
        return True
    model = DeckCard if name.startswith("deck.") else Attachment
    try:
        card = _make_sealed_value(model.model_validate(value))
    except ValueError:
        return False
    return format_canonical(card) == format_canonical(value)


def _is_hex_digest(value: Json) -> bool:
    return isinstance(value, str) and DIGITS.fullmatch(value) is not None


def _find_squad_flaw(
    copy: Mapping[str, Json], secrets: Mapping[str, Json]
) -> tuple[str, str]:
    """Return the key of REASONS why a disclosed squad contradicts the copy, and the places."""
    try:
        roster = Roster.model_validate(secrets["value"])
    except ValueError:
        return "seal-no-squad", ""
    # Two ways to write one squad would be two secrets.
    if format_canonical(simplify_roster(roster)) != format_canonical(secrets["value"]):
        return "seal-no-squad", ""
    if format_canonical(make_public_part(roster)) != format_canonical(copy["roster"]):
        return "seal-models", ""
    values = list_secrets(roster)
    salts = secrets.get("salts")
    if set(values) != set(get_map(copy["seals"])):
        return "seal-number", ""
    if not isinstance(salts, dict) or salts.keys() != values.keys():
        return "seal-salts", ""
    digest = hash_public_part(copy)
    flawed_names = []
    for name, value in values.items():
        secret = {"salt": salts.get(name), "value": value}
        # The caller has checked the whole squad's own seal.
        if name != WHOLE_SQUAD and _find_secret_flaw(copy, digest, name, secret, None):
            flawed_names.append(name)
    return ("seal-parts", ", ".join(flawed_names)) if flawed_names else ("", "")
