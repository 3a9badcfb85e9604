"""Print only what changed since a release: the cards, a notice on each, and a checklist of what to swap."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

from builder.cache import installed
from builder.errata.change import Status
from builder.errata.difference import compare_states, pair_cards
from builder.errata.reader import NoteReader, ReaderPair
from builder.errata.snapshot import Snapshot, load_snapshot
from builder.errors import ToolMissing, UsageError
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.engines import ENGINE_NAMES, EngineName
from builder.model.loaded import LoadedPack
from builder.model.profile import Profile
from builder.packs.pack_files import PackFiles
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.pdfinfo.pictures import describe_rasterizer
from builder.render.flow import Flow, render_flow
from builder.render.jobs import Places, Variant
from builder.render.sheets.sheets import Group
from builder.roster.chosen import original
from builder.usecases.appearance import check_appearance_files
from builder.usecases.build.build_options import BuildOptions, BuildResult, WorkerPool, places
from builder.usecases.build.engine_choice import with_chosen_engine, with_engine, with_engine_of
from builder.usecases.build.faces import (
    ENGINE,
    MADE_BY,
    SHAPES,
    FaceName,
    PackFaces,
    render_pack_faces,
    shape_digests,
)
from builder.usecases.build.printable import find_untranslated
from builder.usecases.build.select import chosen_cards
from builder.usecases.build.typeset import A4, group_pairs, languages, pair_sides, write_file
from builder.usecases.pack_states import read_working_pack, state_of


@dataclass(frozen=True)
class ChangedFaces:
    """The comparison of two prints. `reasons` holds the changed cards per language: new, content, template or art.

    `pairs` maps a card of today to the card it was; `before` and `after` are all faces of both.
    """

    before: PackFaces
    after: PackFaces
    pairs: Mapping[str, str]
    reasons: Mapping[str, Mapping[str, str]]
    findings: tuple[Finding, ...]

    def old_name(self, name: FaceName) -> FaceName | None:
        """The face as it was; None for a new card or a face that could not be set."""
        lang, card, side = name
        old = (lang, self.pairs.get(card, ""), side)
        return old if old in self.before.stacks else None


def changed_faces(
    spots: Places, old: Snapshot, new: Snapshot, loaded: LoadedPack, langs: tuple[str, ...],
    workers: WorkerPool, variant: Variant = "full",
) -> ChangedFaces:  # fmt: skip
    """Compare the print of a release with today's. Old cards are set with today's templates, so that what the
    templates changed shows against the pictures that the release remembers.
    """
    loaded = with_chosen_engine(spots, loaded)[0]
    past = load_snapshot(with_engine_of(loaded.whole, old), old.label)
    before = render_pack_faces(spots, past, langs, workers, variant)
    after = render_pack_faces(spots, loaded, langs, workers, variant)
    reasons: dict[str, dict[str, str]] = {lang: {} for lang in langs}
    found = ChangedFaces(
        before, after, pair_cards(old, new)[0], reasons, (*past.findings, *after.findings)
    )
    asked: dict[FaceName, FaceName] = {}
    for name, stack in after.stacks.items():
        was = found.old_name(name)
        if was is None:  # or its old face cannot be set with the templates of today
            reasons[name[0]][name[1]] = "template" if name[1] in found.pairs else "new"
        elif before.stacks[was] != stack:
            asked[name] = was
    pictures = before.digests(dict.fromkeys(asked.values()))
    for name, picture in after.digests(asked).items():  # two drawings may still print alike
        if pictures[asked[name]] != picture:
            reasons[name[0]].setdefault(name[1], "content")
    if variant == "full":

        def render_with(engine: EngineName) -> PackFaces:
            return render_pack_faces(spots, with_engine(loaded, engine), langs, workers, variant)

        for name, reason in _restyled(found, old, new, render_with).items():
            reasons[name[0]].setdefault(name[1], reason)
    return found


def reprinted(project: Project, pack_id: str, since: str, workers: WorkerPool) -> frozenset[str]:
    """The ids of cards that print otherwise than at a version or day, in any language, under the same revision."""
    packs = PackFiles(project)
    old, (new, _found, loaded) = (
        state_of(packs, pack_id, since)[0],
        read_working_pack(packs, pack_id),
    )
    if loaded.pack is None:
        return frozenset()
    found = changed_faces(
        places(project, pack_id), old, new, loaded, languages(loaded.pack, ()), workers
    )
    cards = {
        card
        for reasons in found.reasons.values()
        for card, reason in reasons.items()
        if reason != "new"
    }
    before = {card: old.cards[found.pairs[card]].get("revision") for card in cards}
    return frozenset(card for card in cards if new.cards[card].get("revision") == before[card])


RenderWith: TypeAlias = Callable[[EngineName], PackFaces]
"""Renders today's faces with an engine."""


