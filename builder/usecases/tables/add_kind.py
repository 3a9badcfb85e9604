"""Add a kind of card to a pack, with the cards of a table. Nothing is written here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from builder.errors import UsageError
from builder.findings import Finding, Severity, has_errors
from builder.messages import Message, gettext as _
from builder.model.base import Json, get_map, look_up
from builder.model.engines import AUTO
from builder.model.pack import Languages, Manifest
from builder.packs.loading import RESERVED_KINDS
from builder.packs.pack_files import PackFiles, read_text
from builder.packs.project import Project
from builder.packs.scaffold import Files, list_pack_files, make_id
from builder.packs.tables.card_kinds import KindTable, guess_kinds
from builder.packs.tables.inference import find_column
from builder.packs.tables.request import TableRequest
from builder.packs.yaml.editing import YamlText
from builder.packs.yaml.reading import parse_document
from builder.usecases.table_design import (
    CardKind,
    capitalize_name,
    list_design_files,
    plan_card_kind,
)
from builder.usecases.table_fit import DesignTarget, fit_design
from builder.usecases.tables.kind_style import adapt_kind_style, replace_faction_rules
from builder.usecases.tables.layout_columns import (
    match_layout,
    report_unprinted,
    report_unsuitable_layout,
)
from builder.usecases.tables.new_pack import (
    DraftPack,
    NewPack,
    PackRequest,
    PlannedKind,
    add_cards,
    collect_files,
    write_draft_files,
)
from builder.usecases.tables.pictures import read_pictures
from builder.usecases.tables.stand_in_icons import choose_icons
from builder.usecases.tables.table_fonts import choose_fonts

PACK_MARK = "__pack__"
BINARY_EXTENSIONS = (".ttf", ".otf", ".png", ".jpg", ".webp")
MERGED_FILES = ("pack.yaml", "vocabulary.yaml")
SAMPLE_SECTIONS = ("keywords", "factions", "terms")
"""Words of a layout's sample cards, which are left out."""


@dataclass(frozen=True, slots=True)
class KindRequest:
    """The request to add a kind of card to a pack: its name, its table and a finished layout.

    Without a layout, the design is made from the table's columns.
    """

    pack: str
    name: str
    tables: TableRequest
    layout: str = ""
    day: date | None = None
    skip_errors: bool = False


@dataclass(slots=True)
class NewKind:
    """The files that a new kind of card adds or changes, with findings and a summary."""

    files: dict[Path, bytes | None] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    summary: list[Message] = field(default_factory=list)


def add_kind(project: Project, request: KindRequest) -> NewKind:
    """Make a new kind of card from a table. Return the changed files of the pack.

    Raise UsageError if the pack already has the kind, or the table has no cards.
    """
    loaded = PackFiles(project).load_pack(request.pack)
    result = NewKind()
    if loaded.pack is None:
        result.findings += loaded.findings
        return result
    manifest = loaded.pack.manifest
    refuse_kind_name(request.name, manifest.kinds)
    tables, findings = request.tables.read_tables()
    result.findings += findings
    # Who chooses a sheet wants it read, even if it looks like notes.
    reads_notes = bool(request.tables.sheets)
    guesses = list(guess_kinds(tables, request.name, reads_notes=reads_notes))
    if len(guesses) != 1:
        message = _("{file} must have one kind of cards", file=request.tables.files[0])
        raise UsageError(message, _("Choose a sheet: --sheet NAME."))
    guess = guesses[0]._replace(kind=request.name)
    result.findings += guess.findings
    icons, notes = choose_icons(
        project, request.pack, [guess.table], manifest.icons, loaded.pack.icons
    )
    fonts = choose_fonts(
        project, request.pack, [guess.table], manifest.languages.source
    )
    result.findings += [*notes, *fonts.findings]
    design = plan_card_kind(guess.table, guess.columns, None)
    design = replace(design, icons=icons, fonts=fonts.families, font_files=fonts.files)
    raw_tables = {(table.file, table.sheet): table for table in tables}
    kind = PlannedKind(raw_tables[guess.table.file, guess.table.sheet], guess, design)
    if request.layout:
        added = add_with_layout(project, request, kind, manifest)
    else:
        added = add_with_own_design(project, request, kind, manifest)
    result.files = added.files
    result.findings += added.findings
    result.summary = added.summary
    return result


