"""Write release notes for the changes between two states, in each language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from builder.errata.change import Difference, Status
from builder.errata.difference import compare_states
from builder.errata.note_sections import arrange_notes
from builder.errata.notes import Note, Notes, compose_notes
from builder.errata.reader import NoteReader
from builder.errata.rows import NoteRow
from builder.errata.rulings import NO_RULINGS, RulingReader, Rulings, add_rulings
from builder.errata.snapshot import Snapshot, load_snapshot
from builder.errors import UsageError
from builder.findings import Box, Finding, Severity, has_errors, sort_findings
from builder.messages import gettext as _, list_languages
from builder.model.base import Json
from builder.model.loaded import LoadedPack
from builder.model.words import suggest_word
from builder.pdfinfo.pictures import find_differences
from builder.pdfinfo.read import read_pdf
from builder.render.flow import fill_document, render_flow
from builder.render.html.pages import page
from builder.render.jobs import Places
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import FreePage
from builder.report.release import (
    format_dates,
    format_heading,
    format_revision,
    format_row,
)
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.build.engine_choice import with_chosen_engine, with_engine_of
from builder.usecases.build.faces import (
    TRIMMED_FACES,
    FaceName,
    FaceSelection,
    PackFaces,
    render_pack_faces,
)
from builder.usecases.build.typeset import A4, compose_pages
from builder.usecases.pack_states import check_languages
from builder.usecases.release.note_pictures import (
    NoteFaces,
    ShownFace,
    draw_comparisons,
    encode_picture,
)

if TYPE_CHECKING:
    pass

Files: TypeAlias = tuple[dict[str, bytes], tuple[Finding, ...]]


def compose_release_notes(
    old: Snapshot,
    new: Snapshot,
    langs: tuple[str, ...],
    factions: Sequence[str] = (),
    rulings: Rulings = NO_RULINGS,
    difference: Difference | None = None,
) -> tuple[Notes, ...]:
    """Compose the release notes between two states in several languages.

    Without any, in all languages and of all factions. A `difference` may name reverted releases.

    Raises UsageError for a language that neither the pack nor the program has, and for an unknown
    faction.
    """
    pack_langs = new.languages or ("en",)
    check_languages(new.pack, pack_langs, set(langs).difference(list_languages()))
    _check_factions(old, new, factions)
    changes = difference or compare_states(old, new)
    all_notes: list[Notes] = []
    for lang in langs or pack_langs:
        notes = compose_notes(old, new, changes, lang, factions or None)
        reader = RulingReader(rulings, NoteReader(new, lang), (old,))
        all_notes.append(add_rulings(notes, reader, old.released))
    return tuple(all_notes)


def _check_factions(old: Snapshot, new: Snapshot, factions: Sequence[str]) -> None:
    known_factions: set[str] = set()
    for state in (old, new):
        vocabulary = state.vocabulary.get("factions")
        if isinstance(vocabulary, Mapping):
            known_factions.update(vocabulary)
    for faction in factions:
        if faction not in known_factions:
            message = _(
                "{pack} has no faction {faction}", pack=new.pack, faction=faction
            )
            raise UsageError(
                message, suggest_word(faction, known_factions, _("Factions"))
            )


@dataclass(frozen=True, slots=True)
class FaceChange:
    """A card face that is printed differently in the new state.

    `old_name` is None if the old face cannot be shown: it could not be rendered, or a picture of it
    was replaced.
    """

    old_name: FaceName | None
    marks: tuple[Box, ...] = ()


def print_notes(
    spots: Places,
    old: Snapshot,
    new: Snapshot,
    all_notes: Sequence[Notes],
    workers: WorkerPool,
    formats: Collection[str] = ("pdf",),
) -> Files:
    """Return the release notes with pictures as files, by name.

    Both states are rendered with today's templates, which are in these `spots`, and with one
    engine.

    Notes about more than MAX_CARDS_WITH_PICTURES cards have no pictures of the cards.
    """
    present = load_snapshot(new, new.label)
    if present.pack is not None:
        present = with_chosen_engine(spots, present)[0]
        old = with_engine_of(present.whole, old)
    # The old faces need the new engine, or every pixel would differ.
    past = load_snapshot(old, old.label)
    if past.pack is None or present.pack is None:
        return {}, (*past.findings, *present.findings)
    # With pictures, 343 cards took 116 pages.
    if max(len(notes.cards) for notes in all_notes) > MAX_CARDS_WITH_PICTURES:
        return _print_compact_notes(
            Renderer(present.whole, spots, workers=1), all_notes, formats
        )
    faces = _render_faces(spots, past, present, (old, new), all_notes, workers)
    # The notes go without the faces that cannot be rendered any more.
    old_findings = (
        replace(finding, severity=Severity.WARNING) for finding in faces.before.findings
    )
    findings = [*old_findings, *faces.after.findings]
    files: dict[str, bytes] = {}
    for notes_of_lang in all_notes:
        new_files, note_findings = _write_files(faces, notes_of_lang, formats)
        files |= new_files
        findings += note_findings
    return files, sort_findings(dict.fromkeys(findings))


def _write_files(faces: NoteFaces, notes: Notes, formats: Collection[str]) -> Files:
    """Return the files of one language by name."""
    name = f"{faces.after.renderer.pack.id}-{notes.new}-notes-{notes.lang}"
    files: dict[str, bytes] = {}
    findings: tuple[Finding, ...] = ()
    if "pdf" in formats:
        data, findings = _write_pdf(faces, notes)
        if data:
            files[f"{name}.pdf"] = data
    if "html" in formats:
        files[f"{name}.html"] = _write_html(faces, notes)
    if "png" in formats:
        files |= draw_comparisons(faces, notes)
    return files, findings


MAX_CARDS_WITH_PICTURES = 60
"""Notes about more cards are printed as text in columns."""


def _print_compact_notes(
    renderer: Renderer, all_notes: Sequence[Notes], formats: Collection[str]
) -> Files:
    """Return the release notes without pictures as files, by name."""
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    for notes in all_notes:
        name = f"{renderer.pack.id}-{notes.new}-notes-{notes.lang}"
        heading = format_heading(notes)
        values = make_compact_values(notes)
        if "html" in formats:
            body, css = fill_document(renderer, "notes-compact", notes.lang, values)
            files[f"{name}.html"] = page(
                "page.html", notes.lang, title=heading, css=css, body=body
            ).encode()
        if "pdf" in formats:
            flow = render_flow(renderer, "notes-compact", A4, notes.lang, values)
            findings += flow.findings
            if flow.keys:
                files[f"{name}.pdf"] = compose_pages(
                    renderer, TRIMMED_FACES, heading, flow.keys
                )
    return files, sort_findings(dict.fromkeys(findings))


def make_compact_values(notes: Notes) -> dict[str, object]:
    """Return the values that the template of notes without pictures uses."""
    sections = arrange_notes(notes)
    plain_sections = asdict(sections)
    for plain_change, change in zip(
        plain_sections["texts"], sections.texts, strict=True
    ):
        for plain_row, row in zip(plain_change["rows"], change.rows, strict=True):
            plain_row["told"] = _format_sentence(row, notes.lang)
    plain_notes = asdict(replace(notes, groups=(), points=()))
    for key in ("released", "effective"):
        plain_notes[key] = str(plain_notes[key])
    for entry in plain_notes["rulings"]:
        entry["day"] = str(entry["day"])
    return {
        "heading": format_heading(notes),
        "dates": format_dates(notes),
        "notes": plain_notes,
        "sections": plain_sections,
    }


def _format_sentence(row: NoteRow, lang: str) -> str:
    """Format a changed list of parts as a sentence. Empty for a row with old and new values."""
    if not (row.joined or row.removed or row.is_moved):
        return ""
    return format_row(row, lang, lambda _kind, text: text)


def _render_faces(
    spots: Places,
    past: LoadedPack,
    present: LoadedPack,
    states: tuple[Snapshot, Snapshot],
    all_notes: Sequence[Notes],
    workers: WorkerPool,
) -> NoteFaces:
    """Render the changed cards of the notes in both states.

    The old cards are also rendered with the revision and date of the new ones, so that these are no
    difference.
    """
    langs, (old, new) = tuple(notes_of_lang.lang for notes_of_lang in all_notes), states
    cards = _sort_cards(all_notes)
    # Otherwise every card would differ by the date that is printed on it.
    redated_cards = {}
    for card, old_id in cards.old_ids.items():
        redated_cards[old_id] = copy_bookkeeping(new.cards[card], old.cards[old_id])
    redated_pack = load_snapshot(
        replace(old, cards={**old.cards, **redated_cards}), old.label
    )
    old_cards = {*cards.old_ids.values(), *cards.withdrawn_ids}

    def render_faces(pack: LoadedPack, card_ids: Collection[str]) -> PackFaces:
        selection = FaceSelection(tuple(langs), only=card_ids)
        return render_pack_faces(spots, pack, selection, workers)

    after = render_faces(present, cards.all_ids)
    before = render_faces(past, old_cards)
    redated = render_faces(redated_pack, redated_cards)
    redrawn_faces = find_redrawn_faces(after, cards.redrawn_ids, states)
    changes = _compare_faces(before, redated, after, cards.old_ids, redrawn_faces)

    shown_faces: dict[tuple[str, str], list[ShownFace]] = {}
    for notes_of_lang in all_notes:
        for note in notes_of_lang.cards:
            faces = _list_shown_faces(note, notes_of_lang.lang, before, after, changes)
            shown_faces.setdefault((notes_of_lang.lang, note.card), []).extend(faces)
    return NoteFaces(before, after, shown_faces)


@dataclass(frozen=True, slots=True)
class NoteCards:
    """The changed cards of release notes in both states.

    `old_ids` holds the old id of each card that continues; `withdrawn_ids` are old ids of cards
    that do not.
    """

    all_ids: frozenset[str]
    old_ids: Mapping[str, str]
    withdrawn_ids: frozenset[str]
    redrawn_ids: frozenset[str]


def _sort_cards(all_notes: Sequence[Notes]) -> NoteCards:
    all_ids = set[str]()
    old_ids = dict[str, str]()
    withdrawn_ids = set[str]()
    redrawn_ids = set[str]()
    for note in chain.from_iterable(notes_of_lang.cards for notes_of_lang in all_notes):
        all_ids.add(note.card)
        if note.status.gone:
            withdrawn_ids.add(note.old_card or note.card)
        elif note.old_card:
            old_ids[note.card] = note.old_card
            if note.redrawn:
                redrawn_ids.add(note.card)
    return NoteCards(
        frozenset(all_ids), old_ids, frozenset(withdrawn_ids), frozenset(redrawn_ids)
    )


def copy_bookkeeping(
    source: Mapping[str, Json], card: Mapping[str, Json]
) -> dict[str, Json]:
    """Return a card with the revision, release date and history of another."""
    return {
        **card,
        **{
            key: source[key]
            for key in ("revision", "released", "history")
            if key in source
        },
    }


def find_redrawn_faces(
    after: PackFaces, redrawn_ids: Collection[str], states: tuple[Snapshot, Snapshot]
) -> frozenset[FaceName]:
    """Find faces that use a picture or template whose content changed under the same name."""
    old, new = states
    changed_files = [
        file
        for file in old.files.keys() & new.files.keys()
        if old.files[file] != new.files[file]
    ]
    names = (name for name in after.stacks if name[1] in redrawn_ids)
    return frozenset(
        name
        for name in names
        if _has_changed_file(after.face_files.get(name, frozenset()), changed_files)
    )


def _has_changed_file(
    face_files: Collection[str], changed_files: Collection[str]
) -> bool:
    """Return True if a face uses one of the changed files."""
    # Faces name files relative to their folder, states relative to the project.
    endings = tuple(f"/{file}" for file in face_files)
    return any(file.endswith(endings) for file in changed_files)


def _compare_faces(
    before: PackFaces,
    redated: PackFaces,
    after: PackFaces,
    old_ids: Mapping[str, str],
    redrawn_faces: Collection[FaceName],
) -> dict[FaceName, FaceChange]:
    """Return the visible changes of cards that both states have, by the name of the new face."""
    old_names: dict[FaceName, FaceName] = {}
    for name in after.stacks:
        if name.card in old_ids:
            old_names[name] = name._replace(card=old_ids[name.card])
    changes: dict[FaceName, FaceChange] = {}
    for name, old_name in old_names.items():
        if (
            name in redrawn_faces
        ):  # a face with the old text and the new picture was never printed
            changes[name] = FaceChange(None)
        elif redated.stacks.get(old_name, ()) != after.stacks[name]:
            changes[name] = FaceChange(old_name if old_name in before.stacks else None)
    return _mark_changes(changes, redated, after)


def _mark_changes(
    changes: Mapping[FaceName, FaceChange], redated: PackFaces, after: PackFaces
) -> dict[FaceName, FaceChange]:
    """Mark the differences on faces whose old version can be shown.

    Leave out those without a visible difference.
    """
    old_names = {
        name: change.old_name
        for name, change in changes.items()
        if change.old_name is not None and change.old_name in redated.stacks
    }
    pictures = zip(
        redated.render_pictures(old_names.values()),
        after.render_pictures(old_names),
        strict=True,
    )
    marked_changes = dict(changes)
    for name, (old_picture, new_picture) in zip(old_names, pictures, strict=True):
        marks = find_differences(old_picture, new_picture)
        # Faces with different inputs may still look the same.
        if marks:
            marked_changes[name] = replace(changes[name], marks=marks)
        else:
            del marked_changes[name]
    return marked_changes


def _list_shown_faces(
    note: Note,
    lang: str,
    before: PackFaces,
    after: PackFaces,
    changes: Mapping[FaceName, FaceChange],
) -> list[ShownFace]:
    """Return the faces to show for a note: one of a new card, or both states of changed ones."""
    if note.status is Status.ADDED:
        return [
            ShownFace(name, False, after.find_size(name))
            for name in _find_first_face(after, lang, note.card)
        ]
    if note.status.gone:
        names = _find_first_face(before, lang, note.old_card or note.card)
        return [ShownFace(name, True, before.find_size(name)) for name in names]
    shown_faces: list[ShownFace] = []
    for name, change in changes.items():
        if name[:2] != (lang, note.card):
            continue
        if change.old_name is not None:
            shown_faces.append(
                ShownFace(change.old_name, True, before.find_size(change.old_name))
            )
        shown_faces.append(ShownFace(name, False, after.find_size(name), change.marks))
    return shown_faces


def _find_first_face(faces: PackFaces, lang: str, card: str) -> list[FaceName]:
    """Return the name of a card's first face, as a list. Empty if none was rendered."""
    return [name for name in faces.stacks if name[:2] == (lang, card)][:1]


