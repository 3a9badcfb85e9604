"""Release notes of one step in each language: as values, and as pages with the changed cards before and after."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from builder.errata.change import Status
from builder.errata.difference import difference
from builder.errata.notes import Notes, notes
from builder.errata.snapshot import Snapshot, thaw
from builder.errors import UsageError
from builder.findings import Box, Finding, Severity, has_errors, in_order
from builder.messages import gettext as _, languages
from builder.model.base import Json
from builder.model.loaded import LoadedPack
from builder.model.pack import Size
from builder.model.pdf import grow, meet
from builder.model.words import suggestion
from builder.pdfinfo.pictures import differing
from builder.pdfinfo.read import read
from builder.render.flow import filled, set_flow
from builder.render.html.pages import page
from builder.render.jobs import Places
from builder.render.sheets.sheets import Leaf
from builder.report.release import dates, heading, revision_text, row_text
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.build.faces import BARE, FaceName, PackFaces, set_faces
from builder.usecases.build.typeset import A4, pages_pdf
from builder.usecases.storage import check_languages

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

Files: TypeAlias = tuple[dict[str, bytes], tuple[Finding, ...]]


def release_notes(
    old: Snapshot, new: Snapshot, langs: tuple[str, ...], factions: Sequence[str] = ()
) -> tuple[Notes, ...]:
    """The notes in the asked languages, or in all of the pack's; of some factions, or of all. UsageError for a language
    that nobody here speaks, and for a faction that the pack does not have.
    """
    known = new.languages or ("en",)
    check_languages(new.pack, known, set(langs).difference(languages()))
    stated = (state.vocabulary.get("factions") for state in (old, new))
    there = {faction for known in stated if isinstance(known, Mapping) for faction in known}
    for faction in factions:
        if faction not in there:
            message = _("{pack} has no faction {faction}", pack=new.pack, faction=faction)
            raise UsageError(message, suggestion(faction, there, _("Factions")))
    changes = difference(old, new)
    return tuple(notes(old, new, changes, lang, factions or None) for lang in langs or known)


WIDTH, WIDE, HEIGHT = 43.5, 90.0, 75.0
"""Mm that a face may take up on a page of notes, the second a lying one: four standing ones stand side by side."""


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A face of a note, as it was or as it is, and where something else stands on it now."""

    name: FaceName
    before: bool
    size: Size
    marks: tuple[Box, ...] = ()

    @property
    def scale(self) -> float:
        """How large it is shown."""
        room = WIDE if self.size.width > self.size.height else WIDTH
        return min(1.0, room / self.size.width, HEIGHT / self.size.height)

    def frames(self, face: Box) -> Iterator[Box]:
        """The marks where the face is shown, a little larger than what changed."""
        for mark in self.marks:
            room = meet(grow(mark, 0.7), Box(0, 0, self.size.width, self.size.height)) or mark
            x, y, width, height = (
                value * self.scale for value in (room.x, room.y, room.width, room.height)
            )
            yield Box(face.x + x, face.y + y, width, height)


@dataclass(frozen=True)
class NoteFaces:
    """The cards of some notes as they were and as they are. `shown[lang, card]` are the faces of the card's note."""

    was: PackFaces
    now: PackFaces
    shown: Mapping[tuple[str, str], Sequence[ShownFace]]

    def of(self, face: ShownFace) -> PackFaces:
        """Where a face was set."""
        return self.was if face.before else self.now


def print_notes(
    spots: Places, old: Snapshot, new: Snapshot, made: Sequence[Notes], workers: WorkerPool,
    forms: Collection[str] = ("pdf",),
) -> Files:  # fmt: skip
    """A `pdf` and an `html` file per language, as asked, by the file's name. Both states are set with today's
    templates, which lie in these spots, and with today's engine.
    """
    old = replace(
        old, manifest={**old.manifest, "engine": new.manifest.get("engine", "weasyprint")}
    )
    past, present = thaw(old, old.label), thaw(new, new.label)
    if past.pack is None or present.pack is None:
        return {}, (*past.findings, *present.findings)
    found = _faces(spots, past, present, (old, new), made, workers)
    lost = (
        replace(one, severity=Severity.WARNING) for one in found.was.findings
    )  # the notes go without these faces
    findings, files = [*lost, *found.now.findings], dict[str, bytes]()
    for one in made:
        name = f"{new.pack}-{one.new}-notes-{one.lang}"
        if "pdf" in forms:
            data, flaws = _pdf(found, one)
            findings += flaws
            files |= {f"{name}.pdf": data} if data else {}
        if "html" in forms:
            files[f"{name}.html"] = _html(found, one)
    return files, in_order(dict.fromkeys(findings))


