"""What a pack knows by name, and references and conditions that name what it does not know."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from posixpath import normpath
from typing import Self

from pydantic import ValidationError

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, look_up, walk_values
from builder.model.codes import Code, define
from builder.model.loaded import Document, LoadedPack
from builder.model.rules import Test, Where
from builder.model.words import get_term, suggest_word

UNKNOWN_NAME = define(
    "pack/unknown-name",
    _("A file of the pack names something that does not exist"),
    _("The line has no effect."),
    _(
        "Correct the name, or add what it refers to. If a card was removed, remove its name "
        "here too."
    ),
)
UNKNOWN_FIELD = define(
    "pack/unknown-field",
    _("A file of the pack names an unknown field"),
    _("The field is probably misspelt. Nothing is sorted, counted or displayed by it."),
    _("Correct the name. Separate nested fields with dots."),
    Severity.WARNING,
)
NOTHING_FITS = define(
    "pack/nothing-fits",
    _("A condition matches no card or attack"),
    _(
        "The condition is probably misspelt. The cards that it should select would be left "
        "out without an error."
    ),
    _(
        "Correct the condition. Write it as in rules.yaml: {kind: id}, {faction: id}, "
        "{keywords: {has: id}}."
    ),
)
WRONG_KIND = define(
    "cards/wrong-kind",
    _("A reference to a card of another kind"),
    _(
        "The field must name a card of one kind, because rules and templates depend on it."
    ),
    _("Name a card of the right kind."),
)
UNKNOWN_ART = define(
    "cards/unknown-art",
    _("The picture does not exist in the pack"),
    _("The printed card would have an empty space. A pack can use only its own files."),
    _(
        "Put the file under cards/<pack>/art/ and use its path from there, or correct the name."
    ),
)
WHERE = define(
    "cards/condition",
    _("A condition cannot be read"),
    _(
        "The condition decides which models may have the card attached. Without it, all "
        "models or none could."
    ),
    _(
        "Write it as in rules.yaml: {keywords: {has: id}}, {cost: {le: 3}}, {faction: id}."
    ),
)


def _define_unknown(what: str, where: str) -> Code:
    return define(
        f"cards/unknown-{what}",
        _("Unknown {what}", what=get_term(what)),
        _(
            "An unknown name is printed wrongly or not at all. Known names are: {where}.",
            where=where,
        ),
        _("Correct the name, or add it: {where}.", where=where),
    )


CODES = {
    "card": _define_unknown("card", _("the id of a card file")),
    "keyword": _define_unknown("keyword", _("keywords in vocabulary.yaml")),
    "stat": _define_unknown("stat", _("stats in vocabulary.yaml")),
    "term": _define_unknown("term", _("terms in vocabulary.yaml")),
    "faction": _define_unknown("faction", _("factions in vocabulary.yaml")),
    "icon": _define_unknown("icon", _("files templates/<pack>/icons/*.svg")),
}
"""The code for an unknown name of each sort that cards name."""


@dataclass(frozen=True)
class KnownNames:
    """All names that the files of a pack may refer to, by type."""

    names_by_type: dict[str, Collection[str]]
    kinds: dict[str, str]

    @classmethod
    def collect(cls, loaded: LoadedPack) -> Self:
        """Collect the names of a loaded pack. Invalid cards are included.

        Invalid cards count too, and a broken vocabulary makes no word unknown: their own findings
        report what is wrong.
        """
        words, manifest = loaded.whole.vocabulary, loaded.whole.manifest
        source = f"cards/{loaded.whole.id}/vocabulary.yaml"
        errors = [finding for finding in loaded.findings if finding.severity == "error"]
        has_broken_vocabulary = any(error.location.file == source for error in errors)
        kinds = _map_kinds(loaded)
        names_by_type: dict[str, Collection[str]] = {
            "card": kinds,
            "icon": loaded.whole.icons,
            "art": loaded.art,
            "kind": manifest.kinds,
            "language": manifest.languages.all,
            "parameter": manifest.roster.params,
            "choice": manifest.roster.choices,
            "link": manifest.roster.links,
        }
        if "products.yaml" in loaded.sources:
            gauge_ids = []
            for group in loaded.gauges.groups if loaded.gauges is not None else ():
                gauge_ids += [gauge.id for gauge in group.gauges]
            names_by_type["gauge"] = gauge_ids
        if not has_broken_vocabulary:
            names_by_type |= {
                "keyword": words.keywords,
                "stat": words.stats,
                "term": words.terms,
                "faction": words.factions,
            }
        return cls(names_by_type, kinds)

    def check_name(
        self, name_type: str, name: str, get_location: Callable[[], Location]
    ) -> Iterator[Finding]:
        """Report a name that the pack does not know, or a card of the wrong kind.

        `get_location` is called only then, because it may have to read the file again.
        """
        base, _unused, kind = name_type.partition(":")
        names = self.names_by_type.get(base)
        if base == "art":
            yield from _check_art(name, get_location, self.names_by_type["art"])
        elif names is not None and (
            name not in names or (kind and self.kinds[name] != kind)
        ):
            candidates = names
            if kind:
                candidates = [card for card in self.kinds if self.kinds[card] == kind]
            hint = suggest_word(name, candidates)
            if name not in names:
                message = _(
                    "{what} {name} does not exist", what=get_term(base), name=name
                )
                yield CODES.get(base, UNKNOWN_NAME).finding(
                    message, get_location(), hint
                )
            else:
                message = _(
                    "{name} has the kind {own}, but must have the kind {kind}",
                    name=name,
                    own=self.kinds[name],
                    kind=kind,
                )
                yield WRONG_KIND.finding(message, get_location(), hint)

    def check_test(
        self, field: str, test: Json, path: DataPath, document: Document
    ) -> Iterator[Finding]:
        """Check the ids that a condition compares a field with.

        Those of the other card are skipped.
        """
        type = _TYPES_BY_FIELD.get(field)
        if type is None:
            return
        for at, name in walk_values(test, path):
            if isinstance(name, str) and "other" not in at[len(path) :]:
                yield from self.check_name(type, name, partial(document.locate, at))


def _map_kinds(loaded: LoadedPack) -> dict[str, str]:
    """Return the kind of each card by its id, including cards that are invalid or unreadable."""
    kinds = dict(loaded.unread)
    for file in loaded.files:
        if file.id is not None:
            kinds[file.id] = file.kind or file.folder
    return kinds


_TYPES_BY_FIELD = {
    "keywords": "keyword",
    "faction": "faction",
    "id": "card",
    "kind": "kind",
}


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the names that cards refer to, then the conditions in cards."""
    names = KnownNames.collect(loaded)
    for card, mentions in loaded.mentions.items():
        for mention in mentions:
            place = partial(
                loaded.documents[card].locate, mention.path, key=mention.key
            )
            yield from names.check_name(mention.ref, mention.value, place)
    for card, paths in loaded.wheres.items():
        for path in paths:
            value = look_up(loaded.whole.cards[card].data, path)
            yield from _check_condition_form(value, path, loaded.documents[card])
            yield from _check_values(value, path, loaded.documents[card], names)


