"""Print correction stickers: only the changed blocks of changed cards, to glue over old cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from builder.errata.change import ChangeClass, Difference
from builder.errata.difference import compare_states, pair_cards
from builder.errata.reader import NoteReader
from builder.errata.release_codes import NO_STICKER
from builder.errata.snapshot import WORK, Snapshot, load_snapshot
from builder.errata.translations import list_untranslated_cards
from builder.findings import Box, Finding, Location, has_errors, sort_findings
from builder.geometry.imposition import Stroke
from builder.geometry.marks import Strip
from builder.geometry.spacing import PaintedBlock
from builder.geometry.stickers import (
    BLEED_MM,
    LABEL_LINES_MM,
    LABEL_SIZE_PT,
    MAX_FACE_SHARE,
    PlacedSticker,
    find_sticker_area,
    fits_area,
    merge_boxes,
    pack_stickers,
    pair_blocks,
)
from builder.messages import Message, gettext as _
from builder.model.loaded import LoadedPack
from builder.model.pdf import grow_box, intersect_boxes
from builder.model.profile import Paper, Profile
from builder.model.words import name_language
from builder.packs.project import Project
from builder.pdfinfo.pictures import find_changed_boxes
from builder.render.flow import render_flow
from builder.render.jobs import Places
from builder.render.sheets.marks import TextStamp
from builder.render.sheets.sheets import FaceWindow, FreePage, PageText
from builder.units import from_points
from builder.usecases.build.build_options import WorkerPool, get_render_folders
from builder.usecases.build.changed import ChecklistRow, PrintChanges, compare_prints
from builder.usecases.build.engine_choice import with_chosen_engine, with_engine_of
from builder.usecases.build.faces import (
    FaceName,
    FaceSelection,
    PackFaces,
    render_pack_faces,
)
from builder.usecases.build.select import select_cards
from builder.usecases.build.typeset import A4, compose_pages, select_languages
from builder.usecases.release.notes import copy_bookkeeping, find_redrawn_faces

MAX_LABEL_LENGTH = 28
"""Characters of a card's name on a label."""


@dataclass(frozen=True, slots=True)
class StickerRequest:
    """The request for stickers that correct printed cards. Without `langs`, in all languages.

    `copies` are the stickers of each card; None prints one of each changed card.
    """

    langs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    copies: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Sticker:
    """The part of a face to glue over the old card.

    `box` is measured from the corner of the trim.
    """

    face: FaceName
    box: Box
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StickerSheet:
    """The stickers of one language as a PDF, and the cards that must be printed instead.

    The reasons are by card. `data` is empty if there is no sticker and no such card.
    """

    lang: str
    data: bytes = b""
    stickers: tuple[Sticker, ...] = ()
    pages: tuple[tuple[PlacedSticker, ...], ...] = ()
    reasons: Mapping[str, Message] = field(default_factory=dict)


def print_stickers(
    project: Project,
    states: tuple[Snapshot, Snapshot],
    profile: Profile,
    request: StickerRequest,
    workers: WorkerPool,
) -> tuple[tuple[StickerSheet, ...], tuple[Finding, ...]]:
    """Make stickers that correct printed cards of the old state to those of the new one.

    The findings name the cards that must be printed instead. There are no sheets if an edited card
    has an error. A release is rendered with today's templates, which may no longer fit its cards.
    """
    old, new = states
    spots = get_render_folders(project, new.pack)
    present = load_snapshot(new, new.label)
    if present.pack is None:
        return (), present.findings
    present = with_chosen_engine(spots, present)[0]
    langs = select_languages(present.whole, request.langs)
    orders: dict[str, list[str]] = {}
    for lang in langs:
        selected_cards = select_cards(present.whole, request.only, lang)
        orders[lang] = _repeat_cards(selected_cards, request.copies)
    selection = FaceSelection(langs, only=_list_rendered_ids(old, new, orders.values()))
    changes = compare_prints(spots, old, new, present, selection, workers)
    if has_errors(changes.after.findings) and new.label == WORK:
        return (), changes.after.findings
    planner = StickerPlanner(
        old, new, changes, _render_redated(spots, present, states, changes)
    )
    sheets: list[StickerSheet] = []
    findings: list[Finding] = []
    for lang, cards in orders.items():
        sheet = _print_sheet(planner, planner.plan_sheet(lang, cards), profile)
        sheets.append(sheet)
        findings += _report_reasons(sheet, present)
    return tuple(sheets), sort_findings(findings)


