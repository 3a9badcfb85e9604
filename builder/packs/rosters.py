"""Rosters and collections from their files, short forms written out, and a roster as a new file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from builder.errors import InputUnreadable
from builder.findings import Finding, sort_findings
from builder.messages import gettext as _, join_messages
from builder.model.base import DataPath, Json
from builder.model.loaded import Document, LoadedRoster
from builder.model.pack import Manifest, Param, RosterForm
from builder.model.roster import (
    MOST_LINES,
    Attachment,
    Collection,
    DeckCard,
    Entry,
    Roster,
    size_of,
)
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.bundle import map_in
from builder.packs.schema.validation import parse_model, read_model
from builder.packs.schema.wording import (
    TYPE_NAMES,
    describe_wrong_type,
    describe_wrong_value,
    format_one_of,
    quote_value,
)
from builder.packs.yaml.editing import format_flow, format_scalar
from builder.packs.yaml.reading import parse_document, read_document

__all__ = ["LoadedRoster", "load_roster", "parse_roster", "read_roster"]

TEXTS = frozenset({"name", "id", "version", "note", "play_format"})
"""Keys of a roster and of its entries that hold text."""
_FATAL = frozenset(
    {file_codes.UNREADABLE.code, file_codes.TOO_LARGE.code, file_codes.ENCODING.code}
)


def load_roster(path: Path, project: Project, form: RosterForm | None = None) -> LoadedRoster:
    """A roster; `form` is what its pack declares, read from the pack's pack.yaml where it is None.

    Raises InputUnreadable where the file is not there, is a folder, is too large or is not text.
    """
    loaded = read_roster(path, project, form)
    for finding in loaded.findings:  # those of its pack's pack.yaml are not its own
        if finding.code in _FATAL and finding.location.file == project.relative(path):
            raise InputUnreadable(
                _("{file}: {reason}", file=path, reason=finding.message), finding.hint
            )
    return loaded


def read_roster(path: Path, project: Project, form: RosterForm | None = None) -> LoadedRoster:
    """The same for one of many files: what cannot be read is a finding too."""
    return _fold_document(*read_document(path, project.relative(path)), project, lambda _pack: form)


def parse_roster(
    text: str,
    name: str,
    project: Project,
    form_of: Callable[[str], RosterForm | None] = lambda _pack: None,
) -> LoadedRoster:
    """A roster from a text (YAML, of which JSON is a part); `name` is what findings call it.

    `form_of` knows what a pack declares; for whom it gives None, the pack's pack.yaml is read.
    """
    return _fold_document(*parse_document(text, name), project, form_of)


def _fold_document(
    document: Document | None,
    found: tuple[Finding, ...],
    project: Project,
    form_of: Callable[[str], RosterForm | None],
) -> LoadedRoster:
    """What a document says as a roster."""
    if document is None:
        return LoadedRoster(None, None, found)
    if not isinstance(document.value, dict):
        return LoadedRoster(None, document, (*found, *parse_model(Roster, document)[1]))
    if (lines := size_of(document.value)) > MOST_LINES:
        message = _("the roster has {lines} lines, more than {most}", lines=lines, most=MOST_LINES)
        return LoadedRoster(
            None, document, (*found, file_codes.ROSTER_SIZE.finding(message, document.locate()))
        )
    folding = _Folding(document, list(found))
    declared = folding.form_of_pack(project, form_of)
    roster = None
    if declared is not None:
        roster, mistakes = parse_model(Roster, document, folding.roster(document.value, declared))
        folding.findings += mistakes
    return LoadedRoster(roster, document, sort_findings(folding.findings))


@dataclass
class _Folding:
    """One roster on its way from what was written to what the model holds."""

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def form_of_pack(
        self, project: Project, form_of: Callable[[str], RosterForm | None]
    ) -> RosterForm | None:
        """What the roster's pack declares; None and a finding where there is no such pack."""
        assert isinstance(self.document.value, dict)
        pack, packs = self.document.value.get("pack"), project.packs()
        place = self.document.locate(("pack",))
        if pack is None:
            self.findings.append(
                file_codes.MISSING_PROPERTY.finding(_("{key} is missing", key="pack"), place)
            )
            return None
        if not isinstance(pack, str) or pack not in packs:
            hint = suggest_word(str(pack), packs, _("Packs here"))
            self.findings.append(
                file_codes.ROSTER_PACK.finding(
                    _("there is no pack {pack}", pack=quote_value(pack)), place, hint
                )
            )
            return None
        if (form := form_of(pack)) is not None:
            return form
        path = project.cards_dir(pack) / "pack.yaml"
        manifest, wrong = read_model(Manifest, path, project.relative(path))
        self.findings += wrong
        return manifest.roster if manifest else None

    def roster(self, value: dict[str, Json], form: RosterForm) -> Json:
        own = set(Roster.model_fields)
        kept: dict[str, Json] = {}
        params = {**map_in(value, "params")}
        at: dict[str, DataPath] = {name: ("params", name) for name in params}
        for key, item in value.items():
            if key in own:
                kept[key] = _make_text(item) if key in TEXTS else item
            elif key in form.params:
                params[key], at[key] = item, (key,)
            else:
                self.unknown(key, (key,), (*(own - {"params"}), *form.params))
        kept["params"] = self.params(params, at, form)
        if isinstance(entries := value.get("entries"), list):
            kept["entries"] = [
                self.entry(item, ("entries", index), form) for index, item in enumerate(entries)
            ]
        if isinstance(deck := value.get("deck"), list):
            kept["deck"] = [
                self.short(item, ("deck", index), DeckCard) for index, item in enumerate(deck)
            ]
        return kept

    def unknown(self, key: str, path: DataPath, known: tuple[str, ...]) -> None:
        message, place = _("{key} is not a key here", key=key), self.document.locate(path, key=True)
        self.findings.append(
            file_codes.ROSTER_KEY.finding(message, place, suggest_word(key, known))
        )

    def params(self, params: dict[str, Json], at: dict[str, DataPath], form: RosterForm) -> Json:
        """The parameters that pass, with the defaults of those that are not stated."""
        kept: dict[str, Json] = {
            name: one.default for name, one in form.params.items() if one.default is not None
        }
        for name, value in params.items():
            if name not in form.params:
                self.unknown(name, at[name], tuple(form.params))
            elif problem := _find_param_problem(value, form.params[name]):
                hint = (
                    suggest_word(str(value), form.params[name].choices, _("Allowed"))
                    if problem[1]
                    else ""
                )
                message, place = (
                    describe_wrong_value(name, value, problem[0]),
                    self.document.locate(at[name]),
                )
                self.findings.append(file_codes.ROSTER_PARAM.finding(message, place, hint))
            else:
                kept[name] = value
        return kept

    def short(self, item: Json, path: DataPath, model: type[Attachment | DeckCard]) -> Json:
        """A card by its id alone, or a map with only known keys."""
        if isinstance(item, str):
            return {"card": item}
        if not isinstance(item, dict):
            return item
        known = frozenset(model.model_fields)
        for key in item:
            if key not in known:
                self.unknown(key, (*path, key), tuple(known))
        return {key: value for key, value in item.items() if key in known}

    def entry(self, item: Json, path: DataPath, form: RosterForm) -> Json:
        """One entry with its choices and ties in their places."""
        if not isinstance(item, dict):
            return {"card": item} if isinstance(item, str) else item
        own = frozenset(Entry.model_fields)
        kept: dict[str, Json] = {
            key: _make_text(one) if key in TEXTS else one for key, one in item.items() if key in own
        }
        choices, links = {**map_in(item, "choices")}, {**map_in(item, "links")}
        for key, value in item.items():
            if key in form.choices:
                choices[key] = value
            elif key in form.links:
                links[key] = value
            elif key not in own:
                self.unknown(
                    key, (*path, key), (*own - {"choices", "links"}, *form.choices, *form.links)
                )
        for group, stated in (("choices", choices), ("links", links)):
            kept[group] = {
                key: _make_text(one)
                for key, one in stated.items()
                if self.stands(group, key, one, path, form)
            }
        if isinstance(given := item.get("attachments"), list):
            at = (*path, "attachments")
            kept["attachments"] = [
                self.short(one, (*at, index), Attachment) for index, one in enumerate(given)
            ]
        return kept

    def stands(self, group: str, key: str, value: Json, path: DataPath, form: RosterForm) -> bool:
        """True if a choice or a tie may stand, else a finding; whether a choice has its value is judged with cards."""
        choice = form.choices.get(key) if group == "choices" else None
        if choice is None and (group == "choices" or key not in form.links):
            self.unknown(
                key, (*path, group, key), tuple(form.choices if group == "choices" else form.links)
            )
            return False
        if isinstance(_make_text(value), str):
            return True
        hint = suggest_word(str(value), tuple(choice.values), _("Allowed")) if choice else ""
        wanted = TYPE_NAMES["string"] if choice else _("the id of another entry")
        code = file_codes.ROSTER_CHOICE if choice else file_codes.TYPE
        place = self.document.locate((*path, key))
        self.findings.append(code.finding(describe_wrong_type(key, value, wanted), place, hint))
        return False


