"""Render batches of faces so that all text fits, with any engine that lays out HTML.

Blocks shrink step by step to the sizes that pack.yaml declares. What still does not fit is an
error.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from builder.findings import Finding, Location, Severity, has_errors
from builder.geometry.boxes import is_inside
from builder.messages import Message, gettext as _, join_messages
from builder.model.languages import get_text_direction
from builder.render import render_codes
from builder.render.engines import RenderedFace
from builder.render.engines.complaints import Complaint
from builder.render.engines.search import Block, PageMeasurements, Search, TouchingCells
from builder.render.html.problems import add_face_label
from builder.render.jobs import (
    Batch,
    BlockFact,
    FaceFacts,
    FaceHtml,
    Steps,
    Style,
    add_steps_to_key,
    match_steps,
)
from builder.render.painting import Painting, read_painting
from builder.render.sheets.record import Record

RESET = """
body,p,h1,h2,h3,h4,h5,h6,ul,ol,li,figure,hr{margin:0;padding:0}
h1,h2,h3,h4,h5,h6{font-size:1em;font-weight:bold}
ul,ol{list-style:none}
hr{border:0}
"""
"""Rules before a kind's own style sheets: a template looks the same with every engine's defaults.
"""

GC_THRESHOLD = 50_000
"""Objects between two garbage collections. With Python's own threshold, layout takes 10 % more
time.
"""

MAX_STICKING_OUT_MM = 0.2
MORE_PAGES = Complaint(render_codes.PAGES, _("it fills several pages instead of one"))
_FIT_CLASS = re.compile(r"""class=(["'])([^"']*\bfit-([a-z0-9-]+)\b[^"']*)\1""")
"""A class attribute that names a block which may shrink: its quote, classes and the name."""


def compose_document(style: Style, body: str, head: str = "") -> str:
    """Return an HTML document in the text direction of its language."""
    lang = f'lang="{style.lang}"'
    if get_text_direction(style.lang) == "rtl":
        lang += ' dir="rtl"'
    head = f"<head><title></title>{head}</head>"
    return f"<!DOCTYPE html><html {lang}>{head}<body>{body}</body></html>"


class Layout(NamedTuple):
    """A face after layout: the engine's page object, and its measurements."""

    page: object
    measured: PageMeasurements

    @property
    def is_printable(self) -> bool:
        """True if all text fits, or overflows only where that is no error."""
        return all(map(_is_printable, self.measured.blocks))


class Typesetter(Protocol):
    """The methods that an engine must have so that texts can be shrunk to fit."""

    def find_style_problems(self, style: Style) -> tuple[Finding, ...]:
        """Return the errors and warnings about the style sheets of a kind."""

    def lay_out_faces(
        self, style: Style, faces: Sequence[str]
    ) -> tuple[list[Layout], Sequence[Complaint]]:
        """Lay out the HTML of faces. Return their measured pages and the engine's warnings."""

    def draw_pages(
        self, style: Style, pages: Sequence[object]
    ) -> tuple[list[Record], Sequence[Complaint]]:
        """Draw pages that are laid out. Return their drawings and the engine's warnings."""


@dataclass(slots=True)
class FaceTrial:
    """The search for the largest sizes at which all texts of one face fit.

    A step is an index of a size.
    """

    face: FaceHtml
    searches: dict[str, Search]
    layouts: dict[Steps, Layout] = field(default_factory=dict)

    @property
    def steps(self) -> Mapping[str, int]:
        """The index of each block's text size, by name: the next one to try, or the result."""
        return {name: search.step for name, search in self.searches.items()}

    @property
    def layout(self) -> Layout:
        """The layout of the face with the text sizes that were found."""
        return self.layouts[self._key]

    @property
    def _key(self) -> Steps:
        return tuple(sorted(self.steps.items()))

    @property
    def is_done(self) -> bool:
        """True if the sizes of all blocks are known and were laid out together."""
        return self._key in self.layouts and all(
            search.is_finished for search in self.searches.values()
        )

    def add_layout(self, steps: Mapping[str, int], layout: Layout) -> None:
        """Add the measurements of a layout with these steps."""
        fullest = self._find_fullest(layout.measured.blocks)
        if not self.layouts:
            # A class in the HTML may belong to an element that is not displayed.
            self.searches = {
                name: self.searches[name] for name in self.searches if name in fullest
            }
        for name, block in fullest.items():
            self.searches[name].add_measurement(steps[name], block)
        key = tuple(sorted((name, steps[name]) for name in self.searches))
        self.layouts[key] = layout

    def _find_fullest(self, blocks: Sequence[Block]) -> dict[str, Block]:
        """Return the fullest block of each name, which decides the text size for all of them."""
        fullest: dict[str, Block] = {}
        for block in blocks:
            if not block.fit or block.name not in self.searches:
                continue
            before = fullest.get(block.name)
            if before is None or _rank_fullness(block) < _rank_fullness(before):
                fullest[block.name] = block
        return fullest

    def list_block_facts(
        self, style: Style, painting: Painting | None = None
    ) -> tuple[BlockFact, ...]:
        """Return the text size, fill and number of letters of each block that may shrink."""
        steps = self.steps
        facts = []
        for block in self.layout.measured.blocks:
            if block.fit and block.name in steps:
                step = steps[block.name]
                size = style.fit[block.name][step]
                letters = painting.count_letters(block.box) if painting else 0
                facts.append(BlockFact(block.name, step, size, block.fill, letters))
        return tuple(facts)