def add_with_layout(
    project: Project, request: KindRequest, kind: PlannedKind, manifest: Manifest
) -> NewKind:
    """Make the files of a kind with a finished layout, or from its columns if none fits."""
    languages = manifest.languages
    files = read_layout_files(request, languages)
    schema = json.loads(files[f"schemas/{request.pack}/{request.name}.schema.json"])
    matched = match_layout(kind.guess, schema)
    errors: list[Finding] = []
    if not matched.missing_fields:
        # A layout prints the words of choices themselves, not terms of the vocabulary.
        design = replace(kind.design, columns=matched.columns)
        guess = kind.guess._replace(columns=matched.columns)
        layout_kind = PlannedKind(kind.raw_table, guess, design, matched.constants)
        added = make_changed_files(project, request, layout_kind, languages, design)
        errors = [item for item in added.findings if has_errors([item])]
        # With --skip-errors a few wrong rows are left out. If most are wrong, the layout is.
        card_folder = project.get_cards_dir(request.pack) / request.name
        card_count = sum(path.parent == card_folder for path in added.files)
        if request.skip_errors and 2 * card_count < len(kind.guess.table.rows) - 1:
            errors += [
                item for item in added.findings if item.severity is Severity.WARNING
            ]
        if not errors:
            added.findings += report_unprinted(
                kind.guess, request.layout, matched.unprinted
            )
            return added
    note = report_unsuitable_layout(
        kind.guess, request.layout, matched.missing_fields, errors
    )
    added = add_with_own_design(project, replace(request, layout=""), kind, manifest)
    added.findings.append(note)
    return added


def add_with_own_design(
    project: Project, request: KindRequest, kind: PlannedKind, manifest: Manifest
) -> NewKind:
    """Make the files of a kind with a design from its columns, in which all cards fit.

    The design uses the pack's own style, fonts and icons.
    """
    languages = manifest.languages
    added = make_changed_files(project, request, kind, languages, kind.design)
    if has_errors(added.findings):
        return added
    with TemporaryDirectory(prefix="squadpress-") as folder:
        trial = Project(Path(folder).resolve())
        copy_folder(
            project.get_templates_dir(request.pack),
            trial.get_templates_dir(request.pack),
        )
        cards_dir = project.get_cards_dir(request.pack)
        card_folders = (cards_dir / request.name, cards_dir / "i18n", cards_dir / "art")
        for path, data in added.files.items():
            if any(folder in path.parents for folder in card_folders):
                write_draft_files({trial.root / path.relative_to(project.root): data})
        # The design is fitted in a small pack without the old kinds, whose cards are not in doubt.
        design_target = DesignTarget(
            trial.root,
            request.pack,
            languages.source,
            engine=None if manifest.engine == AUTO else manifest.engine,
            list_files=partial(list_own_files, project, request, languages.source),
        )
        designs = fit_design(design_target, {request.name: kind.design})
    return make_changed_files(project, request, kind, languages, designs[request.name])


def list_own_files(
    project: Project, request: KindRequest, source: str, designs: Mapping[str, CardKind]
) -> Files:
    """Yield the files of a design made from a table's columns, adapted to the pack's style."""
    files = dict(list_design_files(request.pack, source, designs))
    return iter(adapt_style(project, request, files, files).items())


