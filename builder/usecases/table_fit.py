"""Prove the design of a new pack on its own cards.

Lay them out, and change the design until all of them fit.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import nlargest
from math import inf, prod
from pathlib import Path, PurePosixPath
from shutil import copy2
from tempfile import TemporaryDirectory
from unicodedata import east_asian_width

from builder.findings import Finding, has_errors
from builder.model.engines import EngineName
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import Files
from builder.render import render_codes
from builder.render.filling import list_card_jobs
from builder.render.jobs import FaceJob
from builder.render.renderer import Renderer, RenderResult
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import (
    get_fixed_engine,
    with_chosen_engine,
    with_engine,
)
from builder.usecases.table_design import (
    ART_SHARES,
    PICTURE_SHARES,
    SIZES_MM,
    CardKind,
    get_regional_size,
    list_design_files,
)

COMFORTABLE_PT_BY_SHARE = {0.55: 10, 0.4: 9, 0.3: 8.5, 0.2: 8}
"""A picture takes this share of a card only if the text next to it is at least this large."""
COMFORTABLE_PT = 7.5
"""The same for cards without a picture."""
LONGEST_CARDS_PER_KIND = 3
LONGEST_CARDS_PER_FIELD = 1
"""Cards that are laid out: those with the longest text, as a whole and in each field."""
MIN_FIELD_CHARACTERS = 16
"""Shorter fields, such as numbers, need no card of their own."""
LINE_BREAK_CHARACTERS = 20
"""The length that a line break stands for: the rest of its line stays empty."""
NARROW_CHARACTERS = frozenset("fijltrI1.,:;'!| ()[]-")
WIDE_CHARACTERS = frozenset("mwMWЖШЩЮЫФжшщюыф@%")
UNPRINTED_FIELDS = frozenset(
    ("id", "kind", "revision", "released", "history", "reprint_of")
)
# A key at the start of a line, so not one of a nested map.
_FIELD = re.compile(r"^([^\s#:][^\n:]*):", re.MULTILINE)
MAX_SIZE_RATIO = 1.35
"""The largest text of a kind, compared with its smallest."""
MAX_CHIP_ROWS = 4
MAX_ROUNDS = 24
LAYOUT_CODES = frozenset(
    code.code
    for code in (
        render_codes.OVERFLOW,
        render_codes.CUT_OFF,
        render_codes.UNSAFE,
        render_codes.CROWDED,
        render_codes.CELLS_TOUCH,
    )
)


@dataclass
class KindTrial:
    """The designs that are tried for one kind of card, and the best one so far."""

    designs: list[CardKind]
    number: int = 0
    fitting_design: CardKind | None = None
    fitting_pt: float = inf
    is_done: bool = False

    @property
    def design(self) -> CardKind:
        """The design that is being tried."""
        return self.designs[self.number]

    def record_faults(self, faults: list[Finding], smallest_pt: float) -> None:
        """Record the faults of the current design. Accept it, or go on to the next one."""
        if _is_chip_row_full(faults) and self.design.chip_rows < MAX_CHIP_ROWS:
            self._add_chip_row()
            return
        if _is_name_too_long(faults) and not self.design.breaks_names:
            # A larger card for one long word would be a waste of paper.
            self.designs = [
                replace(design, breaks_names=True) for design in self.designs
            ]
            return
        if not faults:
            # The design fits, but the next one may have larger type.
            self.fitting_design, self.fitting_pt = self.design, smallest_pt
            comfortable_pt = COMFORTABLE_PT_BY_SHARE.get(
                self.design.art_share, COMFORTABLE_PT
            )
            self.is_done = smallest_pt >= comfortable_pt
        if self.is_done:
            return
        next_designs = self.designs[self.number + 1 :]
        # A larger card is only for text that fits in no other way.
        is_larger_next = bool(next_designs) and next_designs[0].size != self.design.size
        if next_designs and not (is_larger_next and self.fitting_design is not None):
            self.number += 1
            return
        self.is_done = True
        if self.fitting_design is not None:
            self.designs[self.number] = self.fitting_design

    def make_even(self) -> CardKind:
        """Return the design with a limited largest type size, so that cards look alike."""
        if self.fitting_design is None or self.design != self.fitting_design:
            return self.design
        max_pt = max(self.fitting_pt * MAX_SIZE_RATIO, COMFORTABLE_PT)
        return replace(self.design, max_body_pt=max_pt)

    def _add_chip_row(self) -> None:
        """Give the labels at the foot one more line, in all remaining designs."""
        rows = self.design.chip_rows + 1
        self.designs = [
            replace(design, chip_rows=max(rows, design.chip_rows))
            for design in self.designs
        ]


@dataclass(frozen=True)
class DesignTarget:
    """A pack whose design is fitted to its cards: its folder, id and source language.

    `engine` renders it. `list_files` returns the files of a design instead of
    `list_design_files`.
    """

    root: Path
    pack: str
    source: str
    is_size_fixed: bool = False
    engine: EngineName | None = None
    list_files: Callable[[Mapping[str, CardKind]], Files] | None = None

    @property
    def project(self) -> Project:
        """The project of the folder."""
        return Project(self.root)

    def list_design(self, kinds: Mapping[str, CardKind]) -> Files:
        """Return the files of a design."""
        if self.list_files is not None:
            return self.list_files(kinds)
        return list_design_files(self.pack, self.source, kinds)


def fit_design(
    design_target: DesignTarget, kinds: Mapping[str, CardKind]
) -> dict[str, CardKind]:
    """Adjust the design of a pack until all its cards fit in every language.

    Write the styles and templates into its folder, and return the fitted kinds. Only the longest
    cards of each kind are laid out. A pack that cannot be read stays as it is.
    """
    trials: dict[str, KindTrial] = {}
    for kind_id, kind in kinds.items():
        trials[kind_id] = KindTrial(
            _list_designs(kind, design_target.source, design_target.is_size_fixed)
        )
    with TemporaryDirectory(prefix="squadpress-") as folder:
        sample = replace(design_target, root=Path(folder).resolve())
        longest_cards = _copy_longest_cards(design_target, sample.root, kinds)
        _try_rounds(sample, trials, longest_cards)
    designs = {kind_id: trial.make_even() for kind_id, trial in trials.items()}
    _write_design(design_target, designs)
    return designs


def _try_rounds(
    sample: DesignTarget,
    trials: Mapping[str, KindTrial],
    longest_cards: Collection[str],
) -> None:
    """Lay out the sample with one design after another, until each kind has a design that fits.

    Stop after the last round, or if the sample cannot be read.
    """
    # Designs differ in hyphens, which not every engine draws.
    engines_by_hyphens: dict[bool, EngineName] = {}
    for _round in range(MAX_ROUNDS):
        designs = {kind_id: trial.design for kind_id, trial in trials.items()}
        _write_design(sample, designs)
        pending_trials = {
            kind_id: trial for kind_id, trial in trials.items() if not trial.is_done
        }
        if not pending_trials:
            return
        has_hyphens = any(design.hyphens for design in designs.values())
        loaded = _load_design_target(sample, engines_by_hyphens.get(has_hyphens))
        if loaded is None:
            return
        engines_by_hyphens[has_hyphens] = get_fixed_engine(loaded.whole)
        _try_designs(sample.project, loaded, pending_trials, longest_cards)


def _list_designs(kind: CardKind, source: str, is_size_fixed: bool) -> list[CardKind]:
    """Return the designs to try in order: smaller pictures, then hyphens, then larger cards."""
    sizes = [kind.size]
    if not is_size_fixed:
        sizes += [size for size in SIZES_MM if prod(size) > prod(kind.size)]
        sizes = [get_regional_size(size, source) for size in sizes]
    shares = (
        PICTURE_SHARES if kind.has_pictures or kind.list_columns("art") else ART_SHARES
    )
    designs: list[CardKind] = []
    for size in sizes:
        designs += [replace(kind, size=size, art_share=share) for share in shares]
        designs.append(replace(kind, size=size, art_share=shares[-1], hyphens=True))
    return designs


def _copy_longest_cards(
    design_target: DesignTarget, target: Path, kinds: Mapping[str, CardKind]
) -> set[str]:
    """Copy a pack with only the longest cards. Return the longest of each kind and language."""
    root, pack = design_target.root, design_target.pack
    longest_cards: set[str] = set()
    cards_folder = root / "cards" / pack
    for kind_id in kinds:
        cards = sorted((cards_folder / kind_id).glob("*.yaml"))
        translations = sorted((cards_folder / "i18n").glob(f"*/{kind_id}/*.yaml"))
        kind_files = [*cards, *translations]
        # Each language has its own longest card.
        files_by_folder: dict[Path, list[Path]] = {}
        for file in kind_files:
            files_by_folder.setdefault(file.parent, []).append(file)
        copied_cards: set[str] = set()
        for files in files_by_folder.values():
            candidates = choose_longest_cards(files)
            longest_cards.update(candidates[:1])
            copied_cards.update(candidates)
        for file in kind_files:
            if file.stem in copied_cards:
                _copy_file(root, target, file)
    for file in (
        *(cards_folder / "art").rglob("*"),
        *(root / "templates" / pack).rglob("*"),
    ):
        if file.is_file():
            _copy_file(root, target, file)
    return longest_cards


def choose_longest_cards(files: Iterable[Path]) -> list[str]:
    """Return the names of the card files with the longest texts, in total and in each field."""
    lengths_by_field: dict[str, dict[str, float]] = {}
    totals: dict[str, float] = {}
    small_parts: dict[str, float] = {}
    for file in files:
        lengths = measure_fields(file.read_text("utf-8"))
        totals[file.stem] = sum(lengths.values())
        # Labels at the foot share a line, however long the rules are.
        small_parts[file.stem] = totals[file.stem] - max(lengths.values(), default=0)
        for field, length in lengths.items():
            lengths_by_field.setdefault(field, {})[file.stem] = length
    longest_cards = nlargest(LONGEST_CARDS_PER_KIND, totals, key=totals.__getitem__)
    longest_cards += nlargest(
        LONGEST_CARDS_PER_FIELD, small_parts, key=small_parts.__getitem__
    )
    for field, lengths in lengths_by_field.items():
        if field == "name" or max(lengths.values()) >= MIN_FIELD_CHARACTERS:
            longest_cards += nlargest(
                LONGEST_CARDS_PER_FIELD, lengths, key=lengths.__getitem__
            )
    return list(dict.fromkeys(longest_cards))


def measure_fields(text: str) -> dict[str, float]:
    """Return the text length of each top-level field in a card's file."""
    # Faster than reading YAML, of which a table may make thousands of files.
    parts = _FIELD.split(text)
    lengths: dict[str, float] = {}
    for name, value in zip(parts[1::2], parts[2::2], strict=True):
        if name not in UNPRINTED_FIELDS:
            lengths[name] = measure_text(value.strip())
    return lengths


