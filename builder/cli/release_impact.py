"""`squadpress release impact`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import pack_option, project_option

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.release_impact import Comparison, Impact


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
    from builder.usecases.release_impact import compare, impacts, roster_files, write_migrated
    from builder.usecases.release_states import one_pack, state_of

    name = one_pack(project, pack)
    before, found_before = state_of(project, name, old)
    after, found_after = state_of(project, name, new)
    comparison = compare(project, before, after, lang)
    judged = list(impacts(comparison, roster_files(rosters)))
    if form == "json":
        click.echo(_json(comparison, judged), nl=False)
    else:
        _print(comparison, judged)
        for finding in (*found_before, *found_after, *comparison.findings):
            click.echo(f"{finding.severity.value} {finding.code}: {finding.message}", err=True)
    if write:
        for one in judged:
            if write_migrated(project, one, after.label):
                click.echo(f"{one.file}: ids brought to {after.label}")
    return 1 if any(one.worse for one in judged) else 0


def _print(comparison: Comparison, judged: list[Impact]) -> None:
    if not judged:
        for risk in comparison.risks:
            subject = " · ".join(part for part in (risk.rule, risk.card) if part)
            click.echo(f"{subject}: {risk.reason}")
        count = len(comparison.risks)
        click.echo(f"{count} way{'s' * (count != 1)} in which a legal squad can become illegal")
        return
    for one in judged:
        for line in lines(one):
            click.echo(line)
    worse, same = sum(one.worse for one in judged), sum(one.legal_after for one in judged)
    click.echo(f"{len(judged)} squads: {same} legal, {worse} no longer legal")


def lines(one: Impact) -> list[str]:
    """One squad as lines of text."""
    if one.migrated is None:
        return [f"unread   {one.file}"]
    word = "BROKEN  " if one.worse else "legal   " if one.legal_after else "illegal "
    points = f"{one.points_before:g}" + (f" -> {one.points_after:g}" if one.points_after != one.points_before else "")
    found = [f"{word} {one.file}  {one.name}  {points}"]
    found += dict.fromkeys(f"    {item.old} is now {item.new}" for item in one.migrated.moved)
    found += dict.fromkeys(f"    {item.old} is gone" + _heirs(item.heirs) for item in one.migrated.lost)
    if one.changed:
        found.append(f"    changed: {', '.join(one.changed)}")
    for item in one.broken:
        because = f" (because of {', '.join(item.cards)})" if item.cards else ""
        found.append(f"    {item.rule}: {item.message}{because}")
        found += [f"        {line}" for line in item.hint.splitlines()]
    return found


def _heirs(heirs: tuple[str, ...]) -> str:
    return f", split into {' and '.join(heirs)}" if heirs else ""


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
