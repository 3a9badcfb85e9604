"""Setting a batch so that everything fits, with any engine that lays out HTML: blocks shrink step by step, and what
still does not fit is a finding.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from builder.findings import Finding, Location, Severity
from builder.geometry.boxes import lies_inside
from builder.messages import Message, gettext as _, join_messages
from builder.model.languages import get_text_direction
from builder.render import render_codes
from builder.render.engines import SetFace
from builder.render.engines.complaints import Complaint
from builder.render.engines.search import Block, Measured, Search, TouchingCells
from builder.render.html.problems import of_face
from builder.render.jobs import (
    Batch,
    BlockFact,
    FaceFacts,
    FaceHtml,
    Style,
    add_steps_to_key,
    agreed,
)
from builder.render.painting import read_painting
from builder.render.sheets.record import Record

RESET = """
body,p,h1,h2,h3,h4,h5,h6,ul,ol,li,figure,hr{margin:0;padding:0}
h1,h2,h3,h4,h5,h6{font-size:1em;font-weight:bold}
ul,ol{list-style:none}
hr{border:0}
"""
"""Sent before a kind's own sheets, so that a template looks the same whatever the engine's own sheet is."""

GC_THRESHOLD = 50_000
"""Setting makes and drops many small objects; the collector's own pace costs a tenth of the time."""

SLACK = 0.2
"""Mm that a line may stick out of a box."""
_CLASS = re.compile(r"""class=(["'])([^"']*\bfit-([a-z0-9-]+)\b[^"']*)\1""")


def document(style: Style, body: str, head: str = "") -> str:
    """The HTML of a document with this body, in the direction of its language."""
    lang = f'lang="{style.lang}"' + (
        ' dir="rtl"' if get_text_direction(style.lang) == "rtl" else ""
    )
    return (
        f"<!DOCTYPE html><html {lang}><head><title></title>{head}</head><body>{body}</body></html>"
    )


class Layout(NamedTuple):
    """A face after layout: the engine's own page, and what it measures."""

    page: object
    measured: Measured


class Typesetter(Protocol):
    """What fitting asks of an engine."""

    def style_findings(self, style: Style) -> tuple[Finding, ...]:
        """What is wrong with the style sheets of a kind."""

    def lay(self, style: Style, faces: Sequence[str]) -> tuple[list[Layout], Sequence[Complaint]]:
        """All pages that the HTML of some faces comes out as, and what the engine complained of."""

    def draw(
        self, style: Style, pages: Sequence[object]
    ) -> tuple[list[Record], Sequence[Complaint]]:
        """The records of some pages of this style, and what the engine complained of on the way."""


@dataclass(slots=True)
class _Trial:
    """One face on its way: the search of each block, and the layouts tried so far by their steps."""

    face: FaceHtml
    searches: dict[str, Search]
    tried: dict[tuple[tuple[str, int], ...], Layout] = field(default_factory=dict)

    @property
    def steps(self) -> Mapping[str, int]:
        """The steps to try next."""
        return {name: search.step for name, search in self.searches.items()}

    @property
    def key(self) -> tuple[tuple[str, int], ...]:
        """The same as a key."""
        return tuple(sorted(self.steps.items()))

    @property
    def chosen(self) -> Layout:
        """The layout at these."""
        return self.tried[self.key]

    @property
    def done(self) -> bool:
        """True once all blocks are settled and their combination was laid out."""
        return all(search.settled for search in self.searches.values()) and self.key in self.tried

    def learn(self, steps: Mapping[str, int], attempt: Layout) -> None:
        """Take in one layout. Of several blocks of one name the fullest counts."""
        fullest: dict[str, Block] = {}
        for block in attempt.measured.blocks:
            if block.fit and block.name in self.searches:
                before = fullest.get(block.name)
                if before is None or (before.fits, -before.fill) > (block.fits, -block.fill):
                    fullest[block.name] = block
        if not self.tried:
            self.searches = {
                name: search for name, search in self.searches.items() if name in fullest
            }
        key = tuple(sorted((name, steps[name]) for name in self.searches))
        for name, block in fullest.items():
            self.searches[name].learn(steps[name], block)
        self.tried[key] = attempt