def _write_pdf(
    faces: NoteFaces, notes_of_lang: Notes
) -> tuple[bytes, tuple[Finding, ...]]:
    """Format the notes as a PDF with the faces of changed cards."""
    shown_faces: list[ShownFace] = []

    def colour_box(face: ShownFace) -> str:
        shown_faces.append(face)
        return f"background:{_index_colour(len(shown_faces) - 1)}"

    renderer = faces.after.renderer
    values = make_template_values(notes_of_lang, faces, colour_box)
    flow = render_flow(renderer, "notes", A4, notes_of_lang.lang, values)
    if has_errors(flow.findings):
        return b"", flow.findings
    for face in shown_faces:
        faces.pack_of(face).cache_by_content([face.name])
    leaves = []
    located_pages = _locate_faces(
        compose_pages(renderer, TRIMMED_FACES, "", flow.keys), shown_faces
    )
    for key, located_faces in zip(flow.keys, located_pages, strict=True):
        stacks = []
        marks = list[Box]()
        for face, box in located_faces:
            stacks.append((faces.pack_of(face).stacks[face.name], face.size, box))
            marks += face.place_marks(box)
        leaves.append(FreePage(A4, tuple(stacks), tuple(marks), key))
    return compose_pages(
        renderer, TRIMMED_FACES, format_heading(notes_of_lang), (), leaves
    ), flow.findings