def _faces(
    spots: Places, past: LoadedPack, present: LoadedPack, states: tuple[Snapshot, Snapshot],
    made: Sequence[Notes], workers: WorkerPool,
) -> NoteFaces:  # fmt: skip
    """Set the cards that the notes speak of. What is printed otherwise only because it bears another revision and date
    is not shown: the old cards are also set with those of the new ones.
    """
    langs, (old, new) = tuple(one.lang for one in made), states
    every = {note.card: note for one in made for note in one.cards}
    pairs = {
        note.old_card: note.card
        for note in every.values()
        if note.old_card and not note.status.gone
    }
    gone = {note.old_card or note.card for note in every.values() if note.status.gone}
    dated = {
        was: {**old.cards[was], **_bookkeeping(new.cards[card])} for was, card in pairs.items()
    }
    now = set_faces(spots, present, langs, workers, only=every)
    was = set_faces(spots, past, langs, workers, only=pairs.keys() | gone)
    like = set_faces(
        spots,
        thaw(replace(old, cards={**old.cards, **dated}), old.label),
        langs,
        workers,
        only=pairs,
    )
    heirs = {card: was for was, card in pairs.items()}
    olds = {name: (name[0], heirs[name[1]], name[2]) for name in now.stacks if name[1] in heirs}
    pictures = {
        path for path in old.files.keys() & new.files.keys() if old.files[path] != new.files[path]
    }
    redrawn = {
        name
        for name in olds
        if every[name[1]].redrawn and _draws_on(now.face_files.get(name, frozenset()), pictures)
    }
    asked = {
        name: same
        for name, same in olds.items()
        if name in redrawn or like.stacks.get(same, ()) != now.stacks[name]
    }
    both = {
        name: same for name, same in asked.items() if same in like.stacks and same in was.stacks
    }
    marks = _marks(like, now, both)
    shown: dict[tuple[str, str], list[ShownFace]] = {}
    for one in made:
        for note in one.cards:
            faces = shown.setdefault((one.lang, note.card), [])
            single = now if note.status is Status.ADDED else was if note.status.gone else None
            if single is not None:
                card = note.card if single is now else note.old_card or note.card
                first = (name for name in single.stacks if name[:2] == (one.lang, card))
                faces += [
                    ShownFace(name, single is was, single.size(name)) for name in islice(first, 1)
                ]
                continue
            for name in (name for name in asked if name[:2] == (one.lang, note.card)):
                if (
                    name in redrawn
                ):  # the old picture is gone: a face with the new one was never printed like that
                    faces.append(ShownFace(name, False, now.size(name)))
                    continue
                if marks.get(name) == ():
                    continue
                if asked[name] in was.stacks:
                    faces.append(ShownFace(asked[name], True, was.size(asked[name])))
                faces.append(ShownFace(name, False, now.size(name), marks.get(name, ())))
    return NoteFaces(was, now, shown)


def _draws_on(face_files: Collection[str], changed_files: Collection[str]) -> bool:
    """True if a face draws on one of these files, which are named from the project's folder."""
    return any(path.endswith(f"/{file}") for path in changed_files for file in face_files)


def _bookkeeping(card: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in card.items() if key in ("revision", "released", "history")}


def _marks(
    like: PackFaces, now: PackFaces, pairs: Mapping[FaceName, FaceName]
) -> dict[FaceName, tuple[Box, ...]]:
    """Where faces differ visibly from what they were."""
    pictures = zip(like.pictures(pairs.values()), now.pictures(pairs), strict=True)
    return {
        name: differing(before, after)
        for name, (before, after) in zip(pairs, pictures, strict=True)
    }


