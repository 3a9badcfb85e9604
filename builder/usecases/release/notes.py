"""Release notes of one step in each language: as text, and as a printable file with the changed cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from builder.errata.difference import difference
from builder.errata.notes import NoteReader, Notes, notes, phrase
from builder.errata.snapshot import Snapshot, thaw
from builder.findings import Box, Finding, has_errors, in_order
from builder.geometry.sheetplan import spreads
from builder.messages import languages
from builder.model.pack import Size
from builder.model.pdf import grow, meet
from builder.render.jobs import Places
from builder.report.release import dates, heading
from builder.usecases.build.changed import ChangedFaces, changed_faces
from builder.usecases.build.faces import BARE
from builder.usecases.build.options import WorkerPool
from builder.usecases.build.typeset import A4, pages_pdf
from builder.usecases.storage import check_languages

if TYPE_CHECKING:
    from builder.render.sheets.sheets import Leaf


def release_notes(old: Snapshot, new: Snapshot, langs: tuple[str, ...]) -> tuple[Notes, ...]:
    """The notes in the asked languages, or in all of the pack's. UsageError for one that nobody here speaks."""
    known = new.languages or ("en",)
    check_languages(new.pack, known, set(langs).difference(languages()))
    changes = difference(old, new)
    return tuple(notes(old, new, changes, lang) for lang in langs or known)


CAPTION_SIZE = 8.0


def print_notes(
    spots: Places, old: Snapshot, new: Snapshot, made: Sequence[Notes], workers: WorkerPool
) -> tuple[dict[str, bytes], tuple[Finding, ...]]:
    """A PDF per language, by the file's name. Both states are set with today's templates, which lie in these spots."""
    from builder.render.flow import set_flow

    langs = tuple(one.lang for one in made)
    loaded = thaw(new, new.label)
    if loaded.pack is None:
        return {}, loaded.findings
    found = changed_faces(spots, old, new, loaded, langs, workers)
    findings, files, renderer = list(found.findings), dict[str, bytes](), found.after.renderer
    for one in made:
        flow = set_flow(renderer, "notes", A4, one.lang, values(one))
        findings += flow.findings
        if not has_errors(flow.findings):
            leaves = tuple(_leaves(found, one.lang, NoteReader(old, one.lang), NoteReader(new, one.lang)))
            data = pages_pdf(renderer, BARE, heading(one), flow.keys, leaves)
            files[f"{new.pack}-{one.new}-notes-{one.lang}.pdf"] = data
    return files, in_order(findings)


def values(notes: Notes) -> dict[str, object]:
    """What the template gets."""
    plain = asdict(notes)
    for group in plain["groups"]:
        for note in group["notes"]:
            number = note["revision"]
            note["revision_text"] = phrase(notes.lang, "revision", number=number) if number else ""
            note["status"] = str(note["status"])
    plain["released"], plain["effective"] = str(notes.released), str(notes.effective)
    return {
        "heading": heading(notes),
        "dates": dates(notes),
        "none": phrase(notes.lang, "none"),
        "rules_title": phrase(notes.lang, "rules"),
        "notes": plain,
    }


def _leaves(found: ChangedFaces, lang: str, before: NoteReader, after: NoteReader) -> Iterator[Leaf]:
    """Pages with every changed face, as it was and as it is."""
    from builder.pdfinfo.pictures import differing
    from builder.render.sheets.sheets import Leaf

    names = [name for card in found.reasons[lang] for name in found.differing(lang, card)]
    olds = {name: old for name in names if (old := found.old_name(name)) is not None}
    found.after.keep(names)
    was, now = found.before.pictures(olds.values()), found.after.pictures(olds)
    marks = {name: differing(old, new) for name, old, new in zip(olds, was, now, strict=True)}
    shown = [name for name in names if name not in olds or marks[name]]
    sizes = [found.after.size(name) for name in shown]
    places = spreads([(size.width, size.height, name in olds) for size, name in zip(sizes, shown, strict=True)], A4)
    pages: dict[int, _Page] = {}
    for name, spread in zip(shown, places, strict=True):
        page, size = pages.setdefault(spread.page, _Page()), found.after.size(name)
        page.add(found.after.stacks[name], size, spread.after, f"{phrase(lang, 'after')}: {after.card(name[1])}")
        if spread.before is not None:
            old = olds[name]
            page.frames += [_within(box, spread.after) for box in marks[name]]
            caption = f"{phrase(lang, 'before')}: {before.card(old[1])}"
            other = pages.setdefault(spread.before_page, _Page())
            other.add(found.before.stacks[old], found.before.size(old), spread.before, caption)
    for _number, page in sorted(pages.items()):
        yield Leaf(A4, tuple(page.faces), tuple(page.frames), tuple(page.texts))


@dataclass
class _Page:
    """One page of pictures in the making."""

    faces: list[tuple[tuple[str, ...], Size, Box]] = field(default_factory=list)
    frames: list[Box] = field(default_factory=list)
    texts: list[tuple[str, float, float, float]] = field(default_factory=list)

    def add(self, stack: tuple[str, ...], size: Size, box: Box, caption: str) -> None:
        """Place a face and its caption."""
        self.faces.append((stack, size, box))
        self.texts.append((caption, CAPTION_SIZE, box.x, box.y - 1.5))


def _within(mark: Box, face: Box) -> Box:
    """A mark on a face as a place on the page, a little larger than what changed."""
    room = meet(grow(mark, 0.7), Box(0, 0, face.width, face.height)) or mark
    return replace(room, x=face.x + room.x, y=face.y + room.y)