def _rank_fullness(block: Block) -> tuple[bool, float]:
    """Return a sort key: overflowing blocks first, then the fullest ones."""
    return block.fits, -block.fill


def render_batch(engine: Typesetter, batch: Batch) -> list[RenderedFace]:
    """Render all faces of a batch, with texts shrunk until they fit.

    If the engine complains, each face is rendered alone: only so is it known which face it is
    about.
    """
    style = batch.style
    complaints = list[Complaint]()
    trials = [_start_trial(style, face) for face in batch.faces]
    if not _find_sizes(engine, batch, trials, complaints):
        return (
            _render_each(engine, batch)
            if len(batch.faces) > 1
            else [_report_pages(batch)]
        )
    smaller = _match_sizes(style, trials) if batch.match_sizes else {}
    final_trials = [smaller.get(trial.face.key, trial) for trial in trials]
    # No record at all means that a face did not fit on its page.
    records: list[Record | None] = []
    if _find_sizes(engine, batch, final_trials, complaints):
        records = _draw_faces(engine, batch, final_trials, complaints)
    if len(batch.faces) > 1 and (complaints or not records):
        return _render_each(engine, batch)
    reported = list(dict.fromkeys(complaints))
    faces: list[RenderedFace] = []
    for trial, record in zip(final_trials, records, strict=True):
        face = _finish_face(engine, style, trial, record, reported)
        faces.append(face if batch.draft else _drop_drawing_with_errors(face))
    replaced_trials = [trial for trial in trials if trial.face.key in smaller]
    return faces + _finish_without_drawing(engine, style, replaced_trials, reported)


def _finish_without_drawing(
    engine: Typesetter,
    style: Style,
    trials: Sequence[FaceTrial],
    complaints: Sequence[Complaint],
) -> list[RenderedFace]:
    """Return the facts of faces that are rendered again with smaller text, so not drawn now."""
    faces: list[RenderedFace] = []
    for trial in trials:
        face = _finish_face(engine, style, trial, None, complaints)
        faces.append(replace(face, facts=replace(face.facts, pages=0)))
    return faces


def _drop_drawing_with_errors(face: RenderedFace) -> RenderedFace:
    """Return a face without its drawing if it has errors, because only drafts show such faces."""
    return replace(face, record=None) if has_errors(face.facts.findings) else face


def _start_trial(style: Style, face: FaceHtml) -> FaceTrial:
    """Start the search for text sizes with the largest size of each block."""
    searches: dict[str, Search] = {}
    for match in _FIT_CLASS.finditer(face.html):
        name = match[3]
        if name in style.fit and name not in searches:
            # The step before the first one to try counts as too large.
            low = face.min_steps.get(name, 0) - 1
            searches[name] = Search(style.fit[name], low)
    return FaceTrial(face, searches)


def _find_sizes(
    engine: Typesetter,
    batch: Batch,
    trials: Sequence[FaceTrial],
    complaints: list[Complaint],
) -> bool:
    """Lay out faces again and again until the sizes of all their blocks are known.

    False if a face is not exactly one page. Of a draft, the first page of a lone face counts.
    """
    pending = [trial for trial in trials if not trial.is_done]
    while pending:
        faces = [_add_step_classes(trial.face.html, trial.steps) for trial in pending]
        layouts, more_complaints = _lay_out_faces(engine, batch, faces)
        # With a page too many it is unknown which face it belongs to.
        if len(layouts) != len(faces):
            return False
        for trial, layout in zip(pending, layouts, strict=True):
            trial.add_layout(trial.steps, layout)
        complaints += more_complaints
        pending = [trial for trial in pending if not trial.is_done]
    return True