def _repeat_cards(cards: Sequence[str], copies: Mapping[str, int] | None) -> list[str]:
    """Return each card as many times as copies are needed."""
    repeated_cards: list[str] = []
    for card in cards:
        repeated_cards += [card] * (1 if copies is None else copies.get(card, 0))
    return repeated_cards


def _list_rendered_ids(
    old: Snapshot, new: Snapshot, orders: Iterable[Sequence[str]]
) -> frozenset[str]:
    """Return the new and the old ids of the cards in all orders."""
    card_ids = frozenset[str]().union(*orders)
    pairs = pair_cards(old, new)[0]
    return card_ids | {pairs[card] for card in card_ids if card in pairs}


def _render_redated(
    spots: Places,
    present: LoadedPack,
    states: tuple[Snapshot, Snapshot],
    changes: PrintChanges,
) -> PackFaces:
    """Render the old cards with the revision and date of the new ones.

    So a changed date or revision number alone needs no sticker.
    """
    old, new = states
    redated_cards = {}
    for reasons in changes.reasons.values():
        for card in reasons:
            old_id = changes.pairs.get(card)
            if old_id is not None:
                redated_cards[old_id] = copy_bookkeeping(
                    new.cards[card], old.cards[old_id]
                )
    old = with_engine_of(present.whole, old)
    pack = load_snapshot(replace(old, cards={**old.cards, **redated_cards}), old.label)
    selection = FaceSelection(tuple(changes.reasons), only=redated_cards)
    return render_pack_faces(spots, pack, selection, WorkerPool(1))


@dataclass(frozen=True)
class StickerPlanner:
    """Decides which blocks of changed cards get a sticker, and which cards must be printed.

    `redated` are the old faces, with the new revisions and dates.
    """

    old: Snapshot
    new: Snapshot
    changes: PrintChanges
    redated: PackFaces

    def plan_sheet(self, lang: str, cards: Sequence[str]) -> StickerSheet:
        """Plan the stickers for some cards. Return them, and reasons for cards to be printed."""
        planned: dict[str, list[Sticker] | Message] = {}
        stickers: list[Sticker] = []
        reasons: dict[str, Message] = {}
        for card in cards:
            is_changed = card in self.changes.reasons[lang]
            if not is_changed and self._has_all_faces(lang, card):
                continue
            if card not in planned:
                planned[card] = self._plan_card(lang, card)
            result = planned[card]
            if isinstance(result, list):
                stickers += result
            else:
                reasons[card] = result
        return StickerSheet(lang, stickers=tuple(stickers), reasons=reasons)

    def _has_all_faces(self, lang: str, card: str) -> bool:
        """Return True if all faces of a new card are rendered, or the card itself is unchanged."""
        pack = self.changes.after.renderer.pack
        for side in pack.manifest.kinds[pack.cards[card].kind].list_faces(
            pack.cards[card]
        ):
            if (lang, card, side) not in self.changes.after.stacks:
                return self.difference.find_card(card) is None
        return True

    @cached_property
    def difference(self) -> Difference:
        """The changes between the two states."""
        return compare_states(self.old, self.new)

    def _plan_card(self, lang: str, card: str) -> list[Sticker] | Message:
        """Return the stickers of a card, or the reason why it must be printed."""
        if list_untranslated_cards(self.new, lang, [card]):
            return _(
                "it is not translated into {language}", language=name_language(lang)
            )
        if not self._has_all_faces(lang, card):
            return _("today's templates cannot render it")
        old_id = self.changes.pairs.get(card)
        if old_id is None:
            return _("the card is new")
        names = [name for name in self.changes.after.stacks if name[:2] == (lang, card)]
        redrawn = find_redrawn_faces(self.changes.after, {card}, (self.old, self.new))
        change = self.difference.find_card(card)
        has_new_art = change is not None and any(
            item.type is ChangeClass.ART for item in change.fields
        )
        if has_new_art or redrawn or self.changes.reasons[lang][card] == "art":
            return _("its picture changed")
        if self.changes.reasons[lang][card] == "template":
            return _("its template changed")
        stickers: list[Sticker] = []
        for name in names:
            result = self._plan_face(name._replace(card=old_id), name)
            if not isinstance(result, list):
                return result
            stickers += result
        return stickers

    def _plan_face(self, old_name: FaceName, name: FaceName) -> list[Sticker] | Message:
        """Return the stickers of a face, or the reason why there can be none."""
        after, redated = self.changes.after, self.redated
        if old_name not in redated.stacks:
            return _("its old face cannot be rendered any more")
        size = after.find_size(name)
        if redated.find_size(old_name) != size:
            return _("it has another size")
        if redated.stacks[old_name] == after.stacks[name]:
            return []
        trim = Box(0, 0, size.width, size.height)
        moves = pair_blocks(_list_blocks(redated, old_name), _list_blocks(after, name))
        boxes = [intersect_boxes(move.box, trim) or trim for move in moves]
        (old_picture,) = redated.render_pictures([old_name])
        (new_picture,) = after.render_pictures([name])
        changed_boxes, is_complete = find_changed_boxes(old_picture, new_picture, boxes)
        if not is_complete:
            return _("it changed outside of its blocks")
        for index in changed_boxes:
            if moves[index].is_moved:
                return _("the block {block!r} moved", block=moves[index].name)
        stickers: list[Sticker] = []
        for box in merge_boxes(changed_boxes.values()):
            inside = [
                moves[index].name
                for index, part in changed_boxes.items()
                if _is_in(part, box)
            ]
            stickers.append(Sticker(name, box, tuple(dict.fromkeys(inside))))
        area = sum(sticker.box.width * sticker.box.height for sticker in stickers)
        if area > MAX_FACE_SHARE * size.width * size.height:
            return _("more than {share:.0%} of a face changed", share=MAX_FACE_SHARE)
        return stickers