def _index_colour(index: int) -> str:
    """Return a nearly white colour that encodes an index below 32,768."""
    digits = (index >> 10, index >> 5 & 31, index & 31)
    return "#" + "".join(f"{254 - digit:02x}" for digit in digits)


def _locate_faces(
    data: bytes, shown_faces: Sequence[ShownFace]
) -> Iterator[list[tuple[ShownFace, Box]]]:
    """Yield the faces on each PDF page with their boxes, found by the colours of the boxes."""
    with TemporaryDirectory(prefix="squadpress-") as folder:
        path = Path(folder) / "notes.pdf"
        path.write_bytes(data)
        pages = read_pdf(path).pages
    faces_by_colour = {
        _index_colour(index): face for index, face in enumerate(shown_faces)
    }
    for page_facts in pages:
        located_faces = []
        for shape in page_facts.shapes:
            fill = shape.fill.values if shape.fill is not None else ()
            colour = "#" + "".join(f"{round(value * 255):02x}" for value in fill)
            face = faces_by_colour.get(colour)
            if (
                face is not None
                and abs(shape.box.width - face.size.width * face.scale)
                < MAX_WIDTH_DEVIATION_MM
            ):
                located_faces.append(
                    (face, replace(shape.box, width=face.size.width * face.scale))
                )
        yield located_faces


