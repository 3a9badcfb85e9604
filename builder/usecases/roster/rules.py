"""The roster rules of packs, told as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.rules.names import Names
from builder.rules.wording import sentence
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.roster.check import resolve_language


@dataclass(frozen=True, slots=True)
class ToldRule:
    """One rule: its id, title and sentence in the asked language, and its place in the rulebook."""

    id: str
    title: str
    source: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ToldRules:
    """The rules of one pack, with the game's name."""

    pack: str
    rules: tuple[ToldRule, ...]


def tell_rules(project: Project, pack: str | None, lang: str | None) -> Iterator[ToldRules]:
    """Each pack's rules; a pack whose manifest cannot be read is left to `squadpress check`."""
    for name in project.choose(pack):
        loaded = load_pack(project, name).pack
        if loaded is None:
            continue
        names = Names(loaded, resolve_language(loaded, lang))
        told = tuple(
            ToldRule(rule.id, names.of(rule.title, rule.id), rule.source, sentence(rule, names))
            for rule in loaded.rules.rules
        )
        yield ToldRules(names.of(loaded.manifest.name, name), told)