def set_batch(engine: Typesetter, batch: Batch) -> list[SetFace]:
    """Set all faces of a batch. A batch the engine complains of is set face by face, to know whose fault it is."""
    style, complaints = batch.style, list[Complaint]()
    trials = [_trial(style, face) for face in batch.faces]
    if not _settle(engine, style, trials, complaints):
        return _apart(engine, batch) if len(batch.faces) > 1 else [_broken(batch)]
    smaller = _agreeing(style, trials) if batch.agree else {}
    drawn = [smaller.get(trial.face.key, trial) for trial in trials]
    records = (
        _draw(engine, style, drawn, complaints) if _settle(engine, style, drawn, complaints) else []
    )
    if len(batch.faces) > 1 and (complaints or not records):
        return _apart(engine, batch)
    found = list(dict.fromkeys(complaints))
    done = [
        _result(engine, style, trial, record, found)
        for trial, record in zip(drawn, records, strict=True)
    ]
    instead = [
        _result(engine, style, trial, None, found) for trial in trials if trial.face.key in smaller
    ]
    return done + [replace(each, facts=replace(each.facts, pages=0)) for each in instead]


def _settle(
    engine: Typesetter, style: Style, trials: Sequence[_Trial], complaints: list[Complaint]
) -> bool:
    """Lay faces out until the sizes of all their blocks are known; False where one is not one page."""
    while waiting := [trial for trial in trials if not trial.done]:
        steps = [trial.steps for trial in waiting]
        faces = [
            _stepped(trial.face.html, chosen) for trial, chosen in zip(waiting, steps, strict=True)
        ]
        layouts, heard = engine.lay(style, faces)
        if len(layouts) != len(faces):
            return False
        for layout, trial, chosen in zip(layouts, waiting, steps, strict=True):
            trial.learn(chosen, layout)
        complaints += heard
    return True


def _agreeing(style: Style, trials: Sequence[_Trial]) -> dict[str, _Trial]:
    """What takes the place of faces that are larger somewhere than the other face of their card, by their addresses."""
    found: dict[str, _Trial] = {}
    cards: dict[str | None, list[_Trial]] = {}
    for trial in trials:
        if not trial.face.least and all(map(_is_printable, trial.chosen.measured.blocks)):
            cards.setdefault(trial.face.card, []).append(trial)
    for both in (each for card, each in cards.items() if card and len(each) == 2):
        blocks = [_blocks(style, trial) for trial in both]
        for trial, own, other in zip(both, blocks, reversed(blocks), strict=True):
            if (least := agreed(own, other)) != agreed(own, ()):
                key = trial.face.key
                found[key] = _trial(
                    style, replace(trial.face, key=add_steps_to_key(key, least), least=dict(least))
                )
    return found


def _trial(style: Style, face: FaceHtml) -> _Trial:
    """A face before its first layout, each block at its largest size."""
    names = dict.fromkeys(match[3] for match in _CLASS.finditer(face.html))
    least = {name: face.least.get(name, 0) for name in names if name in style.fit}
    return _Trial(face, {name: Search(style.fit[name], step - 1) for name, step in least.items()})


def _stepped(html: str, steps: Mapping[str, int]) -> str:
    """The HTML with the chosen step as a class on each block that may shrink."""

    def add(match: re.Match[str]) -> str:
        quote, classes, name = match[1], match[2], match[3]
        return f"class={quote}{classes} step-{steps.get(name, 0)}{quote}"

    return _CLASS.sub(add, html)


def _draw(
    engine: Typesetter, style: Style, trials: Sequence[_Trial], complaints: list[Complaint]
) -> list[Record | None]:
    """The records of all faces that fit, drawn from the layouts that were chosen; None for the others."""
    chosen = [trial.chosen for trial in trials]
    fitting = [all(map(_is_printable, attempt.measured.blocks)) for attempt in chosen]
    records, heard = engine.draw(
        style, [attempt.page for attempt, fits in zip(chosen, fitting, strict=True) if fits]
    )
    complaints += heard
    if len(records) != sum(fitting):
        raise ValueError(f"{sum(fitting)} faces were to be drawn, and {len(records)} were")
    drawn = iter(records)
    return [next(drawn, None) if fits else None for fits in fitting]


def _apart(engine: Typesetter, batch: Batch) -> list[SetFace]:
    """Each face of a batch in a document of its own."""
    return [done for face in batch.faces for done in set_batch(engine, Batch(batch.style, (face,)))]


def _broken(batch: Batch) -> SetFace:
    """A face that did not come out as one page."""
    face = batch.faces[0]
    message = of_face(face.label, _("runs over several pages instead of one"))
    finding = render_codes.PAGES.finding(message, Location(file=face.file))
    return SetFace(face, FaceFacts(face.key, face.label, findings=(finding,)), None)