MAX_WIDTH_DEVIATION_MM = 0.5
"""A painted box of the right colour counts as a face's place if its width deviates by less."""


def _write_html(faces: NoteFaces, notes_of_lang: Notes) -> bytes:
    """Format the notes as one HTML page that contains all pictures."""

    def embed_picture(face: ShownFace) -> str:
        (picture,) = faces.pack_of(face).render_pictures([face.name])
        return f"background:url({encode_picture(face, picture)}) 0/100% 100%"

    values = make_template_values(notes_of_lang, faces, embed_picture)
    body, css = fill_document(faces.after.renderer, "notes", notes_of_lang.lang, values)
    return page(
        "page.html",
        notes_of_lang.lang,
        title=format_heading(notes_of_lang),
        css=css,
        body=body,
    ).encode()


def make_template_values(
    notes_of_lang: Notes, faces: NoteFaces, paint_face: Callable[[ShownFace], str]
) -> dict[str, object]:
    """Return the template's values. `paint_face` gives the CSS that paints a face's place."""
    plain_notes = asdict(notes_of_lang)
    lang = notes_of_lang.lang
    for plain_group, group in zip(
        plain_notes["groups"], notes_of_lang.groups, strict=True
    ):
        for plain_note, note in zip(plain_group["notes"], group.notes, strict=True):
            shown_faces = faces.shown_faces.get((lang, note.card), ())
            plain_note["revision_text"] = format_revision(note, lang)
            plain_note["status"] = note.status.value
            plain_note["effective"] = str(note.effective or "")
            plain_note["faces"] = [
                _make_face_values(face, paint_face) for face in shown_faces
            ]
            for plain_row, row in zip(plain_note["rows"], note.rows, strict=True):
                plain_row["told"] = _format_sentence(row, lang)
    plain_notes["released"], plain_notes["effective"] = (
        str(notes_of_lang.released),
        str(notes_of_lang.effective),
    )
    for entry in plain_notes["rulings"]:
        entry["day"] = str(entry["day"])
    return {
        "heading": format_heading(notes_of_lang),
        "dates": format_dates(notes_of_lang),
        "notes": plain_notes,
    }


def _make_face_values(
    face: ShownFace, paint_face: Callable[[ShownFace], str]
) -> dict[str, object]:
    width, height, corner = (
        length * face.scale
        for length in (face.size.width, face.size.height, face.size.corner)
    )
    size_css = f"width:{width:.3f}mm;height:{height:.3f}mm;border-radius:{corner:.2f}mm"
    return {
        "before": face.is_old,
        "wide": face.is_landscape,
        "style": f"{size_css};{paint_face(face)}",
    }
