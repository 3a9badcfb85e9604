"""A squad handed on: as a token, as JSON, as plain text or Markdown; and read back from a token or JSON."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from builder.errors import InputUnreadable, UsageError
from builder.model.base import Json
from builder.model.roster import Roster
from builder.rules.names import Names
from builder.store.project import Project
from builder.store.token import pack, unpack
from builder.usecases.digests import data_digest, plain
from builder.usecases.roster_check import Bench, Judged
from builder.usecases.roster_show import ShownCard, show

SHORT = 12
"""Digits of the data's digest that a token carries."""


def token(judged: Judged) -> str:
    """The token of a judged roster: its content, and the digest of the pack's data it was built with."""
    assert judged.roster is not None
    assert judged.judge is not None
    return pack({"r": plain(judged.roster), "d": data_digest(judged.judge.pack)[:SHORT]})


def opened(project: Project, text: str) -> tuple[Roster, tuple[str, ...]]:
    """The roster in a token and what there is to say about it. UsageError where the token or its pack is no good."""
    value = unpack(text)
    if not isinstance(value, dict) or not isinstance(value.get("r"), dict):
        raise UsageError("the token holds no roster", "Ask for it once more.")
    roster = parsed(value["r"], "the token")
    if roster.pack not in project.packs():
        known = ", ".join(project.packs()) or "none"
        raise UsageError(f"the token is for the pack {roster.pack}, which is not here", f"Packs here: {known}.")
    judge, _ = Bench(project).judge(roster.pack, roster.version)
    if judge is not None and value.get("d") != data_digest(judge.pack)[:SHORT]:
        return roster, ("the squad was built with other cards or rules than those here: judge it again",)
    return roster, ()


def parsed(value: Json, what: str) -> Roster:
    """A roster from JSON as `roster share --as json` writes it. UsageError where it is not one."""
    try:
        return Roster.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{what} holds no roster: {place}: {first['msg']}", "See schemas/core/roster.schema.json."
        ) from None


def from_json(file: Path) -> Roster:
    """A roster from a JSON file. InputUnreadable or UsageError where it is not one."""
    try:
        value = json.loads(file.read_bytes()[:1_000_000])
    except OSError as error:
        raise InputUnreadable(f"{file}: {error.strerror}", "Name a JSON file.") from error
    except (ValueError, RecursionError) as error:
        raise InputUnreadable(f"{file} is not JSON", "Name a file that `roster share --as json` wrote.") from error
    return parsed(value, str(file))


def as_json(judged: Judged) -> str:
    """The roster as JSON."""
    assert judged.roster is not None
    return json.dumps(plain(judged.roster), ensure_ascii=False, indent=1) + "\n"


def as_text(judged: Judged, markdown: bool = False) -> str:
    """The squad as a list for a message: one line a model, what it carries below."""
    shown = show(judged)
    assert shown is not None
    assert judged.judge is not None
    assert judged.roster is not None
    names = Names(judged.judge.pack, judged.lang)
    currency = names.of(judged.judge.pack.manifest.roster.currency, "")
    game = names.of(judged.judge.pack.manifest.name, judged.judge.pack.id)
    params = judged.judge.params(judged.roster)
    told = ", ".join(
        [game, *(f"{names.param(name)}: {names.param_value(name, value)}" for name, value in params.items())]
    )
    title = judged.roster.name or game
    lines = [f"# {title}", "", told, ""] if markdown else [title, told, ""]

    def row(card: ShownCard, lead: str) -> str:
        many = f"{card.count}× " if card.count > 1 else ""
        cost = f" ({card.total:g})" if card.total else ""
        return f"{lead}{many}{card.name}{cost}" + (f" — {'; '.join(card.remarks)}" if card.remarks else "")

    for line in shown.lines:
        lines.append(row(line.entry, "- " if markdown else ""))
        lines += [row(card, "  - " if markdown else "  + ") for card in line.carried]
    lines += [row(card, "- " if markdown else "") for card in shown.deck]
    total = f"{names.say('col-total')}: {shown.total:g} {currency}".strip()
    return "\n".join([*lines, "", f"**{total}**" if markdown else total]) + "\n"
