"""Print only what changed since a release: cards, notices, and a swap checklist."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeAlias

from builder.cache import installed
from builder.errata.change import CardChange, Status
from builder.errata.difference import compare_states, pair_cards
from builder.errata.notes import compose_notes
from builder.errata.reader import NoteReader, ReaderPair
from builder.errata.snapshot import WORK, Snapshot, load_snapshot
from builder.errors import ToolMissing, UsageError
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.engines import ENGINE_NAMES, EngineName
from builder.model.loaded import LoadedPack
from builder.model.pack import Kind
from builder.model.profile import Profile
from builder.packs.pack_files import PackFiles
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.pdfinfo.pictures import describe_rasterizer
from builder.render.flow import Flow, render_flow
from builder.render.jobs import Places
from builder.render.sheets.sheets import Group, Stack
from builder.roster.choice_keywords import get_original_id
from builder.usecases.appearance import check_appearance_files
from builder.usecases.build.build_options import (
    BuildOptions,
    BuildResult,
    BuiltFile,
    EngineChoice,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.engine_choice import (
    refuse_other_engine,
    with_chosen_engine,
    with_engine,
    with_engine_of,
)
from builder.usecases.build.faces import (
    ENGINE,
    MADE_BY,
    SHAPES,
    FaceName,
    FaceSelection,
    PackFaces,
    hash_shapes,
    render_pack_faces,
)
from builder.usecases.build.printable import CardMarks, find_untranslated
from builder.usecases.build.records import add_draft_mark, remove_draft
from builder.usecases.build.select import select_cards
from builder.usecases.build.typeset import (
    A4,
    SheetFile,
    group_pairs,
    make_pair,
    select_languages,
    write_file,
)
from builder.usecases.pack_states import (
    load_named_state,
    load_pack_as_of,
    read_working_pack,
)


@dataclass(frozen=True)
class PrintChanges:
    """The comparison of a release's print with today's.

    `before` and `after` are all faces of both. `pairs` has the old id of each card that
    continues. `reasons` has, by language and changed card, one of new, content, template or
    art.
    """

    before: PackFaces
    after: PackFaces
    pairs: Mapping[str, str]
    reasons: Mapping[str, Mapping[str, str]]
    findings: tuple[Finding, ...]

    def find_old_name(self, name: FaceName) -> FaceName | None:
        """Return the name of the old face. None for a new card or a face with an error."""
        old_name = name._replace(card=self.pairs.get(name.card, ""))
        return old_name if old_name in self.before.stacks else None


def compare_prints(
    places: Places,
    old: Snapshot,
    new: Snapshot,
    loaded: LoadedPack,
    selection: FaceSelection,
    workers: WorkerPool,
) -> PrintChanges:
    """Compare the print of a release with today's.

    Old cards are rendered with today's templates. What the templates changed shows against the
    digests that the release stores.
    """
    loaded = with_chosen_engine(places, loaded)[0]
    # Another engine draws other pixels, so both states need the same one.
    past = load_snapshot(with_engine_of(loaded.whole, old), old.label)
    # Only today's faces are printed, so only they need drafts.
    selection_without_drafts = replace(selection, drafts=False)
    before = render_pack_faces(places, past, selection_without_drafts, workers)
    after = render_pack_faces(places, loaded, selection, workers)
    reasons: dict[str, dict[str, str]] = {lang: {} for lang in selection.langs}
    findings = (*past.findings, *after.findings)
    changes = PrintChanges(before, after, pair_cards(old, new)[0], reasons, findings)
    old_names: dict[FaceName, FaceName] = {}
    for name, stack in after.stacks.items():
        old_name = changes.find_old_name(name)
        if old_name is None:
            # A card that continues may lack its old face: today's templates cannot draw it.
            is_new = name.card not in changes.pairs
            reasons[name.lang][name.card] = "new" if is_new else "template"
        elif before.stacks[old_name] != stack:
            old_names[name] = old_name
    # Two different drawings may still print the same pixels.
    old_digests = before.hash_pictures(dict.fromkeys(old_names.values()))
    for name, digest in after.hash_pictures(old_names).items():
        if old_digests[old_names[name]] != digest:
            reasons[name.lang].setdefault(name.card, "content")
    # Releases store digests of full faces only.
    if selection.variant == "full":

        def render_with(engine: EngineName) -> PackFaces:
            pack = with_engine(loaded, engine)
            return render_pack_faces(places, pack, selection_without_drafts, workers)

        for name, reason in _find_restyled_faces(
            changes, old, new, render_with
        ).items():
            reasons[name.lang].setdefault(name.card, reason)
    return changes


def find_reprinted_cards(
    project: Project, pack_id: str, since: str, workers: WorkerPool
) -> frozenset[str]:
    """Return cards that print differently than at a version or day, with equal revision."""
    packs = PackFiles(project)
    old = load_named_state(packs, pack_id, since)[0]
    new, _findings, loaded = read_working_pack(packs, pack_id)
    if loaded.pack is None:
        return frozenset()
    langs = select_languages(loaded.pack, ())
    selection = FaceSelection(langs)
    changes = compare_prints(
        get_render_folders(project, pack_id), old, new, loaded, selection, workers
    )
    reprinted_ids: set[str] = set()
    for reasons in changes.reasons.values():
        for card, reason in reasons.items():
            if reason != "new":
                old_revision = old.cards[changes.pairs[card]].get("revision")
                if new.cards[card].get("revision") == old_revision:
                    reprinted_ids.add(card)
    return frozenset(reprinted_ids)


RenderWith: TypeAlias = Callable[[EngineName], PackFaces]
"""Renders today's faces with an engine."""