def _is_in(part: Box, box: Box) -> bool:
    return min(part.measure_margins(box)) >= 0


def _list_blocks(faces: PackFaces, name: FaceName) -> list[PaintedBlock]:
    """Return the text blocks of a face, measured from the corner of the trim."""
    bleed = faces.find_size(name).bleed
    blocks: list[PaintedBlock] = []
    for address in faces.stacks[name]:
        facts = faces.renderer.cache.facts(faces.keys[address])
        for block in facts.painted if facts is not None else ():
            box = replace(block.box, x=block.box.x - bleed, y=block.box.y - bleed)
            blocks.append(block._replace(box=box))
    return blocks


def _report_reasons(sheet: StickerSheet, present: LoadedPack) -> Iterator[Finding]:
    """Yield a note for each card that must be printed."""
    for card, reason in sheet.reasons.items():
        document = present.documents.get(card)
        place = Location(file=None if document is None else document.file)
        form = _("{card} [{lang}]: no sticker, because {reason}")
        message = _(form, card=card, lang=sheet.lang, reason=reason)
        yield NO_STICKER.finding(message, place)


def _print_sheet(
    planner: StickerPlanner, sheet: StickerSheet, profile: Profile
) -> StickerSheet:
    """Return the sheet as a PDF: the stickers, then the cards to print instead."""
    paper = profile.paper or A4
    after = planner.changes.after
    area = find_sticker_area(paper, profile)
    sheet = _drop_large_stickers(sheet, area)
    after.cache_by_content(dict.fromkeys(sticker.face for sticker in sheet.stickers))
    reader = NoteReader(planner.new, sheet.lang)
    names = Counter(map(reader.name_card, planner.new.cards))
    shared_names = frozenset(name for name, count in names.items() if count > 1)
    labels = LabelWriter(reader, planner.new.label, TextStamp(), shared_names)
    texts = [labels.write_label(sticker.face) for sticker in sheet.stickers]
    widths = {index: labels.measure(lines) for index, lines in enumerate(texts)}
    sizes = [(sticker.box.width, sticker.box.height) for sticker in sheet.stickers]
    pages = pack_stickers(sizes, widths, area)
    leaves = [_make_page(after, sheet, page, texts, paper, profile) for page in pages]
    if sheet.reasons:
        list_keys = _render_reasons(planner, sheet, paper)
        leaves += [FreePage(paper, background=key) for key in list_keys]
    if not leaves:
        return sheet
    title = (
        f"{planner.new.pack} {planner.old.label} - {planner.new.label} ({sheet.lang})"
    )
    data = compose_pages(after.renderer, profile, title, (), leaves)
    return replace(sheet, data=data, pages=tuple(map(tuple, pages)))


