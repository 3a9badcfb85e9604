"""Read rosters and collections from files, expand their short forms, and write new rosters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.errors import InputUnreadable
from builder.findings import Finding, sort_findings
from builder.messages import gettext as _, join_messages
from builder.model.base import DataPath, Json
from builder.model.loaded import Document, LoadedRoster
from builder.model.pack import Manifest, Param, RosterForm
from builder.model.roster import (
    MAX_LINES,
    Attachment,
    Collection,
    DeckCard,
    Entry,
    Roster,
    count_lines,
)
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.bundle import get_list, get_map
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
LATER_KEYS = frozenset({"origin", "format_version"})
"""Keys of newer versions. A pack may have declared a parameter, choice or link of that name."""
_FATAL = frozenset(
    {file_codes.UNREADABLE.code, file_codes.TOO_LARGE.code, file_codes.ENCODING.code}
)


def load_roster(
    path: Path, project: Project, form: RosterForm | None = None
) -> LoadedRoster:
    """Load a roster file. Raise InputUnreadable if it is missing or no text.

    `form` is what its pack declares. If it is None, it is read from the pack's pack.yaml.
    """
    loaded = read_roster(path, project, form)
    # Other findings are about the pack.yaml of its pack.
    file = project.shorten_path(path)
    for finding in loaded.findings:
        if finding.code in _FATAL and finding.location.file == file:
            message = _("{file}: {reason}", file=path, reason=finding.message)
            raise InputUnreadable(message, finding.hint)
    return loaded


def read_roster(
    path: Path, project: Project, form: RosterForm | None = None
) -> LoadedRoster:
    """Read a roster file. A file that cannot be read is a finding."""
    document, findings = read_document(path, project.shorten_path(path))
    return _convert_to_roster(document, findings, project, lambda _pack: form)


def parse_roster(
    text: str,
    name: str,
    project: Project,
    get_form: Callable[[str], RosterForm | None] = lambda _pack: None,
) -> LoadedRoster:
    """Parse a roster from YAML or JSON. `name` is its name in findings.

    `get_form` returns the parameters, choices and links that a pack declares. If it returns None,
    they are read from the pack's pack.yaml.
    """
    document, findings = parse_document(text, name)
    return _convert_to_roster(document, findings, project, get_form)


def _convert_to_roster(
    document: Document | None,
    findings: tuple[Finding, ...],
    project: Project,
    get_form: Callable[[str], RosterForm | None],
) -> LoadedRoster:
    """Return the roster of a parsed file, with findings. The roster is None if it is invalid."""
    if document is None:
        return LoadedRoster(None, None, findings)
    if not isinstance(document.value, dict):
        _roster, mistakes = parse_model(Roster, document)
        return LoadedRoster(None, document, findings + mistakes)
    # Before anything is made of the lines, because a small file can mean very many.
    line_count = count_lines(document.value)
    if line_count > MAX_LINES:
        message_form = _("the roster has {lines} lines; at most {most} are allowed")
        message = _(message_form, lines=line_count, most=MAX_LINES)
        size_finding = file_codes.ROSTER_SIZE.finding(message, document.locate())
        return LoadedRoster(None, document, (*findings, size_finding))
    converter = _RosterConverter(document, list(findings))
    form = converter.find_form(project, get_form)
    roster = None
    if form is not None:
        converted = converter.convert_roster(document.value, form)
        roster, mistakes = parse_model(Roster, document, converted)
        converter.findings += mistakes
    return LoadedRoster(roster, document, sort_findings(converter.findings))


@dataclass
class _RosterConverter:
    """Converts a roster from its form in files to the form of the model.

    In a file, parameters, choices and links stand beside the other keys.
    """

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def find_form(
        self, project: Project, get_form: Callable[[str], RosterForm | None]
    ) -> RosterForm | None:
        """Return the parameters, choices and links that the roster's pack declares.

        If there is no such pack, add a finding and return None.
        """
        assert isinstance(self.document.value, dict)
        pack = self.document.value.get("pack")
        packs = project.list_packs()
        place = self.document.locate(("pack",))
        if pack is None:
            message = _("{key} is missing", key="pack")
            self.findings.append(file_codes.MISSING_PROPERTY.finding(message, place))
            return None
        if not isinstance(pack, str) or pack not in packs:
            message = _("the pack {pack} does not exist", pack=quote_value(pack))
            hint = suggest_word(str(pack), packs, _("Packs"))
            self.findings.append(file_codes.ROSTER_PACK.finding(message, place, hint))
            return None
        form = get_form(pack)
        if form is not None:
            return form
        path = project.get_cards_dir(pack) / "pack.yaml"
        manifest, manifest_findings = read_model(
            Manifest, path, project.shorten_path(path)
        )
        self.findings += manifest_findings
        return manifest.roster if manifest else None

    def convert_roster(self, value: dict[str, Json], form: RosterForm) -> Json:
        """Return the roster with parameters moved to `params`, and with all entries converted."""
        model_keys = set(Roster.model_fields) - (LATER_KEYS & form.params.keys())
        converted: dict[str, Json] = {}
        params = {**get_map(value, "params")}
        paths: dict[str, DataPath] = {name: ("params", name) for name in params}
        for key, item in value.items():
            if key in model_keys:
                converted[key] = _make_text(item) if key in TEXTS else item
            elif key in form.params:
                params[key] = item
                paths[key] = (key,)
            else:
                known_keys = (*(model_keys - {"params"}), *form.params)
                self.report_unknown_key(key, (key,), known_keys)
        converted["params"] = self.check_params(params, paths, form)
        if isinstance(value.get("entries"), list):
            items = enumerate(get_list(value, "entries"))
            converted["entries"] = [
                self.convert_entry(item, ("entries", i), form) for i, item in items
            ]
        if isinstance(value.get("deck"), list):
            items = enumerate(get_list(value, "deck"))
            converted["deck"] = [
                self.convert_card(item, ("deck", i), DeckCard) for i, item in items
            ]
        return converted

    def report_unknown_key(
        self, key: str, path: DataPath, known_keys: tuple[str, ...]
    ) -> None:
        """Report a key that the pack does not declare."""
        message = _("{key} is not a known key", key=key)
        place = self.document.locate(path, key=True)
        hint = suggest_word(key, known_keys)
        self.findings.append(file_codes.ROSTER_KEY.finding(message, place, hint))

    def check_params(
        self, params: dict[str, Json], paths: dict[str, DataPath], form: RosterForm
    ) -> Json:
        """Return the valid parameters, with defaults for missing ones."""
        valid_params: dict[str, Json] = {}
        for name, param in form.params.items():
            if param.default is not None:
                valid_params[name] = param.default
        for name, value in params.items():
            if name not in form.params:
                self.report_unknown_key(name, paths[name], tuple(form.params))
                continue
            param = form.params[name]
            problem = _find_param_problem(value, param)
            if problem is None:
                valid_params[name] = value
                continue
            expectation, is_choice = problem
            hint = ""
            if is_choice:
                hint = suggest_word(str(value), param.choices, _("Allowed values"))
            message = describe_wrong_value(name, value, expectation)
            place = self.document.locate(paths[name])
            self.findings.append(file_codes.ROSTER_PARAM.finding(message, place, hint))
        return valid_params

    def convert_card(
        self, item: Json, path: DataPath, model: type[Attachment | DeckCard]
    ) -> Json:
        """Return an attachment or deck card as a map, without unknown keys."""
        if isinstance(item, str):
            return {"card": item}
        if not isinstance(item, dict):
            return item
        model_keys = frozenset(model.model_fields)
        for key in item:
            if key not in model_keys:
                self.report_unknown_key(key, (*path, key), tuple(model_keys))
        return {key: value for key, value in item.items() if key in model_keys}

    def convert_entry(self, item: Json, path: DataPath, form: RosterForm) -> Json:
        """Return an entry with choices moved to `choices`, and links to `links`."""
        if isinstance(item, str):
            return {"card": item}
        if not isinstance(item, dict):
            return item
        declared_keys = form.choices.keys() | form.links.keys()
        model_keys = frozenset(Entry.model_fields) - (LATER_KEYS & declared_keys)
        converted: dict[str, Json] = {}
        choices = {**get_map(item, "choices")}
        links = {**get_map(item, "links")}
        for key, value in item.items():
            if key in model_keys:
                converted[key] = _make_text(value) if key in TEXTS else value
            # Not `elif`: a pack may have a choice with the name of a key, which is then both.
            if key in form.choices:
                choices[key] = value
            elif key in form.links:
                links[key] = value
            elif key not in model_keys:
                known_keys = (
                    *model_keys - {"choices", "links"},
                    *form.choices,
                    *form.links,
                )
                self.report_unknown_key(key, (*path, key), known_keys)
        converted["choices"] = self.select_valid("choices", choices, path, form)
        converted["links"] = self.select_valid("links", links, path, form)
        attachments = item.get("attachments")
        if isinstance(attachments, list):
            cards: list[Json] = []
            for index, attachment in enumerate(attachments):
                card_path = (*path, "attachments", index)
                cards.append(self.convert_card(attachment, card_path, Attachment))
            converted["attachments"] = cards
        return converted

    def select_valid(
        self,
        key_group: str,
        values: Mapping[str, Json],
        path: DataPath,
        form: RosterForm,
    ) -> Json:
        """Return the valid choices or links as texts."""
        return {
            key: _make_text(value)
            for key, value in values.items()
            if self.is_valid(key_group, key, value, path, form)
        }

    def is_valid(
        self, key_group: str, key: str, value: Json, path: DataPath, form: RosterForm
    ) -> bool:
        """Return True if a choice or link is valid, and report it otherwise.

        Cards decide later whether they allow a choice's value.
        """
        known_keys = form.choices if key_group == "choices" else form.links
        if key not in known_keys:
            self.report_unknown_key(key, (*path, key_group, key), tuple(known_keys))
            return False
        if isinstance(_make_text(value), str):
            return True
        place = self.document.locate((*path, key))
        if key_group == "choices":
            message = describe_wrong_type(key, value, TYPE_NAMES["string"])
            hint = suggest_word(
                str(value), tuple(form.choices[key].values), _("Allowed values")
            )
            self.findings.append(file_codes.ROSTER_CHOICE.finding(message, place, hint))
        else:
            message = describe_wrong_type(key, value, _("the id of another entry"))
            self.findings.append(file_codes.TYPE.finding(message, place))
        return False


def _make_text(value: Json) -> Json:
    """Convert a number to a string, because YAML reads an unquoted 2 as a number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else value