def measure_text(text: str) -> float:
    """Estimate the width of a text in average characters, to compare it with others."""
    breaks = text.count("\n") + text.count("\\n")
    width = float(LINE_BREAK_CHARACTERS * breaks)
    for character, count in Counter(text).items():
        if character in NARROW_CHARACTERS:
            width += 0.55 * count
        elif character in WIDE_CHARACTERS:
            width += 1.5 * count
        elif east_asian_width(character) in "WF":
            width += 2 * count
        else:
            width += count
    return width


def _copy_file(root: Path, design_target: Path, file: Path) -> None:
    target = design_target / file.relative_to(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    copy2(file, target)


def _write_design(design_target: DesignTarget, kinds: Mapping[str, CardKind]) -> None:
    """Write the templates, styles and card sizes of a design. Existing other files stay.

    The import of the cards may have changed products.yaml already.
    """
    for name, data in design_target.list_design(kinds):
        target = design_target.root / name
        is_rewritten = name.startswith("templates/") or target.name == "pack.yaml"
        if target.exists() and not is_rewritten:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _load_design_target(
    design_target: DesignTarget, chosen_engine: EngineName | None
) -> LoadedPack | None:
    """Load the sample pack with a rendering engine. Return None if it has errors.

    The engine is chosen only once, because searching all faces takes as long as drawing them.
    """
    loaded = PackFiles(design_target.project).load_pack(design_target.pack)
    if loaded.pack is None or has_errors(loaded.findings):
        return None
    engine = design_target.engine or chosen_engine
    if engine is not None:
        return with_engine(loaded, engine)
    return with_chosen_engine(
        get_render_folders(design_target.project, design_target.pack), loaded
    )[0]


def _try_designs(
    project: Project,
    loaded: LoadedPack,
    trials: Mapping[str, KindTrial],
    longest_cards: Collection[str],
) -> None:
    """Lay out the cards of these kinds. Record the faults of each kind's current design.

    The longest card of a kind comes first: if it does not fit, the others need no layout.
    """
    renderer = Renderer(
        loaded.whole, get_render_folders(project, loaded.whole.id), workers=0
    )
    first_result = renderer.render(_list_jobs(renderer, set(trials), longest_cards))
    remaining_kinds: set[str] = set()
    for kind_id, trial in trials.items():
        faults = _list_faults(first_result, kind_id)
        if faults:
            trial.record_faults(faults, inf)
        else:
            remaining_kinds.add(kind_id)
    result = renderer.render(_list_jobs(renderer, remaining_kinds, renderer.pack.cards))
    for kind_id in remaining_kinds:
        faults = _list_faults(result, kind_id)
        trials[kind_id].record_faults(faults, _find_smallest_type(result, kind_id))


def _list_jobs(
    renderer: Renderer, kinds: Collection[str], card_ids: Collection[str]
) -> Iterator[FaceJob]:
    for lang in renderer.pack.manifest.languages.all:
        for card_id, card in renderer.pack.cards.items():
            if card.kind in kinds and card_id in card_ids:
                yield from list_card_jobs(renderer, card, lang, "full")


def _list_faults(result: RenderResult, kind_id: str) -> list[Finding]:
    """Return the layout errors and warnings about one kind of card."""
    faults: list[Finding] = []
    for finding in result.findings:
        if finding.code not in LAYOUT_CODES:
            continue  # no other size changes a missing character or picture
        # The file is cards/<pack>/<kind>/... or templates/<pack>/<kind>/...
        parts = PurePosixPath(finding.location.file or "").parts
        if kind_id in parts[2:3]:
            faults.append(finding)
    return faults


def _is_chip_row_full(faults: Iterable[Finding]) -> bool:
    """Return True if the labels at the foot overflow or touch the text above."""
    return any("'chips'" in finding.message for finding in faults)


def _is_name_too_long(faults: Iterable[Finding]) -> bool:
    """Return True if a card's name does not fit even at its smallest size."""
    return any("'name'" in finding.message for finding in faults)


def _find_smallest_type(result: RenderResult, kind_id: str) -> float:
    """Return the smallest size of running text in pt, or infinity without text."""
    smallest_pt = inf
    for job, facts in result.faces.items():
        if job.kind != kind_id:
            continue
        for block in facts.blocks:
            if block.name == "body":
                smallest_pt = min(smallest_pt, block.size)
    return smallest_pt
