"""A draft brought onto a release that was made since: three states compared field by field, conflicts told. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from builder.errata import release_codes
from builder.errata.change import ABSENT, Value, are_identical
from builder.errata.difference import index_rules, list_new_history, pair_cards
from builder.errata.snapshot import RawCard, Snapshot
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path

T = TypeVar("T")
MAPS = ("manifest", "vocabulary", "translations", "texts", "rich", "files", "formats", "introduced")
"""The parts of a state that are merged as they are."""


def merge_draft(
    base: Snapshot, draft: Snapshot, onto: Snapshot, file: str
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """The draft, which was made from `base`, with what `onto` changed since; a finding for each field that both changed
    otherwise, which stays as in the draft. A card that one of them renamed is one card. `file` is where the draft lies.
    """
    ours, theirs = _renames(base, draft), _renames(base, onto)
    merger = _Merger(onto.label, file)
    for old in {**ours, **theirs}:
        if merger.differ(old, ours.get(old), theirs.get(old), draft, onto):
            ours, theirs = (
                {key: to for key, to in names.items() if key != old} for names in (ours, theirs)
            )
    base, onto = _renamed(base, {**theirs, **ours}), _renamed(onto, ours)
    draft = _renamed(draft, {old: new for old, new in theirs.items() if old not in ours})
    parts = {
        name: merger.map(getattr(base, name), getattr(draft, name), getattr(onto, name), (name,))
        for name in MAPS
    }
    one, own, other = (index_rules(state.rules) for state in (base, draft, onto))
    rules = merger.map(one, own, other, ("rules",))
    if isinstance(listed := rules.get("rules"), dict):
        rules = {**rules, "rules": list(listed.values())}
    cards = merger.map(base.cards, {name: _renumbered(name, base, card, onto) for name, card in draft.cards.items()},
                       onto.cards, ("cards",))  # fmt: skip
    migrations = tuple(dict.fromkeys((*onto.migrations, *draft.migrations)))
    made = replace(
        draft,
        rules=rules,  # type: ignore[arg-type]
        cards=cast("Mapping[str, RawCard]", cards),
        migrations=migrations,
        **parts,  # type: ignore[arg-type]
    )
    return made, tuple(merger.findings)


def _renames(base: Snapshot, state: Snapshot) -> dict[str, str]:
    """New ids by old ones."""
    return {old: new for new, old in pair_cards(base, state)[0].items() if new != old}


def _renamed(state: Snapshot, names: Mapping[str, str]) -> Snapshot:
    """The state with other ids for some of its cards."""

    def these(cards: Mapping[str, T]) -> dict[str, T]:
        return {names.get(card, card): value for card, value in cards.items()}

    cards = {
        card: {**raw, "id": card} if "id" in raw else raw
        for card, raw in these(state.cards).items()
    }
    translations = {lang: these(texts) for lang, texts in state.translations.items()}
    parts = {
        "texts": these(state.texts),
        "rich": these(state.rich),
        "introduced": these(state.introduced),
    }
    return replace(state, cards=cards, translations=translations, **parts)  # type: ignore[arg-type]


def _renumbered(name: str, base: Snapshot, card: RawCard, onto: Snapshot) -> RawCard:
    """A card whose new history entries follow those that were published meanwhile."""
    before, since = base.cards.get(name), onto.cards.get(name)
    if (
        before is None
        or since is None
        or are_identical(before.get("history"), since.get("history"))
    ):
        return card
    planned = list_new_history(before, card)
    listed, last = since.get("history"), since.get("revision")
    if not planned or not isinstance(listed, list) or not isinstance(last, int):
        return {
            **card,
            **{key: since[key] for key in ("history", "revision", "released") if key in since},
        }
    entries: list[Json] = [
        {**entry, "revision": last + number} for number, entry in enumerate(planned, 1)
    ]
    return {**card, "history": [*listed, *entries], "revision": last + len(entries)}


class _Merger:
    """Merges values of three states and remembers where that could not be done."""

    def __init__(self, onto: str, file: str) -> None:
        self.onto, self.file = onto, file
        self.findings: list[Finding] = []

    def differ(
        self, old: str, ours: str | None, theirs: str | None, draft: Snapshot, onto: Snapshot
    ) -> bool:
        """True, and a finding, if a card has two new ids, or one that the other state has given to another card."""
        if ours and theirs:
            if ours != theirs:
                self.conflict(("cards", old, "id"), old, ours, theirs)
            return ours != theirs
        new = ours or theirs or ""
        if new in (onto if ours else draft).cards:
            message = _(
                "{path}: in {onto} it is another card than in the draft",
                path=f"cards.{new}",
                onto=self.onto,
            )
            self.findings.append(
                release_codes.CONFLICT.finding(
                    message, Location(file=self.file, path=f"cards.{new}")
                )
            )
        return new in (onto if ours else draft).cards

    def map(
        self,
        base: Mapping[str, object],
        draft: Mapping[str, object],
        onto: Mapping[str, object],
        path: DataPath,
    ) -> dict[str, object]:
        """Every key of the three, in the order of the draft."""
        merged = {}
        for key in dict.fromkeys((*draft, *onto)):
            value = self.value(
                base.get(key, ABSENT), draft.get(key, ABSENT), onto.get(key, ABSENT), (*path, key)
            )
            if value is not ABSENT:
                merged[key] = value
        return merged

    def value(self, base: object, draft: object, onto: object, path: DataPath) -> object:
        """What one of them changed; maps key by key. The bookkeeping of a card that was planned is the draft's."""
        if are_identical(draft, base) or are_identical(draft, onto):
            return onto
        if are_identical(onto, base) or (
            len(path) == 3 and path[2] in ("history", "revision", "released")
        ):
            return draft
        if isinstance(draft, Mapping) and isinstance(onto, Mapping):
            return self.map(base if isinstance(base, Mapping) else {}, draft, onto, path)
        if (
            path[0] in ("texts", "rich")
            and isinstance(draft, Sequence | frozenset)
            and isinstance(onto, Sequence | frozenset)
        ):
            return type(draft)(sorted({*draft, *onto}))  # type: ignore[call-arg]
        self.conflict(path, base, draft, onto)
        return draft

    def conflict(self, path: DataPath, base: object, draft: object, onto: object) -> None:
        """Tell of a place that both changed otherwise."""
        form = _("{path}: {onto} has {theirs}, the draft {ours}, and before both it was {base}")
        theirs, ours, was = (_shown(cast("Value", value)) for value in (onto, draft, base))
        message = _(
            form, path=format_path(path), onto=self.onto, theirs=theirs, ours=ours, base=was
        )
        self.findings.append(
            release_codes.CONFLICT.finding(
                message, Location(file=self.file, path=format_path(path))
            )
        )


def _shown(value: Value) -> str:
    text = _("nothing") if value is ABSENT else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
