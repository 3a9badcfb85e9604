"""Seal lists: they stay secret until the game, and cannot be changed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from builder.errors import InputUnreadable, UsageError
from builder.messages import Message, gettext as _
from builder.model.base import Json, look_up
from builder.model.pack import Role
from builder.model.roster import Roster
from builder.model.words import get_term
from builder.packs.pack_files import PackFiles
from builder.rules.checker import RosterChecker
from builder.rules.names import Names
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    resolve_language,
)
from builder.usecases.roster.sealing import (
    FORMAT,
    REASONS,
    SCHEME,
    WHOLE_SQUAD,
    SecretCheck,
    find_copy_flaw,
    format_fingerprint,
    hash_public_part,
    list_secrets,
    make_public_part,
    seal_squad,
    verify_disclosure,
)
from builder.usecases.roster.verdict import hash_pack_data, simplify_roster

FIELD_TYPES: dict[str, dict[str, type]] = {
    "key": {"public": str, "salts": dict, "roster": dict},
    "sealed copy": {"seals": dict, "roster": dict},
    "disclosure": {"opened": dict},
}
"""The fields that each file must have, with their types."""


@dataclass(frozen=True, slots=True)
class SealedSquad:
    """A sealed squad: the copy for the opponent, the owner's key, and the copy's fingerprint."""

    copy: Mapping[str, Json]
    key: Mapping[str, Json]
    fingerprint: str


def seal_roster(result: CheckedRoster) -> SealedSquad:
    """Seal a checked squad, so that its hidden cards can be proved later.

    Raise UsageError if it is not legal.
    """
    roster, checker = result.roster, result.checker
    if roster is None or checker is None or not result.legal:
        message = _("{file} is not a legal squad", file=result.file)
        raise UsageError(
            message,
            _("Only squads that `squadpress roster check` finds legal can be sealed."),
        )
    public: dict[str, Json] = {
        "format": FORMAT,
        "scheme": SCHEME,
        "data": hash_pack_data(checker.pack),
        "legal": True,
        "roster": make_public_part(roster),
    }
    copy, salts = seal_squad(public, roster)
    key: dict[str, Json] = {
        "public": hash_public_part(public),
        "salts": dict(salts),
        "roster": simplify_roster(roster),
    }
    return SealedSquad(copy, {"format": FORMAT, **key}, format_fingerprint(copy))


def read_copy(
    packs: PackFiles, copy: Json, name: str, lang: str | None
) -> tuple[CheckedRoster, str] | None:
    """Return the visible part of an opponent's sealed copy, and the copy's fingerprint.

    Return None if the value is not a copy. Raise UsageError if its pack is not installed or
    does not have the language, and InputUnreadable if the copy is incomplete.
    """
    try:
        content = _parse_seal_file(copy, name, "sealed copy")
    # The caller tries other formats then.
    except InputUnreadable:
        return None
    flaw = find_copy_flaw(content)
    if flaw:
        message = _("{file}: {reason}", file=name, reason=_(REASONS[flaw]))
        raise InputUnreadable(message, suggest_command("sealed copy"))
    roster = Roster.model_validate(content["roster"])
    if roster.pack not in packs.list_packs():
        message = _(
            "{file} is for the pack {pack}, which is not installed",
            file=name,
            pack=roster.pack,
        )
        raise UsageError(message, _("Add the pack under cards/."))
    checker = RosterCheckers(packs).get_squad_checker(roster)
    language = resolve_language(checker.pack, lang)
    # There is no verdict: rules cannot be checked without the hidden cards.
    squad = checker.resolve_roster(roster)
    visible_part = CheckedRoster(name, (), language, roster, checker, squad)
    return visible_part, format_fingerprint(content)


def make_disclosure(key: Json, names: tuple[str, ...], name: str) -> dict[str, Json]:
    """Make the file that discloses secrets of a sealed squad. `whole` discloses everything.

    Messages use `name` for the key. Raise InputUnreadable if it is not a key, and UsageError if
    a secret is not in it.
    """
    content = _parse_seal_file(key, name, "key")
    try:
        values = list_secrets(Roster.model_validate(content["roster"]))
    except ValueError as error:
        message = _("{file} contains no squad", file=name)
        raise InputUnreadable(
            message, _("Give the key that `squadpress roster seal` wrote.")
        ) from error
    salts = content["salts"]
    assert isinstance(salts, dict)
    opened: dict[str, Json] = {}
    for secret in names:
        if secret not in values or secret not in salts:
            sealed_names = [
                place for place, value in values.items() if value is not None
            ]
            message = _("there is no sealed {name}", name=secret)
            raise UsageError(
                message, _("Sealed: {listed}.", listed=", ".join(sealed_names))
            )
        disclosed: dict[str, Json] = {"salt": salts[secret], "value": values[secret]}
        if secret == WHOLE_SQUAD:
            # With all salts, the opponent can repeat every commitment of the copy.
            disclosed["salts"] = salts
        opened[secret] = disclosed
    return {"format": FORMAT, "public": content["public"], "opened": opened}


@dataclass(frozen=True, slots=True)
class DisclosureCheck:
    """The result of checking a disclosure against a sealed copy.

    `names` is None if the pack is not installed. `squad` is the whole squad if it was disclosed
    without a flaw.
    """

    fingerprint: str
    secrets: tuple[SecretCheck, ...]
    lang: str
    names: Names | None = None
    squad: CheckedRoster | None = None

    def format_value(self, value: Json) -> str:
        """Format the content of a secret, such as a card's name and id."""
        card = value.get("card") if isinstance(value, dict) else None
        if (
            self.names is None
            or not isinstance(card, str)
            or card not in self.names.pack.cards
        ):
            return json.dumps(value, ensure_ascii=False)
        assert isinstance(value, dict)
        details = {key: item for key, item in value.items() if key != "card"}
        more = f" {json.dumps(details, ensure_ascii=False)}" if details else ""
        return f"{self.names.name_card(card)} ({card}){more}"