def _check_art(
    name: str, get_location: Callable[[], Location], art: Collection[str]
) -> Iterator[Finding]:
    # a drive or a scheme has a colon, and a path of Windows backslashes
    is_foreign = name.startswith(("/", "~")) or "\\" in name or ":" in name
    if is_foreign or normpath(name).startswith(".."):
        yield UNKNOWN_ART.finding(
            _("{name} is not in the pack's art folder", name=name), get_location()
        )
    elif normpath(name) not in art:
        hint = suggest_word(name, art, _("Pictures in this folder"))
        yield UNKNOWN_ART.finding(
            _("the picture {name} does not exist", name=name), get_location(), hint
        )


def _check_condition_form(
    value: Json, path: DataPath, document: Document
) -> Iterator[Finding]:
    try:
        Where.model_validate(value)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            # the model keeps tests in `fields`, the file beside `any` and `all`
            steps = tuple(step for step in detail["loc"] if step != "fields")
            name = str(steps[-1]) if steps else _("the condition")
            hint = ""
            reason = detail["msg"].lower()
            if detail["type"] == "extra_forbidden":
                hint = suggest_word(name, Test.model_fields, _("Tests"))
                reason = _("is not a test")
            message = _("{name}: {reason}", name=name, reason=reason)
            yield WHERE.finding(message, document.locate((*path, *steps)), hint)


def _check_values(
    value: Json, path: DataPath, document: Document, names: KnownNames
) -> Iterator[Finding]:
    """Check the ids that one condition compares with."""
    if not isinstance(value, dict):
        return
    for key, test in value.items():
        if key in ("any", "all", "none") and isinstance(test, list):
            for index, inner in enumerate(test):
                yield from _check_values(inner, (*path, key, index), document, names)
        else:
            yield from names.check_test(key, test, (*path, key), document)
