"""Lists kept secret until the table: an opponent's copy with commitments, and the proof afterwards.

A commitment is the SHA-256 of a random salt and what is hidden; each attachment, each card of the deck and the whole
roster has its own salt, so that one can be revealed without the others. The key file stays with its owner.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from builder.errors import InputUnreadable, UsageError
from builder.model.base import Json
from builder.model.roster import Roster
from builder.store.atomic import write_atomic
from builder.usecases.digests import canonical, data_digest, plain
from builder.usecases.roster_check import Judged

FORMAT = 1
LARGEST = 4_000_000


def commitment(salt: str, value: Json) -> str:
    """The commitment to a value."""
    return sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()


def hidden(roster: Roster) -> Iterator[tuple[str, Json]]:
    """What is hidden, each with its name: `whole`, `#LINE.INDEX` for what a model carries, `deck.INDEX`."""
    yield "whole", plain(roster)
    for line, entry in enumerate(roster.entries, 1):
        for index, item in enumerate(entry.attachments, 1):
            yield f"#{line}.{index}", item.model_dump(mode="json", exclude_defaults=True)
    for index, card in enumerate(roster.deck, 1):
        yield f"deck.{index}", card.model_dump(mode="json", exclude_defaults=True)


def seal(judged: Judged, file: Path) -> tuple[Path, Path]:
    """Write the opponent's copy NAME.sealed.json and the owner's key NAME.key.json beside the roster.

    The copy shows the models without what they carry,. UsageError for a roster
    that is not legal, or where a key is there already: a lost key cannot be proved any more.
    """
    roster, judge = judged.roster, judged.judge
    if roster is None or judge is None or not judged.legal:
        raise UsageError(f"{file} is not a legal squad", "Seal what `squadpress roster check` calls legal.")
    copy, key = file.with_name(f"{file.stem}.sealed.json"), file.with_name(f"{file.stem}.key.json")
    if key.exists():
        raise UsageError(f"{key} is there already", "Move it away first: without it the earlier seal proves nothing.")
    salts = {name: secrets.token_hex(16) for name, _ in hidden(roster)}
    seals: dict[str, Json] = {name: commitment(salts[name], value) for name, value in hidden(roster)}
    open_ = roster.model_copy(update={"deck": (), "entries": tuple(
        entry.model_copy(update={"attachments": ()}) for entry in roster.entries)})  # fmt: skip
    shown: dict[str, Json] = {
        "format": FORMAT, "data": data_digest(judge.pack), "legal": True, "roster": plain(open_), "seals": seals,
    }  # fmt: skip
    _write(copy, shown)
    _write(key, {"format": FORMAT, "salts": dict(salts), "roster": plain(roster)})
    return copy, key


def disclose(key_file: Path, names: tuple[str, ...]) -> dict[str, Json]:
    """What the owner hands over: salt and content of each named secret (`whole` for everything)."""
    key = _read(key_file, "key")
    roster = Roster.model_validate(key["roster"])
    secrets_ = dict(hidden(roster))
    for name in names:
        if name not in secrets_:
            raise UsageError(f"nothing called {name} is sealed", f"Sealed are: {', '.join(secrets_)}.")
    return {"format": FORMAT, "opened": {name: {"salt": key["salts"][name], "value": secrets_[name]} for name in names}}


def reveal(copy_file: Path, proof: Mapping[str, Any]) -> Iterator[tuple[str, bool, Json]]:
    """Each disclosed secret: its name, whether it is what was sealed, and its content.

    The whole roster must also agree with the models that the copy shows.
    """
    copy = _read(copy_file, "sealed copy")
    opened = proof.get("opened")
    for name, item in opened.items() if isinstance(opened, dict) else ():
        salt, value = (item.get("salt"), item.get("value")) if isinstance(item, dict) else (None, None)
        stated = copy["seals"].get(name)
        try:
            fine = isinstance(salt, str) and stated is not None and commitment(salt, value) == stated
        except ValueError:
            fine = False
        yield name, fine and (name != "whole" or _agrees(copy["roster"], value)), value


def _agrees(shown: Json, whole: Json) -> bool:
    """True if the copy's models are those of the whole roster."""
    try:
        copy, roster = Roster.model_validate(shown), Roster.model_validate(whole)
    except ValueError:
        return False
    bare = tuple(entry.model_copy(update={"attachments": ()}) for entry in roster.entries)
    return copy == roster.model_copy(update={"entries": bare, "deck": (), "expect": None})


def read_proof(file: Path) -> dict[str, Any]:
    """A file that `roster reveal --open` wrote."""
    return _read(file, "disclosure")


def _read(file: Path, what: str) -> dict[str, Any]:
    """One of the files. InputUnreadable where it is not."""
    needs = {"key": ("salts", "roster"), "sealed copy": ("seals", "roster"), "disclosure": ("opened",)}[what]
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputUnreadable(f"{file}: {error.strerror}", f"Name a {what} that `squadpress roster` wrote.") from error
    try:
        value = json.loads(data) if len(data) <= LARGEST else None
    except (ValueError, RecursionError):
        value = None
    fine = (
        isinstance(value, dict) and value.get("format") == FORMAT and all(isinstance(value.get(k), dict) for k in needs)
    )
    if not fine:
        raise InputUnreadable(f"{file} is not a {what}", "Name a file that `squadpress roster seal` wrote.")
    assert isinstance(value, dict)
    return value


def _write(file: Path, value: dict[str, Json]) -> None:
    write_atomic(file, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