def _find_param_problem(value: Json, param: Param) -> tuple[str, bool] | None:
    """Return the values that a parameter must have, or None if its value is valid.

    The second value says if the parameter's choices help as a hint.
    """
    if param.type == "choice":
        if value in param.choices:
            return None
        return format_one_of(", ".join(param.choices)), True
    if not isinstance(value, int) or isinstance(value, bool):
        return TYPE_NAMES["integer"], False
    if param.min is not None and value < param.min:
        return _("at least {bound}", bound=param.min), False
    if param.max is not None and value > param.max:
        return _("at most {bound}", bound=param.max), False
    return None


def format_roster(roster: Roster) -> str:
    """Return a roster as the text of a roster file.

    Reading it gives the same roster, without a sample's expectation.
    """
    keys = ("pack", "version", "play_format", "name")
    values: dict[str, Json] = {
        key: getattr(roster, key) for key in keys if getattr(roster, key)
    }
    values.update(roster.params)
    lines = [f"{key}: {format_scalar(value)}" for key, value in values.items()]
    if roster.format_version > 1:
        lines.insert(0, f"format_version: {roster.format_version}")
    if roster.origin is not None:
        lines.append(f"origin: {format_flow(roster.origin.model_dump(mode='json'))}")
    if roster.names:
        lines.append(f"names: {format_flow(dict(roster.names))}")
    if roster.entries:
        lines.append("entries:")
        lines += [
            f"  - {format_flow(list_line_fields(entry))}" for entry in roster.entries
        ]
    if roster.deck:
        lines.append("deck:")
        for card in roster.deck:
            value = list_line_fields(card) if card.count > 1 else card.card
            lines.append(f"  - {format_flow(value)}")
    return "\n".join(lines) + "\n"