def _find_restyled_faces(
    changes: PrintChanges, old: Snapshot, new: Snapshot, render_with: RenderWith
) -> dict[FaceName, str]:
    """Return faces whose template or picture changed, with the reason.

    Faces whose digest equals that of the release are left out.
    """
    all_paths = old.files.keys() | new.files.keys()
    changed_paths = {
        path for path in all_paths if old.files.get(path) != new.files.get(path)
    }
    reasons: dict[FaceName, str] = {}
    for name in changes.after.stacks:
        reason = _explain_restyling(changes.after, name, changed_paths, new.pack)
        if reason:
            reasons[name] = reason
    if not reasons:
        return {}
    made_by = old.faces.get(MADE_BY)
    digests: Mapping[FaceName, str] = {}
    if made_by == SHAPES:
        digests = hash_shapes(changes.after.renderer, reasons)[0]
    elif made_by == describe_rasterizer():
        digests = _hash_comparable_pictures(
            changes.after, old, list(reasons), render_with
        )
    for name, digest in digests.items():
        old_name = changes.find_old_name(name)
        if old_name is not None and old.faces.get("/".join(old_name)) == digest:
            del reasons[name]
    return reasons


def _hash_comparable_pictures(
    today: PackFaces, old: Snapshot, names: Sequence[FaceName], render_with: RenderWith
) -> dict[FaceName, str]:
    """Return digests of today's faces, rendered with the engine of a release.

    Raise ToolMissing if that engine, in the version that the release stores, is not installed.
    """
    stored = old.faces.get(ENGINE) or str(old.engine or "weasyprint")
    name, _space, version = stored.partition(" ")
    installed_version = installed(name)  # "-" if it is not installed
    is_same_version = version in ("", installed_version)
    if name not in ENGINE_NAMES or installed_version == "-" or not is_same_version:
        message = _(
            "cannot compare the faces with {release}: it was rendered with {engine}, "
            "which is not installed",
            release=old.label,
            engine=stored,
        )
        package = f"{name}=={version}" if version else name
        raise ToolMissing(
            message, _("Install it: pip install {package}", package=package)
        )
    faces = today
    if name != today.renderer.engine:
        faces = render_with("plutoprint" if name == "plutoprint" else "weasyprint")
    return faces.hash_pictures([face for face in names if face in faces.stacks])


def _explain_restyling(
    today: PackFaces, name: FaceName, changed_paths: set[str], pack: str
) -> str:
    """Return why a face may look different although its card is the same.

    Return "art" or "template" for a changed picture or template, and "" if none of its files
    changed.
    """
    manifest = today.renderer.pack.manifest
    kind = today.renderer.pack.cards[name.card].kind
    file_ends = tuple(f"/{file}" for file in today.face_files.get(name, ()))
    for path in changed_paths:
        if path.endswith(file_ends):
            return "art"
        # A path is templates/<pack or base>/<kind or file>/...
        folder, *parts = path.split("/")
        if folder != "templates" or "art" in parts or "gauge" in path:
            continue
        is_of_pack = parts[0] == pack or parts[:2] == ["base", "face.css"]
        is_of_kind = parts[1] == kind or parts[1] not in manifest.kinds
        if is_of_pack and is_of_kind:
            return "template"
    return ""