def _drop_large_stickers(sheet: StickerSheet, area: Box) -> StickerSheet:
    """Move cards whose stickers are larger than the paper to the cards to be printed."""
    reasons = dict(sheet.reasons)
    for sticker in sheet.stickers:
        if not fits_area((sticker.box.width, sticker.box.height), area):
            reasons[sticker.face[1]] = _("its sticker is larger than the paper")
    stickers = [sticker for sticker in sheet.stickers if sticker.face[1] not in reasons]
    return replace(sheet, stickers=tuple(stickers), reasons=reasons)


@dataclass(frozen=True)
class LabelWriter:
    """Writes the labels of stickers: the card, then the release and the face.

    `shared_names` are those of several cards, such as prints of one card.
    """

    reader: NoteReader
    release: str
    stamp: TextStamp
    shared_names: frozenset[str] = frozenset()

    def write_label(self, face: FaceName) -> tuple[str, str]:
        """Return both lines.

        A name that the font lacks, or that several cards have, is replaced by the card's id.
        """
        _lang, card, side = face
        name = self.reader.name_card(card)
        if name in self.shared_names or not self.stamp.can_draw(name):
            name = card
        if len(name) > MAX_LABEL_LENGTH:
            name = f"{name[: MAX_LABEL_LENGTH - 1]}…"
        release = self.release
        if release == WORK:
            release = f"Δ {self.reader.state.cards[card].get('revision')}"
        side_name = self.reader.translate(_("front") if side == "front" else _("back"))
        return (
            name,
            f"{release} · {side_name if self.stamp.can_draw(side_name) else side}",
        )

    def measure(self, lines: tuple[str, str]) -> float:
        """Return the width of a label in mm."""
        return from_points(
            max(self.stamp.measure(line, LABEL_SIZE_PT) for line in lines)
        )


def _make_page(
    faces: PackFaces,
    sheet: StickerSheet,
    placed_stickers: Sequence[PlacedSticker],
    labels: Sequence[tuple[str, str]],
    paper: Paper,
    profile: Profile,
) -> FreePage:
    """Return a page of stickers with cut marks and labels."""
    windows: list[FaceWindow] = []
    texts: list[PageText] = []
    lines: list[Stroke] = []
    for placed in placed_stickers:
        sticker = sheet.stickers[placed.index]
        size = faces.find_size(sticker.face)
        x, y = placed.box.x - sticker.box.x, placed.box.y - sticker.box.y
        trim = Box(x, y, size.width, size.height)
        window = grow_box(placed.box, BLEED_MM)
        windows.append(FaceWindow(faces.stacks[sticker.face], size, trim, window))
        lines += placed.make_cut_marks()
        for line, below in zip(labels[placed.index], LABEL_LINES_MM, strict=True):
            texts.append(
                PageText(line, LABEL_SIZE_PT, placed.box.x, placed.box.bottom + below)
            )
    strip = Strip(False, profile.margin, paper.height - profile.margin - 1, paper.width)
    return FreePage(
        paper,
        windows=tuple(windows),
        lines=tuple(lines),
        texts=tuple(texts),
        strip=strip,
    )


def _render_reasons(
    planner: StickerPlanner, sheet: StickerSheet, paper: Paper
) -> tuple[str, ...]:
    """Render the list of cards that must be printed. Return the cache keys of its pages."""
    reader = NoteReader(planner.new, sheet.lang)
    rows: list[ChecklistRow] = []
    for card, reason in sheet.reasons.items():
        raw = planner.new.cards[card]
        rows.append(
            ChecklistRow(
                action=reader.translate(_("Print")),
                name=reader.name_card(card),
                kind=reader.name_kind(str(raw.get("kind"))),
                faction=reader.name_faction(str(raw["faction"]))
                if raw.get("faction")
                else "",
                revision=str(raw.get("revision", "")),
                released=str(raw.get("released", "")),
                notes=(reader.translate(_("No sticker: {reason}.", reason=reason)),),
            )
        )
    values = {
        "title": reader.translate(
            _("Cards to print, because a sticker cannot correct them")
        ),
        "game": reader.pick_language(planner.new.manifest.get("name")),
        "rows": [asdict(row) for row in rows],
        "counts": [],
        "others": [],
    }
    renderer = planner.changes.after.renderer
    return render_flow(renderer, "checklist", paper, sheet.lang, values).keys