def adapt_style(
    project: Project,
    request: KindRequest,
    files: Mapping[str, bytes],
    own_files: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Adapt the style sheet of a new kind to the style of the pack.

    Rules that the pack lacks are taken from the kind's design. The colours of factions are those of
    the table, not of a layout's sample cards.
    """
    templates = f"templates/{request.pack}"
    pack_path = project.get_templates_dir(request.pack) / "pack.css"
    card_name = f"{templates}/{request.name}/card.css"
    pack_css = read_text(pack_path) if pack_path.exists() else ""
    design_css = files[f"{templates}/pack.css"].decode()
    own_css = own_files[f"{templates}/pack.css"].decode()
    design_css = replace_faction_rules(design_css, own_css)
    css = adapt_kind_style(
        request.name, files[card_name].decode(), design_css, pack_css
    )
    return {
        **files,
        card_name: css.encode(),
        f"{templates}/pack.css": pack_css.encode(),
    }


def make_changed_files(
    project: Project,
    request: KindRequest,
    kind: PlannedKind,
    languages: Languages,
    design: CardKind,
) -> NewKind:
    """Add a kind and its cards to a temporary copy of the pack. Return the changed files."""
    result = NewKind()
    kind = replace(kind, design=design)
    with TemporaryDirectory(prefix="squadpress-") as folder:
        # The temporary folder may be behind a link, which relative paths would not match.
        draft = copy_pack(project, request.pack, Path(folder).resolve())
        add_design(draft, request, kind, languages)
        add_cards_of_kind(draft, request, kind, languages.source, result)
        if not has_errors(result.findings):
            result.files = find_changed_files(project, draft)
    return result


def refuse_kind_name(name: str, kinds: Mapping[str, object]) -> None:
    """Raise UsageError if a kind cannot have this name."""
    if name in kinds:
        hint = _(
            "Use `squadpress table import --kind {kind}` for more cards.", kind=name
        )
        raise UsageError(_("the pack has a kind {kind} already", kind=name), hint)
    if name in RESERVED_KINDS:
        hint = _("Use another name, for example {name}.", name=f"{name}-cards")
        raise UsageError(_("{name!r} is not a name of a kind", name=name), hint)
    if not name or make_id(name) != name:
        hint = _(
            "Use lower-case Latin letters, digits and hyphens, for example {name}."
        )
        hint = _(hint, name=make_id(name) or "spell")
        raise UsageError(_("{name!r} is not a name of a kind", name=name), hint)


def copy_pack(project: Project, pack: str, root: Path) -> Project:
    """Copy the files of a pack into another folder. Return the project there."""
    draft = Project(root)
    copy_folder(project.get_cards_dir(pack), draft.get_cards_dir(pack))
    copy_folder(project.get_schemas_dir(pack), draft.get_schemas_dir(pack))
    copy_folder(project.get_templates_dir(pack), draft.get_templates_dir(pack))
    return draft


def copy_folder(folder: Path, target: Path) -> None:
    """Copy a folder if it exists."""
    if folder.is_dir():
        copytree(folder, target)


def add_design(
    project: Project, request: KindRequest, kind: PlannedKind, languages: Languages
) -> None:
    """Add the schema, templates and words of a new kind to a draft of the pack."""
    designs = {request.name: kind.design}
    own_files = dict(list_design_files(request.pack, languages.source, designs))
    files = own_files
    skipped_sections: Collection[str] = ()
    if request.layout:
        files = read_layout_files(request, languages)
        skipped_sections = SAMPLE_SECTIONS
    for name, data in adapt_style(project, request, files, own_files).items():
        path = project.root / name
        if path.name in MERGED_FILES:
            merge_yaml(path, name, data, languages, skipped_sections=skipped_sections)
        elif is_design_file(name, request) and not path.exists():
            write_draft_files({path: data})
    if request.layout:
        manifest_path = project.get_cards_dir(request.pack) / "pack.yaml"
        set_printed_name(
            manifest_path, f"cards/{request.pack}/pack.yaml", request.name, languages
        )
        add_words(project, request, own_files, languages)
        add_fields(project, request, kind.guess)


def read_layout_files(request: KindRequest, languages: Languages) -> dict[str, bytes]:
    """Return the files of a finished layout, with the names of the pack and the kind filled in."""
    files: dict[str, bytes] = {}
    layouts = {request.name: request.layout}
    for marked_name, data in list_pack_files(layouts, [*languages.all], None):
        name = marked_name.replace(PACK_MARK, request.pack)
        if not name.endswith(BINARY_EXTENSIONS):
            data = data.replace(PACK_MARK.encode(), request.pack.encode())
        files[name] = data
    return files


def add_words(
    project: Project,
    request: KindRequest,
    own_files: Mapping[str, bytes],
    languages: Languages,
) -> None:
    """Add the table's keywords and factions to the vocabulary, and its icons to the pack.

    A faction without an emblem gets an icon of the layout, which layouts print.
    """
    path = project.get_cards_dir(request.pack) / "vocabulary.yaml"
    name = f"cards/{request.pack}/vocabulary.yaml"
    merge_yaml(path, name, own_files[name], languages, ("keywords", "factions"))
    manifest_name = f"cards/{request.pack}/pack.yaml"
    manifest_path = project.get_cards_dir(request.pack) / "pack.yaml"
    merge_yaml(
        manifest_path, manifest_name, own_files[manifest_name], languages, ("icons",)
    )
    icons_folder = f"templates/{request.pack}/icons/"
    emblems = sorted(icon.stem for icon in (project.root / icons_folder).glob("*.svg"))
    for own_name, data in own_files.items():
        if own_name.startswith((icons_folder, f"templates/{request.pack}/fonts/")):
            write_draft_files({project.root / own_name: data})
    edit = YamlText(read_text(path), name)
    document, _findings = parse_document(edit.body, name)
    factions = look_up(document.value if document else None, ("factions",))
    for number, (faction, entry) in enumerate(get_map(factions).items()):
        if emblems and isinstance(entry, dict) and "emblem" not in entry:
            # More factions than icons share them in turn.
            emblem = emblems[number % len(emblems)]
            edit.set_entry(("factions", faction), "emblem", emblem)
    path.write_text(edit.text, "utf-8", newline="")


def is_design_file(name: str, request: KindRequest) -> bool:
    """Return True for schemas, templates and pictures, but not for a layout's sample cards."""
    folders = (
        f"schemas/{request.pack}/",
        f"templates/{request.pack}/",
        f"cards/{request.pack}/art/",
    )
    return name.startswith(folders)


def set_printed_name(path: Path, name: str, kind: str, languages: Languages) -> None:
    """Write the printed name of a kind to pack.yaml, in place of the layout's sample name."""
    edit = YamlText(read_text(path), name)
    words: dict[str, Json] = dict.fromkeys(languages.all, capitalize_name(kind))
    edit.set_entry(("kinds", kind), "name", words)
    edit.drop_key(("kinds", kind, "plural"))
    path.write_text(edit.text, "utf-8", newline="")


def merge_yaml(
    path: Path,
    name: str,
    data: bytes,
    languages: Languages,
    sections: Collection[str] = (),
    skipped_sections: Collection[str] = (),
) -> None:
    """Add the kinds, icons and words of a generated YAML file to a file of the pack.

    Existing entries stay.
    """
    new_document, _findings = parse_document(data.decode(), name)
    new_value = get_map(new_document.value if new_document else None)
    edit = YamlText(read_text(path) if path.exists() else "", name)
    for section, entries in new_value.items():
        if sections and section not in sections:
            continue
        # The other sections of pack.yaml are settings of the whole pack.
        has_words = path.name == "vocabulary.yaml" or section in ("kinds", "icons")
        if isinstance(entries, dict) and has_words and section not in skipped_sections:
            merge_section(edit, name, section, entries, languages)
    path.write_text(edit.text, "utf-8", newline="")


def merge_section(
    edit: YamlText,
    name: str,
    section: str,
    entries: Mapping[str, Json],
    languages: Languages,
) -> None:
    """Add the entries of a YAML section that the file does not have yet."""
    old_document, _findings = parse_document(edit.body, name)
    old_value = get_map(old_document.value if old_document else None)
    old_entries = look_up(old_value, (section,))
    for key, entry in entries.items():
        complete_entry = complete_languages(entry, languages)
        if not isinstance(old_entries, dict):
            edit.set_entry((), section, {key: complete_entry})
            old_entries = {key: complete_entry}
        elif key not in old_entries:
            edit.set_entry((section,), key, complete_entry)


def complete_languages(value: Json, languages: Languages) -> Json:
    """Add missing languages to all texts in a value. They get the source text."""
    if not isinstance(value, dict):
        return value
    is_localized = bool(value) and all(
        key in languages.all and isinstance(word, str) for key, word in value.items()
    )
    if not is_localized:
        return {key: complete_languages(item, languages) for key, item in value.items()}
    words = [*value.values()]
    source_word = value.get(languages.source, words[0])
    return {lang: value.get(lang, source_word) for lang in languages.all}


def add_fields(project: Project, request: KindRequest, guess: KindTable) -> None:
    """Add a field to the layout's schema for each column that has none."""
    path = project.get_schemas_dir(request.pack) / f"{request.name}.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    properties = schema.setdefault("properties", {})
    for column in guess.columns:
        if column.schema and column.field not in properties:
            properties[column.field] = dict(column.schema)
    text = json.dumps(schema, ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", "utf-8")


def add_cards_of_kind(
    project: Project,
    request: KindRequest,
    kind: PlannedKind,
    source: str,
    result: NewKind,
) -> None:
    """Add the cards of the table to the draft, with their pictures and the mapping file."""
    table = kind.guess.table
    pictures, problems = read_pictures(
        table, request.tables.folder, find_column(table, "art")
    )
    result.findings += problems
    art_folder = project.get_cards_dir(request.pack) / "art"
    for name, data in pictures.items():
        if not (art_folder / name).exists():
            write_draft_files({art_folder / name: data})
    loaded = PackFiles(project).load_pack(request.pack)
    draft = DraftPack(project, loaded, source, pictures)
    pack_request = PackRequest(
        project.root, request.tables, None, request.day, request.skip_errors
    )
    new_pack = NewPack()
    add_cards(draft, pack_request, (request.name, kind), new_pack)
    draft.write_cards(new_pack.findings)
    result.findings += new_pack.findings
    result.summary += new_pack.summary


def find_changed_files(project: Project, draft: Project) -> dict[Path, bytes | None]:
    """Return the files of the draft that are new or differ from those of the project."""
    files: dict[Path, bytes | None] = {}
    for name, data in collect_files(draft.root):
        path = project.root / name
        if not path.is_file() or path.read_bytes() != data:
            files[path] = data
    return files
