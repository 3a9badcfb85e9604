"""stats.yaml: every field it looks at stands on some card, and every form describes some attack."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.checks.cards.references import NOTHING_FITS, UNKNOWN_FIELD
from builder.dice.attack_stats import KEY_FIELD, find_attack_fields, select_attack
from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Mention, find_mentions, look_up
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack
from builder.model.words import get_term, suggest_word
from builder.rules.query import compile_condition, keep_static_part

ATTACK = "attack"
CARDS = "card"
DIVIDED = _("card or choice")
"""Whose field is meant."""
SORTS = {"attack field": ATTACK, "card field": CARDS, "division": DIVIDED}
CONDITIONS = {"where": ATTACK, "bearer": DIVIDED, "targets": CARDS, "carried": CARDS}
"""Whose field a text names by its sort, and a condition by its key."""


@dataclass(frozen=True, slots=True)
class KnownFields:
    """The fields that stats.yaml may name, of cards and of their attacks."""

    pack: Pack
    attack_fields: tuple[str, ...]

    def list_fields(self, owner_type: str) -> list[str]:
        """Return the known fields of attacks, of cards, or of cards and choices, sorted."""
        if owner_type == ATTACK:
            return sorted(self.attack_fields)
        names: set[str] = set()
        for card in self.pack.cards.values():
            names.update(card.data)
        if owner_type == DIVIDED:
            names.update(f"choice.{name}" for name in self.pack.manifest.roster.choices)
        return sorted(names)

    def has_field(self, owner_type: str, name: str) -> bool:
        """Return True if attacks or cards have the field.

        Of attacks only the first step of the path is compared.
        """
        if owner_type == ATTACK:
            return (
                not self.attack_fields or name.partition(".")[0] in self.attack_fields
            )
        if owner_type == DIVIDED and name.startswith("choice."):
            return name.removeprefix("choice.") in self.pack.manifest.roster.choices
        return any(
            card.get_field(name) is not None for card in self.pack.cards.values()
        )


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check that each field in stats.yaml exists, and that each form matches an attack."""
    document = loaded.sources.get("stats.yaml")
    pack = loaded.pack
    stats = loaded.stats
    if pack is None or stats is None or document is None:
        return
    all_attack_fields = set()
    # A number that `let` names is checked there, not where it is used.
    mentions = [
        mention
        for mention in find_mentions(stats)
        if look_up(document.value, mention.path) is not None
    ]
    for index, form in enumerate(stats.attacks):
        attacks = []
        attack_fields: set[str] = set()
        for card in pack.cards.values():
            for path, data in find_attack_fields(form, card):
                attack_fields.update(data)
                attacks.append(select_attack(card, data, path))
        if form.source is not None:
            attack_fields.add(KEY_FIELD)
        all_attack_fields |= attack_fields
        form_mentions = [
            mention for mention in mentions if mention.path[:2] == ("attacks", index)
        ]
        known_fields = KnownFields(pack, tuple(attack_fields))
        unknown = tuple(_find_unknown_fields(form_mentions, document, known_fields))
        yield from unknown
        # The choices of a roster are not known here.
        matches = compile_condition(keep_static_part(form.where))
        if not unknown and not any(matches(attack, None) for attack in attacks):
            message = _("form {number} matches no attack of any card", number=index + 1)
            yield NOTHING_FITS.finding(message, document.locate(("attacks", index)))
    other_mentions = [mention for mention in mentions if mention.path[0] != "attacks"]
    known_fields = KnownFields(pack, tuple(all_attack_fields))
    yield from _find_unknown_fields(other_mentions, document, known_fields)


# The same field name may exist on cards but not on attacks, so the owner decides.
def _find_unknown_fields(
    names: Iterable[Mention], document: Document, known_fields: KnownFields
) -> Iterator[Finding]:
    for mention in names:
        whose = _find_owner(mention)
        if whose is not None and not known_fields.has_field(whose, mention.value):
            owner = get_term(whose)
            message = _(
                "no {whose} has the field {name}", whose=owner, name=mention.value
            )
            hint = suggest_word(
                mention.value, known_fields.list_fields(whose), _("Fields")
            )
            place = document.locate(mention.path, key=mention.key)
            yield UNKNOWN_FIELD.finding(message, place, hint, Severity.ERROR)


def _find_owner(mention: Mention) -> str | None:
    """Return what a field in stats.yaml belongs to, or None if it is no field."""
    if mention.ref in SORTS:
        return SORTS[mention.ref]
    if mention.key:
        # the innermost condition around the field decides
        for step in reversed(mention.path):
            if step in CONDITIONS:
                return CONDITIONS[str(step)]
        return None
    # `{other: ...}` in a test of the attack: a field or a choice of the model that makes it
    return DIVIDED if mention.ref == "field" else None