def _restyled(
    found: ChangedFaces, old: Snapshot, new: Snapshot, render_with: RenderWith
) -> dict[FaceName, str]:
    """Faces whose template or picture file changed since, but for those that the release's digests prove alike."""
    touched = {
        path
        for path in old.files.keys() | new.files.keys()
        if old.files.get(path) != new.files.get(path)
    }
    names = {
        name: reason
        for name in found.after.stacks
        if (reason := _touch(found, name, touched, new.pack))
    }
    if not names:
        return {}
    made_by, now = old.faces.get(MADE_BY), dict[FaceName, str]()
    if made_by == SHAPES:
        now = shape_digests(found.after.renderer, names)[0]
    elif made_by == describe_rasterizer():
        now = _pixel_digests(found.after, old, list(names), render_with)
    for name, digest in now.items():
        was = found.old_name(name)
        if was is not None and old.faces.get("/".join(was)) == digest:
            del names[name]
    return names


def _pixel_digests(
    today: PackFaces, old: Snapshot, names: Sequence[FaceName], render_with: RenderWith
) -> dict[FaceName, str]:
    """Return digests of today's faces that can be compared with those of a release: of the same engine.

    Raise ToolMissing if that engine, in the version that the release stores, is not installed.
    """
    stored = old.faces.get(ENGINE) or str(old.engine or "weasyprint")
    name, _space, version = stored.partition(" ")
    there = installed(name)
    if name not in ENGINE_NAMES or there == "-" or version not in ("", there):
        message = _(
            "cannot compare the faces with {release}: it was rendered with {engine}, which is not installed",
            release=old.label,
            engine=stored,
        )
        package = f"{name}=={version}" if version else name
        raise ToolMissing(message, _("Install it: pip install {package}", package=package))
    faces = today
    if name != today.renderer.engine:
        faces = render_with("plutoprint" if name == "plutoprint" else "weasyprint")
    return faces.digests([face for face in names if face in faces.stacks])


def _touch(found: ChangedFaces, name: FaceName, touched: set[str], pack: str) -> str:
    """Why a face may look otherwise although its card is the same; empty if nothing it is made from changed."""
    card = found.after.renderer.pack.cards[name[1]]
    kinds = found.after.renderer.pack.manifest.kinds
    for path in touched:
        parts = path.split("/")
        if any(path.endswith(f"/{file}") for file in found.after.files.get(card.id, ())):
            return "art"
        own = parts[0] == "templates" and (
            parts[1] == pack or parts[1:3] in (["base", "face.css"],)
        )
        if (
            own
            and "art" not in parts
            and (parts[2] == card.kind or parts[2] not in kinds)
            and "gauge" not in path
        ):
            return "template"
    return ""


def build_changed(project: Project, pack_id: str, since: str, options: BuildOptions) -> BuildResult:
    """One file per language in which a printed face differs; none where nothing does."""
    if options.select.product is not None:
        message = _("a reprint holds each changed card once, not what a product holds")
        raise UsageError(message, _("Choose --changed-since or --product."))
    old, old_findings = state_of(PackFiles(project), pack_id, since)
    new, new_findings, loaded = read_working_pack(PackFiles(project), pack_id)
    looks = check_appearance_files(project, pack_id)
    if loaded.pack is None or has_errors((*new_findings, *looks)):
        return BuildResult(findings=sort_findings((*old_findings, *new_findings, *looks)))
    variant, spots = options.select.variant, places(project, pack_id)
    loaded, choice = with_chosen_engine(spots, loaded)
    if options.select.engine is not None:
        loaded, choice = with_engine(loaded, options.select.engine), None
    langs = languages(loaded.whole, options.select.langs)
    profile = load_profile(project, options.publish.profile)
    found = changed_faces(spots, old, new, loaded, langs, options.workers, variant)
    pack, only = found.after.renderer.pack, options.select.only
    orders = {lang: chosen_cards(pack, only, lang) for lang in langs}
    wanted = {
        lang: [card for card in cards if card in found.reasons[lang]]
        for lang, cards in orders.items()
    }
    held = find_untranslated(loaded, wanted, options.publish.untranslated)
    wanted = held.printed(wanted)
    findings: list[Finding] = [*old_findings, *looks, *found.findings, *held.findings]
    if has_errors((*found.after.findings, *held.findings)):
        return BuildResult(findings=sort_findings(findings))
    folder = options.publish.output or project.output_dir(pack_id)
    files = []
    for lang in langs:
        cards = [pack.cards[card] for card in wanted[lang]]
        rows = checklist(old, new, found, lang, [card.id for card in cards])
        if not rows:
            continue
        page = _list_page(found, old, new, lang, rows, profile)
        findings += page.findings
        ink = ["ink"] if variant == "ink" else []
        name = "-".join(
            [pack_id, lang, options.publish.profile.replace(":", "-"), *ink, "since", old.label]
        )
        groups, notices = _groups(found, cards, lang, held.marks)
        path = folder / f"{name}.pdf"
        files.append(
            write_file(
                found.after.renderer, project, profile, groups, page.keys, path, lang, notices
            )
        )
    return BuildResult(tuple(files), sort_findings(findings), engine_choice=choice)