def _make_text(value: Json) -> Json:
    """A number as the text that is wanted here: YAML takes a bare 2 for a number, whoever wrote it."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _find_param_problem(value: Json, param: Param) -> tuple[str, bool] | None:
    """What a parameter must be instead, and whether its choices help; None if the value is right."""
    if param.type == "choice":
        return None if value in param.choices else (format_one_of(", ".join(param.choices)), True)
    if not isinstance(value, int) or isinstance(value, bool):
        return TYPE_NAMES["integer"], False
    if param.min is not None and value < param.min:
        return _("at least {bound}", bound=param.min), False
    if param.max is not None and value > param.max:
        return _("at most {bound}", bound=param.max), False
    return None


def dump(roster: Roster) -> str:
    """The file's text; reading it gives the same roster (samples' expectations are left out)."""
    head = {key: getattr(roster, key) or None for key in ("pack", "version", "play_format", "name")}
    stated = {**head, **roster.params}.items()
    lines = [f"{key}: {format_scalar(value)}" for key, value in stated if value is not None]
    lines += [f"names: {format_flow(dict(roster.names))}"] if roster.names else []
    if roster.entries:
        lines += [
            "entries:",
            *(f"  - {format_flow(list_line_fields(entry))}" for entry in roster.entries),
        ]
    if roster.deck:
        cards = [list_line_fields(card) if card.count > 1 else card.card for card in roster.deck]
        lines += ["deck:", *(f"  - {format_flow(card)}" for card in cards)]
    return "\n".join(lines) + "\n"


def list_line_fields(line: Entry | DeckCard | Attachment) -> dict[str, Json]:
    """A line as an author writes it: its card, then what it states."""
    lists = {"attachments", "choices", "links"}
    stated: dict[str, Json] = line.model_dump(mode="json", exclude_defaults=True, exclude=lists)
    if not isinstance(line, Entry):
        return stated
    load: list[Json] = [
        item.card if item.slot is None else list_line_fields(item) for item in line.attachments
    ]
    return {**stated, **({"attachments": load} if load else {}), **line.choices, **line.links}


def load_collection(path: Path, project: Project) -> Collection:
    """A collection. InputUnreadable where the file is missing or does not hold one."""
    collection, found = read_model(Collection, path, project.relative(path))
    if collection is None or found:
        told = join_messages((finding.message for finding in found[:3]), _("{first}; {rest}"))
        message = _("{file} is not a collection: {reason}", file=path, reason=told)
        stated = _("It states `pack` and `owned`: card id to copies.")
        raise InputUnreadable(message, found[0].hint if found[0].code in _FATAL else stated)
    return collection
