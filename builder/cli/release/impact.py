"""`squadpress release impact`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import pack_option, project_option
from builder.messages import Message, ngettext, translate
from builder.messages import gettext as _

if TYPE_CHECKING:
    from builder.errata.impact import Risk
    from builder.store.project import Project
    from builder.usecases.release.impact import Comparison, Impact


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("rosters", nargs=-1, type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help="Put new ids into the roster files, their comments kept.")
@click.option("--lang", metavar="LANG", help="Language of rules; by default the pack's source language.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@pack_option
@project_option
def impact(
    old: str,
    new: str,
    rosters: tuple[Path, ...],
    write: bool,
    lang: str | None,
    form: str,
    pack: str | None,
    project: Project,
) -> int:
    """What the step from OLD to NEW does to squads: ROSTERS are files, or folders of them.

    Without rosters it tells which rules and cards make squads illegal that were legal. Ends with 1 if a squad that was
    legal no longer is.
    """
    from builder.report.findings import line
    from builder.usecases.files import PackFiles, RosterFiles, roster_files
    from builder.usecases.release.impact import compare
    from builder.usecases.release.impact import impact as judge_step
    from builder.usecases.release.states import one_pack, state_of

    name, packs = one_pack(project, pack), PackFiles(project)
    before, found_before = state_of(packs, name, old)
    after, found_after = state_of(packs, name, new)
    comparison = compare(before, after, lang)
    kept = RosterFiles(project, roster_files(rosters), comparison.after.pack.manifest.roster)
    judged = [judge_step(comparison, kept.load(file), project.relative(Path(file))) for file in kept.names()]
    if form == "json":
        click.echo(_json(comparison, judged), nl=False)
    else:
        _print(comparison, judged)
        for finding in (*found_before, *found_after, *comparison.findings):
            click.echo(line(finding, comparison.lang), err=True)
    if write:
        for file, one in zip(kept.names(), judged, strict=True):
            if one.migrated is not None and kept.migrate(file, one.migrated, after.label):
                told = _("{file}: ids brought to {version}", file=one.file, version=after.label)
                click.echo(translate(told, comparison.lang))
    return 1 if any(one.worse for one in judged) else 0


def _print(comparison: Comparison, judged: list[Impact]) -> None:
    from builder.cli.console import show

    lang = comparison.lang
    if judged:
        found = [line for one in judged for line in lines(one, comparison)]
        worse, same = sum(one.worse for one in judged), sum(one.legal_after for one in judged)
        total = ngettext(
            "{count} squad: {legal} legal, {worse} no longer legal",
            "{count} squads: {legal} legal, {worse} no longer legal",
            len(judged),
            legal=same,
            worse=worse,
        )
    else:
        found = [_risk(risk, comparison) for risk in comparison.risks]
        total = ngettext(
            "{count} way in which a legal squad can become illegal",
            "{count} ways in which a legal squad can become illegal",
            len(found),
        )
    show("\n".join([*found, translate(total, lang)]))


def _risk(risk: Risk, comparison: Comparison) -> str:
    """One way in which squads break."""

    parts = (risk.rule, comparison.named(risk.card) if risk.card else "")
    return f"{' · '.join(part for part in parts if part)}: {translate(risk.reason, comparison.lang)}"


def lines(one: Impact, comparison: Comparison) -> list[str]:
    """One squad as lines of text."""

    lang, named = comparison.lang, comparison.named
    words = [translate(word, lang) for word in (_("BROKEN"), _("legal"), _("illegal"), _("unread"))]
    wide = max(map(len, words))
    if one.migrated is None:
        return [f"{words[3]:{wide}} {one.file}"]
    word = words[0 if one.worse else 1 if one.legal_after else 2]
    points = f"{one.points_before:g}" + (f" -> {one.points_after:g}" if one.points_after != one.points_before else "")
    found: list[str] = [
        *dict.fromkeys(_("{old} is now {new}", old=item.old, new=item.new) for item in one.migrated.moved),
        *dict.fromkeys(_gone(item.old, item.heirs) for item in one.migrated.lost),
    ]
    if one.changed:
        found.append(_("changed: {listed}", listed=", ".join(map(named, one.changed))))
    told = [f"{word:{wide}} {one.file}  {one.name}  {points}", *(f"    {translate(line, lang)}" for line in found)]
    for item in one.broken:
        because = translate(_(" (because of {listed})", listed=", ".join(map(named, item.cards))), lang)
        told.append(f"    {item.rule}: {item.message}{because if item.cards else ''}")
        told += [f"        {line}" for line in item.hint.splitlines()]
    return told


def _gone(old: str, heirs: tuple[str, ...]) -> Message:

    if not heirs:
        return _("{old} is gone", old=old)
    return _("{old} is gone, split into {heirs}", old=old, heirs=", ".join(heirs))


def _json(comparison: Comparison, judged: list[Impact]) -> str:
    import json
    from dataclasses import asdict

    squads = []
    for one in judged:
        moved = one.migrated
        squads.append(
            {
                "file": one.file,
                "name": one.name,
                "legalBefore": one.legal_before,
                "legalAfter": one.legal_after,
                "pointsBefore": one.points_before,
                "pointsAfter": one.points_after,
                "moved": [{"old": item.old, "new": item.new} for item in moved.moved] if moved else [],
                "lost": [{"old": item.old, "heirs": list(item.heirs)} for item in moved.lost] if moved else [],
                "changed": list(one.changed),
                "broken": [asdict(item) for item in one.broken],
            }
        )
    head = {"pack": comparison.new.pack, "old": comparison.old.label, "new": comparison.new.label}
    return json.dumps({**head, "risks": [asdict(risk) for risk in comparison.risks], "squads": squads},
                      ensure_ascii=False, indent=2) + "\n"  # fmt: skip