def check_disclosure(
    packs: PackFiles,
    copy: Json,
    proof: Json,
    names: tuple[str, str],
    lang: str | None = None,
) -> DisclosureCheck:
    """Check a disclosure against a sealed copy. A complete squad must also be legal.

    `names` are the names of both files in messages. Raise InputUnreadable if a file has another
    content.
    """
    copy = _parse_seal_file(copy, names[0], "sealed copy")
    proof = _parse_seal_file(proof, names[1], "disclosure")
    fingerprint = format_fingerprint(copy)
    secrets = verify_disclosure(copy, proof)
    # Every secret has the flaw of the copy already.
    if find_copy_flaw(copy):
        return DisclosureCheck(fingerprint, secrets, "en")
    checker = _find_installed_checker(packs, Roster.model_validate(copy["roster"]))
    if checker is None:
        # Without the pack, no card of the disclosure can be checked.
        secrets = tuple(
            replace(item, flaw=item.flaw or "seal-data") for item in secrets
        )
        return DisclosureCheck(fingerprint, secrets, "en")
    secrets = tuple(_check_secret(checker, copy, item) for item in secrets)
    language = resolve_language(checker.pack, lang)
    squad = None
    for item in secrets:
        if item.name == WHOLE_SQUAD and not item.flaw:
            roster = Roster.model_validate(item.value)
            resolved = checker.resolve_roster(roster)
            squad = CheckedRoster(names[0], (), language, roster, checker, resolved)
    return DisclosureCheck(
        fingerprint, secrets, language, Names(checker.pack, language), squad
    )


def _find_installed_checker(packs: PackFiles, roster: Roster) -> RosterChecker | None:
    """Return the checker of a squad, or None if its pack or release is not installed."""
    if roster.pack not in packs.list_packs():
        return None
    if roster.version is not None:
        releases = packs.open_releases(roster.pack).list_releases()
        if all(release.version != roster.version for release in releases):
            return None
    return RosterCheckers(packs).get_squad_checker(roster)


def _check_secret(
    checker: RosterChecker, copy: Mapping[str, Json], item: SecretCheck
) -> SecretCheck:
    """Check a proved secret against the installed cards and rules."""
    if item.flaw or hash_pack_data(checker.pack) != copy.get("data"):
        return replace(item, flaw=item.flaw or "seal-data")
    if item.name == WHOLE_SQUAD:
        roster = Roster.model_validate(item.value)
        is_legal = checker.check(roster, repaired=False).legal
        return item if is_legal else replace(item, flaw="seal-illegal")
    if item.value is None:  # an empty place
        return item
    card = checker.pack.cards.get(str(look_up(item.value, ("card",))))
    role = Role.DECK if item.name.startswith("deck.") else Role.ATTACHMENT
    has_role = card is not None and checker.pack.find_role(card) is role
    return item if has_role else replace(item, flaw="seal-card")


def suggest_command(what: str) -> Message:
    """Return a hint with the command that writes a sealed copy, a key or a disclosure."""
    verb = "reveal --open" if what == "disclosure" else "seal"
    form = _("Give a {what} that `squadpress roster {verb}` wrote.")
    return _(form, what=get_term(what), verb=verb)


def _parse_seal_file(value: Json, name: str, what: str) -> dict[str, Json]:
    """Return the fields of a sealed copy, key or disclosure. Raise InputUnreadable if invalid."""
    types = FIELD_TYPES[what]
    term = get_term(what)
    if not isinstance(value, dict) or not all(
        isinstance(value.get(key), types[key]) for key in types
    ):
        message = _("{file} is not a {what}", file=name, what=term)
        raise InputUnreadable(message, suggest_command(what))
    if value.get("format") != FORMAT:
        form = _("{file} is a {what} of another version of this program")
        raise InputUnreadable(_(form, file=name, what=term), _("Seal the squad again."))
    return value
