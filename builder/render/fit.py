"""Setting a batch so that everything fits: blocks shrink step by step, and what still does not fit is a finding."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.findings import Box, Finding, Location, Severity
from builder.layout.boxes import face_boxes
from builder.render import codes
from builder.render.engine import Engine, Laid
from builder.render.jobs import Batch, BlockFact, FaceFacts, FaceHtml, Style
from builder.render.logs import log_finding
from builder.render.measure import Block, Measured
from builder.render.record import Record


@dataclass(frozen=True, slots=True)
class SetFace:
    """A face after setting: `record` is None where it failed; the facts then say why."""

    face: FaceHtml
    facts: FaceFacts
    record: Record | None


@dataclass(slots=True)
class _Search:
    """The search for the largest step at which one block fits. `low` fails, `high` fits."""

    sizes: tuple[float, ...]
    low: int = -1
    high: int | None = None
    fill: float = 1.0

    @property
    def settled(self) -> bool:
        """True once the answer is known (or that there is none)."""
        return self.high == self.low + 1 or self.low == len(self.sizes) - 1

    @property
    def step(self) -> int:
        """The step to try next; the answer once settled."""
        if self.low == len(self.sizes) - 1:
            return self.low
        if self.high is not None:
            return self.high if self.settled else self.high - 1
        if self.low < 0:
            return 0
        # Text fills an area, so the size falls with the square root of what is too much.
        wanted = self.sizes[self.low] * math.sqrt(1 / max(self.fill, 1.0))
        fitting = [index for index, size in enumerate(self.sizes) if index > self.low and size <= wanted]
        return fitting[0] if fitting else len(self.sizes) - 1

    def learn(self, step: int, block: Block) -> None:
        """Take in how the block came out at a step."""
        if block.fits:
            self.high = step if self.high is None else min(step, self.high)
        elif step >= self.low:
            self.low, self.fill = step, block.fill if block.over > 0 else 1.0


@dataclass(slots=True)
class _Trial:
    """One face on its way: the search of each block, and the records drawn so far by chosen steps."""

    face: FaceHtml
    searches: dict[str, _Search] = field(default_factory=dict)
    tried: dict[tuple[tuple[str, int], ...], tuple[Measured, Record | None]] = field(default_factory=dict)

    @property
    def steps(self) -> Mapping[str, int]:
        """The steps to try next."""
        return {name: search.step for name, search in self.searches.items()}

    @property
    def key(self) -> tuple[tuple[str, int], ...]:
        """The same as a key."""
        return tuple(sorted(self.steps.items()))

    @property
    def done(self) -> bool:
        """True once all blocks are settled and their combination was laid out."""
        return all(search.settled for search in self.searches.values()) and self.key in self.tried

    def learn(self, steps: Mapping[str, int], measured: Measured) -> None:
        """Take in one layout. Blocks of one name share a size: the fullest of them decides."""
        decisive: dict[str, Block] = {}
        for block in measured.blocks:
            if block.fit and block.name in self.searches:
                known = decisive.get(block.name)
                if known is None or (known.fits, -known.fill) > (block.fits, -block.fill):
                    decisive[block.name] = block
        for name, block in decisive.items():
            self.searches[name].learn(steps.get(name, 0), block)


def set_batch(engine: Engine, batch: Batch) -> list[SetFace]:
    """Set all faces of a batch. A batch the engine complains of is set face by face, to know whose fault it is."""
    style = batch.style
    trials = [_Trial(face, {name: _Search(sizes) for name, sizes in style.fit.items()}) for face in batch.faces]
    complaints: list[str] = []
    first = True
    while waiting := [trial for trial in trials if not trial.done]:
        laid = engine.lay(style, [(trial.face, trial.steps) for trial in waiting])
        if len(laid.measured) != len(waiting):
            return _apart(engine, batch) if len(batch.faces) > 1 else [_broken(batch, laid)]
        _take(engine, style, waiting, laid, first=first)
        complaints += laid.heard.messages
        first = False
    if complaints and len(batch.faces) > 1:
        return _apart(engine, batch)
    common = engine.styles(style)[1]
    return [_result(style, trial, [*dict.fromkeys(complaints)], common) for trial in trials]


def _take(engine: Engine, style: Style, waiting: Sequence[_Trial], laid: Laid, *, first: bool) -> None:
    """Learn from one layout and draw the pages that may be the answer."""
    steps = [trial.steps for trial in waiting]
    keys = [trial.key for trial in waiting]
    candidates = []
    for index, (trial, measured) in enumerate(zip(waiting, laid.measured, strict=True)):
        if first:
            present = {block.name for block in measured.blocks if block.fit}
            trial.searches = {name: search for name, search in trial.searches.items() if name in present}
            steps[index], keys[index] = trial.steps, trial.key
        trial.learn(steps[index], measured)
        if all(block.fits for block in measured.blocks):
            candidates.append(index)
        trial.tried[keys[index]] = (measured, None)
    for index, record in zip(candidates, engine.draw(style, laid, candidates), strict=True):
        waiting[index].tried[keys[index]] = (laid.measured[index], record)


def _apart(engine: Engine, batch: Batch) -> list[SetFace]:
    """Each face of a batch in a document of its own."""
    return [done for face in batch.faces for done in set_batch(engine, Batch(batch.style, (face,)))]


def _broken(batch: Batch, laid: Laid) -> SetFace:
    """A face that did not come out as one page."""
    face = batch.faces[0]
    message = f"{face.label}: set as {len(laid.measured)} pages instead of one"
    finding = codes.PAGES.finding(message, Location(file=face.file))
    return SetFace(face, FaceFacts(face.key, face.label, findings=(finding,)), None)


def _result(style: Style, trial: _Trial, complaints: Sequence[str], common: tuple[Finding, ...]) -> SetFace:
    """The outcome of one face, judged."""
    face = trial.face
    measured, record = trial.tried[trial.key]
    place, look = Location(file=face.file), Location(file=face.template)
    findings = [*common, *(log_finding(message, place, face.label) for message in complaints)]
    findings += [_overflow(style, face, block) for block in measured.blocks if not block.fits]
    findings += [
        codes.UNDECLARED.finding(f"{face.label}: block {block.name!r} may shrink, but to which sizes?", look)
        for block in measured.blocks
        if block.fit and block.name not in style.fit
    ]
    findings += _outside(style, face, measured)
    blocks = tuple(
        BlockFact(block.name, step, style.fit[block.name][step], block.fill)
        for block in measured.blocks
        if block.fit and block.name in trial.searches
        for step in (trial.steps[block.name],)
    )
    failed = any(finding.severity is Severity.ERROR for finding in findings)
    facts = FaceFacts(face.key, face.label, blocks, tuple(dict.fromkeys(findings)), face.deps)
    return SetFace(face, facts, None if failed else record)


def _overflow(style: Style, face: FaceHtml, block: Block) -> Finding:
    """The finding of a block that does not fit."""
    place = Location(file=face.file, box=block.box)
    much = []
    if block.over > 0:
        much.append(f"{block.lines or 1} line{'s' * (block.lines > 1)} ({block.over:.1f} mm) too many")
    if block.aside > 0:
        much.append(f"{block.aside:.1f} mm too wide")
    if block.fit and block.name in style.fit:
        smallest = style.fit[block.name][-1]
        message = f"{face.label}: block {block.name!r} does not fit even at {smallest:g} pt: {' and '.join(much)}"
        return codes.OVERFLOW.finding(message, place, "Shorten the text, or give the block more room.")
    message = f"{face.label}: box {block.name!r} overflows: {' and '.join(much)}"
    return codes.OVERFLOW.finding(message, place)


def _outside(style: Style, face: FaceHtml, measured: Measured) -> list[Finding]:
    """Text past the trim is an error, text in the unsafe margin a warning; each box once."""
    boxes = face_boxes(style.size)
    findings: dict[str, Finding] = {}
    for line, name in measured.text:
        for box, code, what in (
            (boxes.trim, codes.CUT_OFF, "is cut off by the trim"),
            (boxes.safe, codes.UNSAFE, f"comes nearer than {style.size.safe:g} mm to the trim"),
        ):
            if not _inside(line, box):
                message = f"{face.label}: text in {name or 'a box'!r} {what}"
                findings.setdefault(name, code.finding(message, Location(file=face.template, box=line)))
                break
    return list(findings.values())


def _inside(line: Box, box: Box) -> bool:
    """True if a line lies within a box, give or take a fifth of a mm."""
    slack = 0.2
    return (
        line.x >= box.x - slack
        and line.y >= box.y - slack
        and line.x + line.width <= box.x + box.width + slack
        and line.y + line.height <= box.y + box.height + slack
    )