def build_changed(
    project: Project, pack_id: str, since: str, options: BuildOptions
) -> BuildResult:
    """Build a file per language with the cards that print differently than at a version."""
    if options.select.product is not None:
        message = _("a reprint contains each changed card once, not a whole product")
        raise UsageError(message, _("Use either --changed-since or --product."))
    old, old_findings = load_named_state(PackFiles(project), pack_id, since)
    new, new_findings, loaded = _read_new_state(
        PackFiles(project), pack_id, options.select.as_of
    )
    file_findings = check_appearance_files(project, pack_id)
    if loaded.pack is None or has_errors((*new_findings, *file_findings)):
        return BuildResult(
            findings=sort_findings((*old_findings, *new_findings, *file_findings))
        )
    places = get_render_folders(project, pack_id)
    refuse_other_engine(loaded, options.select.as_of, options.select.engine)
    loaded, choice = _choose_engine(places, loaded, options.select.engine)
    langs = select_languages(loaded.whole, options.select.langs)
    profile = load_profile(project, options.publish.profile)
    selection = FaceSelection(
        langs, options.select.variant, drafts=not options.publish.strict
    )
    changes = compare_prints(places, old, new, loaded, selection, options.workers)
    is_draft = changes.after.is_draft
    renderer = changes.after.renderer
    orders = _list_changed_cards(changes, langs, options.select.only)
    untranslated = find_untranslated(loaded, orders, options.publish.untranslated)
    orders = untranslated.drop_omitted(orders)
    findings = [
        *old_findings,
        *file_findings,
        *changes.findings,
        *untranslated.findings,
    ]
    is_refused = has_errors((*changes.after.findings, *untranslated.findings))
    if is_refused and not is_draft:
        return BuildResult(findings=sort_findings(findings))
    folder = options.publish.output or project.get_output_dir(pack_id)
    files: list[BuiltFile] = []
    removed: list[Path] = []
    for lang in langs:
        rows = make_checklist(old, new, changes, lang, orders[lang])
        if not rows:
            continue
        page = _render_checklist(changes, old, new, lang, rows, profile)
        findings += page.findings
        cards = [renderer.pack.cards[card] for card in orders[lang]]
        groups, notices = _group_faces(changes.after, cards, lang, untranslated.marks)
        name = _name_file(pack_id, lang, options, (old.label, new.label))
        path = folder / f"{name}.pdf"
        target = add_draft_mark(path) if is_draft else path
        sheets = SheetFile(target, lang, groups, page.keys, notices)
        file = write_file(renderer, project, profile, sheets)
        files.append(replace(file, draft=is_draft))
        if not is_draft:
            removed += remove_draft(project, path)
    return BuildResult(
        tuple(files),
        sort_findings(findings),
        removed=tuple(removed),
        engine_choice=choice,
    )


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """A line of the checklist: action, card names, revisions, and notes of the change.

    Templates read the fields by their names.
    """

    action: str
    name: str
    kind: str
    faction: str
    old_revision: str = ""
    revision: str = ""
    released: str = ""
    former: str = ""
    notes: tuple[str, ...] = ()


def make_checklist(
    old: Snapshot, new: Snapshot, changes: PrintChanges, lang: str, cards: Sequence[str]
) -> list[ChecklistRow]:
    """Return the action for each card: add, replace or remove."""
    before = NoteReader(old, lang)
    after = NoteReader(new, lang)
    readers = ReaderPair(before, after)
    states = compare_states(old, new)
    rows: list[ChecklistRow] = []
    for card in cards:
        card_values = new.cards[card]
        old_card = changes.pairs.get(card)
        action = _("Add")
        old_name = new_name = old_revision = ""
        if old_card is not None:
            action = _("Swap")
            old_name, new_name = readers.name_cards(old_card, card)
            old_revision = str(old.cards[old_card].get("revision", ""))
        origin = states.find_origin(card)
        if origin is not None:  # one part of a card that was split
            old_name = before.name_card(origin.id)
        change = states.find_card(card)
        history = change.history if change else ()
        faction = card_values.get("faction")
        rows.append(
            ChecklistRow(
                action=after.translate(action),
                name=after.name_card(card),
                former=old_name if old_name != new_name else "",
                kind=after.name_kind(str(card_values.get("kind"))),
                faction=after.name_faction(str(faction)) if faction else "",
                revision=str(card_values.get("revision", "")),
                old_revision=old_revision,
                released=str(card_values.get("released", "")),
                notes=tuple(
                    after.pick_language(entry.get("note")) for entry in history
                ),
            )
        )
    for change in states.cards:
        # A vanished card has no migration entry, so nobody decided to remove it.
        if not change.status.gone or change.status is Status.VANISHED:
            continue
        if change.old_id:
            rows.append(
                ChecklistRow(
                    action=after.translate(_("Remove")),
                    name=before.name_card(change.old_id),
                    kind=before.name_kind(change.kind),
                    faction=before.name_faction(change.faction),
                    old_revision=str(change.old_revision or ""),
                    notes=_describe_successors(change, after),
                )
            )
    return rows