def list_line_fields(roster_line: Entry | DeckCard | Attachment) -> dict[str, Json]:
    """Return the fields of a roster line as a file writes them, with choices beside the others."""
    lists = {"attachments", "choices", "links"}
    fields: dict[str, Json] = roster_line.model_dump(
        mode="json", exclude_defaults=True, exclude=lists
    )
    if not isinstance(roster_line, Entry):
        return fields
    attachments: list[Json] = []
    for attachment in roster_line.attachments:
        has_slot = attachment.slot is not None
        attachments.append(
            list_line_fields(attachment) if has_slot else attachment.card
        )
    if attachments:
        fields["attachments"] = attachments
    fields.update(roster_line.choices)
    fields.update(roster_line.links)
    return fields


def load_collection(path: Path, project: Project) -> Collection:
    """Load a file that lists the models a player owns.

    Raise InputUnreadable if it is missing or not valid.
    """
    collection, findings = read_model(Collection, path, project.shorten_path(path))
    if collection is None or findings:
        reasons = join_messages(
            (finding.message for finding in findings[:3]), _("{first}; {rest}")
        )
        message = _("{file} is not a collection: {reason}", file=path, reason=reasons)
        hint: str = _(
            "A collection has `pack` and `owned`: card id to number of copies."
        )
        # The file itself cannot be read, so its form does not matter yet.
        if findings[0].code in _FATAL:
            hint = findings[0].hint
        raise InputUnreadable(message, hint)
    return collection