@dataclass(frozen=True, slots=True)
class ChecklistRow:
    """What to do with one card, in words: its names and revisions before and after, and the notes of the change."""

    action: str
    name: str
    kind: str
    faction: str
    old_revision: str = ""
    revision: str = ""
    released: str = ""
    former: str = ""
    notes: tuple[str, ...] = ()


def checklist(
    old: Snapshot, new: Snapshot, found: ChangedFaces, lang: str, cards: Sequence[str]
) -> list[ChecklistRow]:
    """What to do with each card: put in a new one, swap one for another, take one out."""
    before, after = NoteReader(old, lang), NoteReader(new, lang)
    readers, changes = ReaderPair(before, after), compare_states(old, new)
    rows: list[ChecklistRow] = []
    for card in cards:
        raw, was = new.cards[card], found.pairs.get(card)
        change = changes.card(card)
        old_name, new_name = readers.name_cards(was, card) if was else ("", "")
        rows.append(
            ChecklistRow(
                action=after.translate(_("Add") if was is None else _("Swap")),
                name=after.name_card(card),
                former=old_name if old_name != new_name else "",
                kind=after.name_kind(str(raw.get("kind"))),
                faction=after.name_faction(str(raw["faction"])) if raw.get("faction") else "",
                revision=str(raw.get("revision", "")),
                old_revision=str(old.cards[was].get("revision", "")) if was else "",
                released=str(raw.get("released", "")),
                notes=tuple(after.pick_language(entry.get("note")) for entry in change.history)
                if change
                else (),
            )
        )
    for change in changes.cards:
        if change.status.gone and change.status is not Status.VANISHED and change.old_id:
            kind, faction = before.name_kind(change.kind), before.name_faction(change.faction)
            number = str(change.old_revision or "")
            rows.append(
                ChecklistRow(
                    after.translate(_("Take out")),
                    before.name_card(change.old_id),
                    kind,
                    faction,
                    number,
                )
            )
    return rows


def _list_page(
    found: ChangedFaces,
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
    }
    return render_flow(found.after.renderer, "checklist", profile.paper or A4, lang, values)


def _groups(
    found: ChangedFaces, cards: Sequence[Card], lang: str, marks: Mapping[tuple[str, str], str]
) -> tuple[tuple[Group, ...], Mapping[tuple[str, ...], str]]:
    """The cards by size, and the notice on each face: revision, date, the mark of its card. Shared backs get none."""
    notices: dict[tuple[str, ...], str] = {}
    pairs, faces = [], found.after
    names = [
        name for name in faces.stacks if name[0] == lang and name[1] in {card.id for card in cards}
    ]
    faces.keep(names)
    for card in cards:
        kind = faces.renderer.pack.manifest.kinds[card.kind]
        sides: dict[str, tuple[str, ...]] = {
            side: faces.stacks[lang, card.id, side] for side in kind.faces
        }
        pairs.append((card, pair_sides(sides)))
        for side, stack in sides.items():
            if side == "front" or kind.back == "own":
                notice = f"Δ {card.revision} · {card.released.isoformat()}"
                notices[stack] = " · ".join(
                    filter(None, (notice, marks.get((lang, original(card.id)))))
                )
    return group_pairs(faces.renderer.pack, pairs), notices