def _pdf(found: NoteFaces, one: Notes) -> tuple[bytes, tuple[Finding, ...]]:
    """The notes set as a document whose faces are left blank, then the faces put into their places."""
    faces: list[ShownFace] = []

    def blank(face: ShownFace) -> str:
        faces.append(face)
        return f"background:{_colour(len(faces) - 1)}"

    renderer = found.now.renderer
    flow = set_flow(renderer, "notes", A4, one.lang, values(one, found, blank))
    if has_errors(flow.findings):
        return b"", flow.findings
    for face in faces:
        found.of(face).keep([face.name])
    leaves = []
    for key, boxes in zip(
        flow.keys, _places(pages_pdf(renderer, BARE, "", flow.keys), faces), strict=True
    ):
        placed = tuple((found.of(face).stacks[face.name], face.size, box) for face, box in boxes)
        leaves.append(
            Leaf(A4, placed, tuple(mark for face, box in boxes for mark in face.frames(box)), key)
        )
    return pages_pdf(renderer, BARE, heading(one), (), leaves), flow.findings


def _colour(number: int) -> str:
    """A nearly white colour that tells which face belongs where it is painted."""
    return "#{:02x}{:02x}{:02x}".format(
        *(254 - digit for digit in (number >> 10, number >> 5 & 31, number & 31))
    )


def _places(data: bytes, faces: Sequence[ShownFace]) -> Iterator[list[tuple[ShownFace, Box]]]:
    """Which faces belong on each page, and where: where their colour is painted in their size."""
    with TemporaryDirectory(prefix="squadpress-") as folder:
        path = Path(folder) / "notes.pdf"
        path.write_bytes(data)
        pages = read(path).pages
    colours = {_colour(number): face for number, face in enumerate(faces)}
    for seen in pages:
        found = []
        for shape in seen.shapes:
            fill = shape.fill.values if shape.fill is not None else ()
            face = colours.get("#" + "".join(f"{round(value * 255):02x}" for value in fill))
            if face is not None and abs(shape.box.width - face.size.width * face.scale) < 0.5:
                found.append((face, replace(shape.box, width=face.size.width * face.scale)))
        yield found


def _html(found: NoteFaces, one: Notes) -> bytes:
    """The notes as one page for a browser, the faces in it."""

    def picture(face: ShownFace) -> str:
        (drawn,) = found.of(face).pictures([face.name])
        return f"background:url({_data(face, drawn)}) 0/100% 100%"

    body, css = filled(found.now.renderer, "notes", one.lang, values(one, found, picture))
    return page("page.html", one.lang, title=heading(one), css=css, body=body).encode()


def _data(face: ShownFace, picture: Picture) -> str:
    """A face as a picture within a page, with its marks."""
    from PIL import ImageDraw

    dots = picture.width / face.size.width / face.scale
    draw, out = ImageDraw.Draw(picture), BytesIO()
    for mark in face.frames(Box(0, 0, 0, 0)):
        edges = (mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)
        draw.rectangle([edge * dots for edge in edges], outline=(217, 26, 26), width=3)
    picture.save(out, "WEBP", quality=82)
    return f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"


def values(notes: Notes, found: NoteFaces, look: Callable[[ShownFace], str]) -> dict[str, object]:
    """What the template gets; `look` gives the style that a face's place is painted with."""
    plain, lang = asdict(notes), notes.lang
    for group, told in zip(plain["groups"], notes.groups, strict=True):
        for note, said in zip(group["notes"], told.notes, strict=True):
            note["revision_text"] = revision_text(said, lang)
            note["status"] = said.status.value
            note["faces"] = [
                {
                    "before": face.before,
                    "wide": face.size.width > face.size.height,
                    "style": f"width:{face.size.width * face.scale:.3f}mm;height:{face.size.height * face.scale:.3f}mm;"
                    f"border-radius:{face.size.corner * face.scale:.2f}mm;{look(face)}",
                }
                for face in found.shown.get((lang, said.card), ())
            ]
            for row, one in zip(note["rows"], said.rows, strict=True):
                told_whole = one.joined or one.left or one.moved
                row["told"] = row_text(one, lang, lambda _kind, text: text) if told_whole else ""
    plain["released"], plain["effective"] = str(notes.released), str(notes.effective)
    return {
        "heading": heading(notes),
        "dates": dates(notes),
        "notes": plain,
    }