def list_other_changes(old: Snapshot, new: Snapshot, lang: str) -> list[str]:
    """Return the titles of changed rules, and sentences about languages."""
    notes = compose_notes(old, new, compare_states(old, new), lang)
    return [
        *(f"{rule.title}: {rule.summary}" for rule in notes.rules),
        *notes.languages,
    ]


def _describe_successors(change: CardChange, reader: NoteReader) -> tuple[str, ...]:
    """Return a sentence about the cards that a removed card became."""
    if not change.successors:
        return ()
    names = ", ".join(reader.name_card(heir) for heir in change.successors)
    return (reader.translate(_("Replaced by {names}.", names=names)),)


def _render_checklist(
    changes: PrintChanges,
    old: Snapshot,
    new: Snapshot,
    lang: str,
    rows: list[ChecklistRow],
    profile: Profile,
) -> Flow:
    counts = Counter(row.action for row in rows)
    reader = NoteReader(new, lang)
    values = {
        "title": reader.translate(_("Cards to swap after {old}", old=old.label)),
        "game": reader.pick_language(new.manifest.get("name")),
        "rows": [asdict(row) for row in rows],
        "counts": [[action, str(count)] for action, count in counts.items()],
        "others": list_other_changes(old, new, lang),
    }
    return render_flow(
        changes.after.renderer, "checklist", profile.paper or A4, lang, values
    )


def _choose_engine(
    places: Places, loaded: LoadedPack, engine: EngineName | None
) -> tuple[LoadedPack, EngineChoice | None]:
    """Return the pack with the requested or chosen engine, and the choice to report."""
    if engine is not None:
        return with_engine(loaded, engine), None
    return with_chosen_engine(places, loaded)


def _read_new_state(
    packs: PackFiles, pack_id: str, as_of: str | None
) -> tuple[Snapshot, tuple[Finding, ...], LoadedPack]:
    """Load the edited pack, or a release by version or day, with the findings about it."""
    if as_of is None or as_of == WORK:
        return read_working_pack(packs, pack_id)
    loaded = load_pack_as_of(packs, pack_id, as_of)
    return load_named_state(packs, pack_id, as_of)[0], loaded.findings, loaded


def _name_file(
    pack_id: str, lang: str, options: BuildOptions, labels: tuple[str, str]
) -> str:
    """Return the name of the file with the cards that differ between two states.

    It has no extension, and does not name the edited files.
    """
    old_label, new_label = labels
    parts = [pack_id, lang, options.publish.profile.replace(":", "-")]
    if options.select.variant == "ink":
        parts.append("ink")
    if new_label != WORK:
        parts.append(new_label)
    return "-".join([*parts, "since", old_label])


def _list_changed_cards(
    changes: PrintChanges, langs: Sequence[str], only: Sequence[str]
) -> dict[str, list[str]]:
    """Return the selected cards that print differently, by language."""
    cards_by_lang: dict[str, list[str]] = {}
    for lang in langs:
        cards = select_cards(changes.after.renderer.pack, only, lang)
        cards_by_lang[lang] = [card for card in cards if card in changes.reasons[lang]]
    return cards_by_lang


def _group_faces(
    faces: PackFaces, cards: Sequence[Card], lang: str, marks: CardMarks
) -> tuple[tuple[Group, ...], Mapping[Stack, str]]:
    """Return the cards by size, and each face's notice: revision, date, mark of the card.

    Backs that cards share have no notice.
    """
    notices: dict[Stack, str] = {}
    pairs = []
    card_ids = {card.id for card in cards}
    printed_faces = [
        name for name in faces.stacks if name.lang == lang and name.card in card_ids
    ]
    faces.cache_by_content(printed_faces)
    for card in cards:
        kind = faces.renderer.pack.manifest.kinds[card.kind]
        stacks = _find_stacks(faces, kind, card.id, lang)
        if len(stacks) < len(
            kind.list_faces(card)
        ):  # a draft leaves out what cannot be drawn
            continue
        pairs.append((card, make_pair(stacks)))
        notice = f"Δ {card.revision} · {card.released.isoformat()}"
        mark = marks.get((lang, get_original_id(card.id)))
        if mark:
            notice = f"{notice} · {mark}"
        for side, stack in stacks.items():
            if side == "front" or kind.back != "common":
                notices[stack] = notice
    return group_pairs(faces.renderer.pack, pairs), notices


def _find_stacks(
    faces: PackFaces, kind: Kind, card_id: str, lang: str
) -> dict[str, Stack]:
    """Return the rendered faces of a card by side."""
    stacks: dict[str, Stack] = {}
    for side in kind.faces:
        name = FaceName(lang, card_id, side)
        if name in faces.stacks:
            stacks[side] = faces.stacks[name]
    return stacks
