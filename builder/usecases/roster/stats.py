"""A judged squad in numbers: its points by role, and what each attack may do to the targets of the pack."""

from __future__ import annotations

from collections.abc import Iterator

from builder.dice.divisions import divisions
from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.sheets import Share, StatSheet
from builder.model.stats import Role, StatsFile
from builder.roster.costs import costs
from builder.roster.resolve import Pick, Squad
from builder.rules.names import Names
from builder.store.project import Project
from builder.store.stats import load_stats
from builder.usecases.roster.attack_tables import attack_tables
from builder.usecases.roster.check import JudgedRoster


def statistics(judged: JudgedRoster, stats: StatsFile) -> StatSheet | None:
    """The squad's numbers in the language it was judged in; None if it could not be read."""
    judge, squad, roster = judged.judge, judged.squad, judged.roster
    if judge is None or squad is None or roster is None:
        return None
    names = Names(judge.pack, judged.lang)
    desk = _Desk(names, squad, stats)
    factions = {entry.card.faction for entry in squad.entries}
    return StatSheet(
        name=roster.name,
        game=names.of(judge.pack.manifest.name, judge.pack.id),
        pack=judge.pack.id,
        lang=judged.lang,
        currency=names.of(judge.pack.manifest.roster.currency, ""),
        total=costs(squad).total,
        models=sum(entry.count for entry in squad.entries),
        faction=factions.pop() if len(factions) == 1 else None,
        roles=tuple(desk.divided()),
        attacks=tuple(attack_tables(names, squad, stats)),
    )


class _Desk:
    """Works one squad out."""

    def __init__(self, names: Names, squad: Squad, stats: StatsFile) -> None:
        self.names, self.squad, self.stats = names, squad, stats

    def divided(self) -> Iterator[tuple[str, tuple[Share, ...]]]:
        """Every division of the squad; of those that nobody declared, only what tells models apart."""
        stated = self.stats.roles
        made = [(role, self.shares(role)) for role in stated or divisions(self.names.pack)]
        none = {self.names.say(_("others")), self.names.say(_("cards of the squad"))}
        if stated:
            several = [one for one in made if {share.name for share in one[1]} - none]
        else:
            several = [one for one in made if sum(share.models > 0 for share in one[1]) > 1]
        for role, shares in several or made[:1]:
            title = self.names.of(role.title, "") or self.names.field(role.by)
            yield f"{title[:1].upper()}{title[1:]}", shares

    def shares(self, role: Role) -> tuple[Share, ...]:
        """One division: models and points of each part, largest first; the deck is a part of its own."""
        bill = costs(self.squad)
        found: dict[str, tuple[int, int | float]] = {}
        for entry in self.squad.entries:
            part = self._part(entry, role)
            models, points = found.get(part, (0, 0))
            found[part] = (models + entry.count, points + bill.of_entry(entry.line))
        deck = sum(line.total for line in bill.lines if line.path[0] != "entries")
        if deck:
            found[self.names.say(_("cards of the squad"))] = (0, deck)
        ordered = sorted(found.items(), key=lambda item: (-item[1][1], -item[1][0]))
        return tuple(Share(part, models, points) for part, (models, points) in ordered)

    def _part(self, entry: Pick, role: Role) -> str:
        """The name of the part an entry belongs to."""
        value = entry.value(role.by)
        if isinstance(value, list | tuple):
            value = next((item for item in role.of or value if item in value), None)
        return self.names.say(_("others")) if value is None else self.names.value(role.by, value)


def declared(project: Project, pack: Pack) -> StatsFile:
    """The forms that a pack declares, none where it has no stats.yaml. InputUnreadable where they are wrong."""
    found, flaws = load_stats(project, pack.id)
    if flaws:
        message = _("stats.yaml of the pack {pack} is wrong: {reason}", pack=pack.id, reason=flaws[0].message)
        raise InputUnreadable(message, _("Run: {command}", command=f"squadpress check {pack.id}"))
    return found or StatsFile()
