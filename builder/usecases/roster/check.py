"""Judge rosters: read each file, judge it by its pack, say what is wrong. Packs are read and compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from builder.checks.roster import codes
from builder.checks.roster.verdict import findings
from builder.errors import UsageError
from builder.findings import Finding, has_errors, in_order
from builder.messages import gettext as _
from builder.model.document import Document
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.spelling import suggestion
from builder.roster.resolve import Squad
from builder.rules.judge import Judge, Verdict
from builder.rules.spending import Spending, spending
from builder.store.project import Project
from builder.store.rosters import load_roster
from builder.usecases.opening import open_pack, pinned


@dataclass(frozen=True, slots=True)
class Judged:
    """One roster file and all that is known of it; what needs a readable roster is None without one.

    `lang` is the language in which its rules are told.
    """

    file: str
    findings: tuple[Finding, ...]
    lang: str = "en"
    roster: Roster | None = None
    judge: Judge | None = None
    squad: Squad | None = None
    verdict: Verdict | None = None
    spent: Spending | None = None

    @property
    def legal(self) -> bool:
        """True if the file was understood and the squad breaks nothing."""
        return self.verdict is not None and self.verdict.legal and not has_errors(self.findings)


@dataclass
class Bench:
    """The judges of a project's packs, made when first needed."""

    project: Project
    as_of: str | None = None
    judges: dict[tuple[str, str | None], tuple[Judge | None, bool]] = field(default_factory=dict)

    def judge(self, pack: str, version: str | None = None) -> tuple[Judge | None, bool]:
        """The judge of a pack (None if the pack cannot be used) and whether the pack has errors."""
        state = self.as_of or version
        if (pack, state) not in self.judges:
            loaded = open_pack(self.project, pack, state)
            judge = Judge(loaded.pack) if loaded.pack is not None else None
            self.judges[pack, state] = (judge, has_errors(loaded.findings))
        return self.judges[pack, state]


def judge_rosters(
    project: Project, files: Iterable[Path], lang: str | None = None, as_of: str | None = None, mend: bool = True
) -> Iterator[Judged]:
    """Each file, in the given order; `lang` defaults to the source language of the roster's pack.

    `as_of` names the release they are judged by; without it each is judged by the one it is pinned to. With `mend` each
    violation comes with its nearest repairs.
    """
    bench = Bench(project, as_of)
    for file in files:
        yield judge_roster(bench, file, lang, mend)


def judge_roster(bench: Bench, file: Path, lang: str | None = None, mend: bool = True) -> Judged:
    """One file. UsageError if its pack has not that language; InputUnreadable if there is no such file."""
    loaded = load_roster(file, bench.project)
    name = bench.project.relative(file)
    roster = loaded.roster
    if roster is None:
        return Judged(name, loaded.findings, lang or _language_of(bench, loaded.document))
    pin = pinned(bench.project, roster, loaded.document, bench.as_of)
    found = [*loaded.findings, *pin]
    if has_errors(pin):
        return Judged(name, in_order(found), lang or "en", roster)
    judge, faulty = bench.judge(roster.pack, roster.version)
    if faulty:
        place = loaded.document.locate(("pack",)) if loaded.document else None
        found.append(codes.PACK_ERRORS.finding(_("the pack {pack} has errors", pack=roster.pack), place))
    if judge is None:
        return Judged(name, in_order(found), lang or "en", roster)
    chosen = chosen_language(judge.pack, lang)
    squad = judge.resolve(roster)
    verdict = judge.check(roster, mend=mend)
    found += findings(verdict, roster, judge, chosen, loaded.document, mend)
    spent = spending(squad, judge.evaluator)
    return Judged(name, in_order(found), chosen, roster, judge, squad, verdict, spent)


def _language_of(bench: Bench, document: Document | None) -> str:
    """The source language of the pack that a roster names which is no roster otherwise; English where it names none."""
    value = document.value if document is not None else None
    pack = value.get("pack") if isinstance(value, dict) else None
    judge = bench.judge(pack)[0] if isinstance(pack, str) and pack in bench.project.packs() else None
    return judge.pack.manifest.languages.source if judge is not None else "en"


def chosen_language(pack: Pack, lang: str | None) -> str:
    """The asked language if the pack has it (UsageError if not); its source language if none is asked."""
    languages = pack.manifest.languages
    if lang is None:
        return languages.source
    if lang not in languages.all:
        message = _("the pack {pack} has no texts in {lang!r}", pack=pack.id, lang=lang)
        raise UsageError(message, suggestion(lang, languages.all, _("Its languages")))
    return lang


def spoken(project: Project, pack: str, lang: str | None) -> str:
    """The same for a pack by its id; English where the pack cannot be used."""
    judge, _unused = Bench(project).judge(pack)
    return chosen_language(judge.pack, lang) if judge is not None else lang or "en"


def known(pack: Pack, card: str) -> None:
    """UsageError for a card that the pack does not have."""
    if card not in pack.cards:
        raise UsageError(_("there is no card {value}", value=card), suggestion(card, tuple(pack.cards)))
