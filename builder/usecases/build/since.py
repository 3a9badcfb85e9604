"""Print only what changed since a release: the cards, a notice on each, and a checklist of what to swap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from builder.errata.change import Status
from builder.errata.difference import difference
from builder.errata.notes import Reader
from builder.errata.phrases import phrase
from builder.errata.snapshot import Snapshot
from builder.findings import Finding, has_errors, in_order
from builder.model.card import Card
from builder.model.pack import Size
from builder.model.profile import Paper, Profile
from builder.store.profiles import load_profile
from builder.store.project import Project
from builder.usecases.build.changed import ChangedFaces, changed_faces
from builder.usecases.build.compose import write_file
from builder.usecases.build.options import BuildOptions, BuildResult, Progress
from builder.usecases.build.select import chosen_cards
from builder.usecases.build.setting import languages
from builder.usecases.files import PackFiles
from builder.usecases.release.states import state_of, working

if TYPE_CHECKING:
    from builder.render.sheets.sheets import Group

A4 = Paper(width=210, height=297)


def build_changed(
    project: Project, pack_id: str, since: str, options: BuildOptions, progress: Progress | None = None
) -> BuildResult:
    """One file per language in which a printed face differs; none where nothing does."""
    old, old_findings = state_of(PackFiles(project), pack_id, since)
    new, new_findings, loaded = working(PackFiles(project), pack_id)
    if loaded.pack is None or has_errors(new_findings):
        return BuildResult(findings=in_order((*old_findings, *new_findings)))
    langs, profile = languages(loaded.pack, options.select.langs), load_profile(project, options.publish.profile)
    found = changed_faces(project, old, new, loaded, langs, options.select.variant, options.workers, progress)
    findings: list[Finding] = [*old_findings, *found.findings]
    if has_errors(found.after.findings):
        return BuildResult(findings=in_order(findings))
    folder = options.publish.output or project.output_dir(pack_id)
    files = []
    for lang in langs:
        asked = chosen_cards(found.after.renderer.pack, options.select.only, lang)
        cards = [card for card in asked if card.id in found.reasons[lang]]
        rows = checklist(old, new, found, lang, [card.id for card in cards])
        if not rows:
            continue
        pages, flaws = _list_page(found, old, new, lang, rows, profile)
        findings += flaws
        ink = ["ink"] if options.select.variant == "ink" else []
        name = "-".join([pack_id, lang, options.publish.profile.replace(":", "-"), *ink, "since", old.label])
        groups, notices = _groups(found, cards, lang)
        path = folder / f"{name}.pdf"
        files.append(write_file(found.after.renderer, project, profile, groups, pages, path, lang, notices))
    return BuildResult(tuple(files), in_order(findings))


def checklist(
    old: Snapshot, new: Snapshot, found: ChangedFaces, lang: str, cards: Sequence[str]
) -> list[dict[str, Any]]:
    """What to do with each card: put in a new one, swap one for another, take one out."""
    before, after = Reader(old, lang), Reader(new, lang)
    changes = difference(old, new)
    rows: list[dict[str, Any]] = []
    for card in cards:
        raw, was = new.cards[card], found.pairs.get(card)
        change = changes.card(card)
        rows.append(
            {
                "action": phrase(lang, "put-in" if was is None else "swap"),
                "name": after.card(card),
                "former": before.card(was) if was and before.card(was) != after.card(card) else "",
                "kind": after.kind(str(raw.get("kind"))),
                "faction": after.faction(str(raw["faction"])) if raw.get("faction") else "",
                "revision": str(raw.get("revision", "")),
                "old_revision": str(old.cards[was].get("revision", "")) if was else "",
                "released": str(raw.get("released", "")),
                "notes": [after.localized(entry.get("note")) for entry in change.history] if change else [],
            }
        )
    for change in changes.cards:
        if change.status.gone and change.status is not Status.VANISHED and change.old_id:
            kind, faction = before.kind(change.kind), before.faction(change.faction)
            row = {"action": phrase(lang, "take-out"), "name": before.card(change.old_id), "kind": kind}
            blank = {"former": "", "revision": "", "released": "", "notes": []}
            rows.append({**blank, **row, "faction": faction, "old_revision": str(change.old_revision or "")})
    return rows


def _list_page(
    found: ChangedFaces, old: Snapshot, new: Snapshot, lang: str, rows: list[dict[str, Any]], profile: Profile
) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """The checklist as pages in the cache."""
    from builder.render.flow import set_flow

    title = phrase(lang, "checklist", old=old.label)
    counts = Counter(row["action"] for row in rows)
    values = {
        "title": title,
        "game": Reader(new, lang).localized(new.manifest.get("name")),
        "rows": rows,
        "counts": [[action, str(count)] for action, count in counts.items()],
    }
    flow = set_flow(found.after.renderer, "checklist", profile.paper or A4, lang, values)
    return flow.keys, flow.findings


def _groups(
    found: ChangedFaces, cards: Sequence[Card], lang: str
) -> tuple[tuple[Group, ...], Mapping[tuple[str, ...], str]]:
    """The cards by size, and the notice on each face: its revision and date. Shared backs get none."""
    from builder.geometry.imposition import Pair
    from builder.render.sheets.sheets import Group

    sizes: dict[tuple[Size, bool], list[Pair[tuple[str, ...]]]] = {}
    notices: dict[tuple[str, ...], str] = {}
    faces = found.after
    names = [name for name in faces.stacks if name[0] == lang and name[1] in {card.id for card in cards}]
    faces.keep(names)
    for card in cards:
        kind = faces.renderer.pack.manifest.kinds[card.kind]
        sides = {side: faces.stacks[lang, card.id, side] for side in kind.faces}
        front = sides.get("front") or sides["back"]
        back = sides.get("back") if "front" in sides else None
        sizes.setdefault((kind.size, kind.table), []).append(Pair(front, back))
        for side, stack in sides.items():
            if side == "front" or kind.back == "own":
                notices[stack] = f"Δ {card.revision} · {card.released.isoformat()}"
    return tuple(Group(size, tuple(pairs), table) for (size, table), pairs in sizes.items()), notices