def _result(
    engine: Typesetter,
    style: Style,
    trial: _Trial,
    record: Record | None,
    complaints: Sequence[Complaint],
) -> SetFace:
    """The outcome of one face, judged."""
    face, measured = trial.face, trial.chosen.measured
    place, look = Location(file=face.file), Location(file=face.template)
    findings = [*engine.style_findings(style)]
    findings += [each.finding(place, face.label) for each in complaints]
    findings += [_overflow(style, face, block) for block in measured.blocks if not block.fits]
    for block in measured.blocks:
        if block.fit and block.name not in style.fit:
            what = _("block {block!r} may shrink, but to which sizes?", block=block.name)
            findings.append(render_codes.UNDECLARED.finding(of_face(face.label, what), look))
    findings += [_report_touching_cells(face, cells) for cells in measured.touching]
    findings += _outside(style, face, measured)
    failed = any(finding.severity is Severity.ERROR for finding in findings)
    found = tuple(dict.fromkeys(findings))
    texts = read_painting(record).doubtful_texts() if record else ()
    facts = FaceFacts(
        face.key, face.label, _blocks(style, trial), found, face.deps, 1, measured.painted, texts
    )
    return SetFace(face, facts, None if failed else record)


def _blocks(style: Style, trial: _Trial) -> tuple[BlockFact, ...]:
    """How the shrinking blocks of a face came out."""
    return tuple(
        BlockFact(block.name, step, style.fit[block.name][step], block.fill)
        for block in trial.chosen.measured.blocks
        if block.fit and block.name in trial.searches
        for step in (trial.steps[block.name],)
    )


def _is_printable(block: Block) -> bool:
    """True unless a block overflows and that is an error."""
    return block.fits or bool(
        block.cell and render_codes.CELL_OVERFLOW.severity is Severity.WARNING
    )


def _overflow(style: Style, face: FaceHtml, block: Block) -> Finding:
    """The finding of a block that does not fit."""
    place = Location(file=face.file, box=block.box)
    how: list[Message] = []
    if block.over > 0:
        form = (
            _("{many} lines ({over:.1f} mm) too many")
            if block.lines > 1
            else _("{many} line ({over:.1f} mm) too many")
        )
        how.append(_(form, many=block.lines or 1, over=block.over))
    if block.aside > 0:
        how.append(_("{aside:.1f} mm too wide", aside=block.aside))
    much = join_messages(how, _("{first} and {rest}"))
    if block.fit and block.name in style.fit:
        form = _("block {block!r} does not fit even at {size:g} pt: {much}")
        what = _(form, block=block.name, size=style.fit[block.name][-1], much=much)
        hint = _("Shorten the text, or give the block more room.")
        return render_codes.OVERFLOW.finding(of_face(face.label, what), place, hint)
    if block.cell:
        what = _("cell {text!r} overflows: {much}", text=block.cell, much=much)
        hint = _("Widen the column, allow line breaks, or shorten the text.")
        return render_codes.CELL_OVERFLOW.finding(of_face(face.label, what), place, hint)
    what = _("box {block!r} overflows: {much}", block=block.name, much=much)
    if block.fault is not None:
        what = _("{overflow}; {fault}", overflow=what, fault=block.fault)
    return render_codes.OVERFLOW.finding(of_face(face.label, what), place, block.remedy)


def _report_touching_cells(face: FaceHtml, cells: TouchingCells) -> Finding:
    """Return the finding of two cells whose texts run together."""
    form = _("the texts of the cells {first!r} and {second!r} touch: the gap is {gap:.1f} mm")
    what = _(form, first=cells.first, second=cells.second, gap=cells.gap)
    return render_codes.CELLS_TOUCH.finding(
        of_face(face.label, what), Location(file=face.template, box=cells.box)
    )


def _outside(style: Style, face: FaceHtml, measured: Measured) -> list[Finding]:
    """Text past the trim is an error, text in the unsafe margin a warning; each box once."""
    boxes = style.boxes
    findings: dict[str, Finding] = {}
    for line, name in measured.text:
        for box, code, form in (
            (boxes.trim, render_codes.CUT_OFF, _("text in {box} is cut off by the trim")),
            (
                boxes.safe,
                render_codes.UNSAFE,
                _("text in {box} comes nearer than {safe:g} mm to the trim"),
            ),
        ):
            if not lies_inside(line, box, boxes.shape, SLACK):
                what = _(
                    form, box=repr(name) if name else _("a box"), safe=boxes.safe.x - boxes.trim.x
                )
                message = of_face(face.label, what)
                findings.setdefault(
                    name, code.finding(message, Location(file=face.template, box=line))
                )
                break
    return list(findings.values())