def _lay_out_faces(
    engine: Typesetter, batch: Batch, faces: Sequence[str]
) -> tuple[Sequence[Layout], Sequence[Complaint]]:
    """Lay faces out. Of a draft with a single face, keep only the first page."""
    layouts, complaints = engine.lay_out_faces(batch.style, faces)
    if batch.draft and len(batch.faces) == 1 and len(layouts) > 1:
        return layouts[:1], [*complaints, MORE_PAGES]
    return layouts, complaints


def _add_step_classes(html: str, steps: Mapping[str, int]) -> str:
    """Add a CSS class with the current step to each block that may shrink."""

    def add_step(match: re.Match[str]) -> str:
        quote = match[1]
        classes = match[2]
        name = match[3]
        return f"class={quote}{classes} step-{steps.get(name, 0)}{quote}"

    return _FIT_CLASS.sub(add_step, html)


def _match_sizes(style: Style, trials: Sequence[FaceTrial]) -> dict[str, FaceTrial]:
    """Start new trials for faces whose text is larger than the same text on the card's other face.

    They are keyed by the old key of the face.
    """
    trials_by_card: dict[str, list[FaceTrial]] = {}
    for trial in trials:
        if trial.face.card and not trial.face.min_steps and trial.layout.is_printable:
            trials_by_card.setdefault(trial.face.card, []).append(trial)
    smaller: dict[str, FaceTrial] = {}
    for pair in trials_by_card.values():
        # A card with one face has no other text sizes to match.
        if len(pair) != 2:
            continue
        for trial, other_trial in (pair, reversed(pair)):
            blocks = trial.list_block_facts(style)
            other_blocks = style.list_matched_blocks(
                other_trial.list_block_facts(style)
            )
            steps = match_steps(blocks, other_blocks)
            # Without other blocks the steps stay as they are.
            if steps != match_steps(blocks, ()):
                key = trial.face.key
                face = replace(
                    trial.face, key=add_steps_to_key(key, steps), min_steps=dict(steps)
                )
                smaller[key] = _start_trial(style, face)
    return smaller


def _draw_faces(
    engine: Typesetter,
    batch: Batch,
    trials: Sequence[FaceTrial],
    complaints: list[Complaint],
) -> list[Record | None]:
    """Return the drawings of all faces whose text fits. For drafts, draw all faces.

    None for the others.
    """
    layouts = [trial.layout for trial in trials]
    pages = [layout.page for layout in layouts if batch.draft or layout.is_printable]
    drawings, more_complaints = engine.draw_pages(batch.style, pages)
    complaints += more_complaints
    if batch.draft and len(batch.faces) == 1:
        drawings = drawings[:1]
    if len(drawings) != len(pages):
        raise ValueError(
            f"{len(pages)} faces were to be drawn, and {len(drawings)} were"
        )
    remaining_drawings = list(drawings)
    records: list[Record | None] = []
    for layout in layouts:
        is_drawn = batch.draft or layout.is_printable
        records.append(remaining_drawings.pop(0) if is_drawn else None)
    return records


def _render_each(engine: Typesetter, batch: Batch) -> list[RenderedFace]:
    """Render each face of a batch in a document of its own."""
    faces: list[RenderedFace] = []
    for face in batch.faces:
        # Without `match_sizes`: the card's other face is not in this batch.
        faces += render_batch(engine, Batch(batch.style, (face,), draft=batch.draft))
    return faces


def _report_pages(batch: Batch) -> RenderedFace:
    """Return a face with the error that it runs over several pages."""
    face = batch.faces[0]
    finding = MORE_PAGES.finding(Location(file=face.file), face.label)
    return RenderedFace(
        face, FaceFacts(face.key, face.label, findings=(finding,)), None
    )


def _finish_face(
    engine: Typesetter,
    style: Style,
    trial: FaceTrial,
    record: Record | None,
    complaints: Sequence[Complaint],
) -> RenderedFace:
    """Return a rendered face with its measurements, errors and warnings."""
    face = trial.face
    measured = trial.layout.measured
    findings = [*engine.find_style_problems(style)]
    location = Location(file=face.file)
    findings += [complaint.finding(location, face.label) for complaint in complaints]
    overflowing_blocks = [block for block in measured.blocks if not block.fits]
    findings += [_report_overflow(style, face, block) for block in overflowing_blocks]
    findings += _report_undeclared_blocks(style, face, measured.blocks)
    findings += [_report_touching_cells(face, cells) for cells in measured.touching]
    findings += _report_text_at_edges(style, face, measured)
    painting = read_painting(record) if record else Painting()
    facts = FaceFacts(
        face.key,
        face.label,
        trial.list_block_facts(style, painting),
        tuple(dict.fromkeys(findings)),
        face.deps,
        painted=measured.painted,
        texts=painting.find_doubtful_texts(),
    )
    return RenderedFace(face, facts, record)


