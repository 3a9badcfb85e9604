"""Lists kept secret until the table: the opponent's copy, the owner's key, the disclosure and its proof, as files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.roster import Roster
from builder.rules.names import Names
from builder.store.atomic import write_atomic
from builder.store.jsonfile import read_json
from builder.store.project import Project
from builder.usecases.build.digests import data_digest, plain
from builder.usecases.roster.check import Bench, Judged, chosen_language
from builder.usecases.roster.sealing import (
    SCHEME,
    WHOLE,
    Proved,
    fingerprint,
    hidden,
    proved,
    public_digest,
    sealed,
    shown,
)

FORMAT = 2
NEEDS: dict[str, dict[str, type]] = {
    "key": {"public": str, "salts": dict, "roster": dict},
    "sealed copy": {"seals": dict, "roster": dict},
    "disclosure": {"opened": dict},
}
"""What each sort of file must hold."""


def seal(judged: Judged, file: Path) -> tuple[Path, Path, str]:
    """Write the opponent's copy NAME.sealed.json and the owner's key NAME.key.json beside the roster.

    Gives both files and the copy's fingerprint. UsageError for a roster that is not legal, or where a key is there
    already: a lost key cannot be proved any more.
    """
    roster, judge = judged.roster, judged.judge
    if roster is None or judge is None or not judged.legal:
        raise UsageError(
            _("{file} is not a legal squad", file=file), _("Seal what `squadpress roster check` calls legal.")
        )
    copy, key = file.with_name(f"{file.stem}.sealed.json"), file.with_name(f"{file.stem}.key.json")
    if key.exists():
        message = _("{file} is there already", file=key)
        raise UsageError(message, _("Move it away first: without it the earlier seal proves nothing."))
    public: dict[str, Json] = {
        "format": FORMAT, "scheme": SCHEME, "data": data_digest(judge.pack), "legal": True, "roster": shown(roster),
    }  # fmt: skip
    theirs, salts = sealed(public, roster)
    _write(key, {"format": FORMAT, "public": public_digest(public), "salts": dict(salts), "roster": plain(roster)})
    _write(copy, theirs)
    return copy, key, fingerprint(theirs)


def shown_copy(project: Project, file: Path, lang: str | None) -> tuple[Judged, str] | None:
    """What an opponent's copy shows, to be told as a list, and its fingerprint; None for another file.

    UsageError where its pack is not here, or has not that language.
    """
    try:
        copy = _read(file, _("sealed copy"))
        roster = Roster.model_validate(copy["roster"])
    except (InputUnreadable, ValueError):
        return None
    if roster.pack not in project.packs():
        message = _("{file} is for the pack {pack}, which is not here", file=file, pack=roster.pack)
        raise UsageError(message, _("Add the pack under cards/."))
    judge, _unused = Bench(project).judge(roster.pack, roster.version)
    if judge is None:
        return None
    told = Judged(str(file), (), chosen_language(judge.pack, lang), roster, judge, judge.resolve(roster))
    return told, fingerprint(copy)


def disclose(key_file: Path, names: tuple[str, ...]) -> dict[str, Json]:
    """What the owner hands over: salt and content of each named secret (`whole` for everything, with every salt)."""
    key = _read(key_file, "key")
    try:
        values = hidden(Roster.model_validate(key["roster"]))
    except ValueError as error:
        raise InputUnreadable(
            _("{file} holds no squad", file=key_file), _("Name the key as `squadpress roster seal` wrote it.")
        ) from error
    salts = key["salts"]
    opened: dict[str, Json] = {}
    for name in names:
        if name not in values or name not in salts:
            known = ", ".join(name for name, value in values.items() if value is not None)
            raise UsageError(_("nothing called {name} is sealed", name=name), _("Sealed are: {listed}.", listed=known))
        opened[name] = {"salt": salts[name], "value": values[name], **({"salts": salts} if name == WHOLE else {})}
    return {"format": FORMAT, "public": key["public"], "opened": opened}


@dataclass(frozen=True, slots=True)
class Revealed:
    """The fingerprint of a copy, what a disclosure proves of it, and the source language of its pack; the names of its
    cards, None without the pack; the whole squad where that is proved."""

    fingerprint: str
    secrets: tuple[Proved, ...]
    lang: str
    names: Names | None = None
    squad: Judged | None = None

    def told(self, value: Json) -> str:
        """The content of one seal, a card by its name."""
        card = value.get("card") if isinstance(value, dict) else None
        if self.names is None or not isinstance(card, str) or card not in self.names.pack.cards:
            return json.dumps(value, ensure_ascii=False)
        rest = {key: item for key, item in value.items() if key != "card"} if isinstance(value, dict) else {}
        more = f" {json.dumps(rest, ensure_ascii=False)}" if rest else ""
        return f"{self.names.card(card)} ({card}){more}"


def reveal(project: Project, copy_file: Path, proof_file: Path, lang: str | None = None) -> Revealed:
    """A copy held against a disclosure; a whole squad must be legal by the cards here too.

    InputUnreadable where one of the files is not what it should be.
    """
    copy, proof = _read(copy_file, _("sealed copy")), _read(proof_file, "disclosure")
    pack, bench = copy["roster"].get("pack"), Bench(project)
    secrets = tuple(_judged(bench, copy, item) for item in proved(copy, proof))
    whole = next((Roster.model_validate(item.value) for item in secrets if item.name == WHOLE and not item.wrong), None)
    if whole is not None:  # told at the costs of the release it is pinned to
        judge = bench.judge(whole.pack, whole.version)[0]
    else:
        judge = bench.judge(pack)[0] if pack in project.packs() else None
    if judge is None:
        return Revealed(fingerprint(copy), secrets, "en")
    told = chosen_language(judge.pack, lang)
    squad = Judged(str(copy_file), (), told, whole, judge, judge.resolve(whole)) if whole is not None else None
    return Revealed(fingerprint(copy), secrets, told, Names(judge.pack, told), squad)


def _judged(bench: Bench, copy: Mapping[str, Any], item: Proved) -> Proved:
    """A whole squad that is what was sealed, judged once more."""
    if item.wrong or item.name != WHOLE:
        return item
    roster = Roster.model_validate(item.value)
    judge = bench.judge(roster.pack, roster.version)[0] if roster.pack in bench.project.packs() else None
    if judge is None or data_digest(judge.pack) != copy.get("data"):
        return Proved(item.name, item.value, "seal-data")
    if not judge.check(roster, mend=False).legal:
        return Proved(item.name, item.value, "seal-illegal")
    return item


def _read(file: Path, what: str) -> dict[str, Any]:
    """One of the files. InputUnreadable where it is not."""
    form = _("Name a {what} that `squadpress roster {verb}` wrote.")
    remedy = _(form, what=_(what), verb="reveal --open" if what == "disclosure" else "seal")
    value: Any = read_json(file, remedy)
    if not isinstance(value, dict) or not all(isinstance(value.get(key), sort) for key, sort in NEEDS[what].items()):
        raise InputUnreadable(_("{file} is not a {what}", file=file, what=_(what)), remedy)
    if value.get("format") != FORMAT:
        message = _("{file} is a {what} of another version of this program", file=file, what=_(what))
        raise InputUnreadable(message, _("Seal the squad again."))
    return value


def _write(file: Path, value: dict[str, Json]) -> None:
    write_atomic(file, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