def _is_printable(block: Block) -> bool:
    """Return True unless a block overflows and that is an error."""
    overflows_as_warning = render_codes.CELL_OVERFLOW.severity is Severity.WARNING
    return block.fits or (bool(block.cell) and overflows_as_warning)


def _report_overflow(style: Style, face: FaceHtml, block: Block) -> Finding:
    """Return the finding about a block whose text does not fit."""
    place = Location(file=face.file, box=block.box)
    much = _describe_overflow(block)
    code = render_codes.OVERFLOW
    hint = block.remedy
    if block.fit and block.name in style.fit:
        form = _("block {block!r} is too large even at {size:g} pt: {much}")
        smallest_size = style.fit[block.name][-1]
        what = _(form, block=block.name, size=smallest_size, much=much)
        hint = _("Shorten the text, or make the block larger.")
    elif block.cell:
        code = render_codes.CELL_OVERFLOW
        what = _("cell {text!r} overflows: {much}", text=block.cell, much=much)
        hint = _("Widen the column, allow line breaks, or shorten the text.")
    else:
        what = _("box {block!r} overflows: {much}", block=block.name, much=much)
        if block.fault is not None:
            what = _("{overflow}; {fault}", overflow=what, fault=block.fault)
    return code.finding(add_face_label(face.label, what), place, hint)


def _describe_overflow(block: Block) -> str:
    """Return in words how far a block overflows, downwards and sideways."""
    parts: list[Message] = []
    if block.over > 0:
        form = _("{many} line ({over:.1f} mm) too many")
        if block.lines > 1:
            form = _("{many} lines ({over:.1f} mm) too many")
        parts.append(_(form, many=block.lines or 1, over=block.over))
    if block.aside > 0:
        parts.append(_("{aside:.1f} mm too wide", aside=block.aside))
    return join_messages(parts, _("{first} and {rest}"))


def _report_undeclared_blocks(
    style: Style, face: FaceHtml, blocks: Sequence[Block]
) -> Iterator[Finding]:
    """Report blocks that may shrink according to the template, but have no sizes in pack.yaml."""
    for block in blocks:
        if block.fit and block.name not in style.fit:
            what = _(
                "block {block!r} can shrink, but its sizes are not declared",
                block=block.name,
            )
            place = Location(file=face.template)
            yield render_codes.UNDECLARED.finding(
                add_face_label(face.label, what), place
            )


def _report_touching_cells(face: FaceHtml, cells: TouchingCells) -> Finding:
    """Return the finding about two table cells whose texts touch."""
    form = _(
        "the texts of the cells {first!r} and {second!r} touch: the gap is {gap:.1f} mm"
    )
    what = _(form, first=cells.first, second=cells.second, gap=cells.gap)
    place = Location(file=face.template, box=cells.box)
    return render_codes.CELLS_TOUCH.finding(add_face_label(face.label, what), place)


def _report_text_at_edges(
    style: Style, face: FaceHtml, measured: PageMeasurements
) -> list[Finding]:
    """Report text outside the cut line as an error, and text close to it as a warning.

    Each box is reported once.
    """
    boxes = style.boxes
    findings = dict[str, Finding]()
    safe_mm = boxes.safe.x - boxes.trim.x
    cut_off = _("text in {box} crosses the trim edge")
    unsafe = _("text in {box} is less than {safe:g} mm from the trim edge")
    for line, name in measured.text:
        if not is_inside(line, boxes.trim, boxes.shape, MAX_STICKING_OUT_MM):
            code = render_codes.CUT_OFF
            form = cut_off
        elif not is_inside(line, boxes.safe, boxes.shape, MAX_STICKING_OUT_MM):
            code = render_codes.UNSAFE
            form = unsafe
        else:
            continue
        what = _(form, box=repr(name) if name else _("a box"), safe=safe_mm)
        place = Location(file=face.template, box=line)
        findings.setdefault(name, code.finding(add_face_label(face.label, what), place))
    return list(findings.values())
