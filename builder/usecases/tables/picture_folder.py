"""A folder of pictures: pictures for the cards of a table, or cards that are one picture each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from builder.errors import InputUnreadable, UsageError
from builder.files import is_within, read_limited
from builder.messages import Message, describe_os_error, gettext as _
from builder.model.base import Json
from builder.packs.scaffold import Files, list_pack_files, make_id, number_id
from builder.packs.yaml.editing import format_flow
from builder.packs.yaml.reading import make_schema_line

PICTURE_EXTENSIONS = frozenset((".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif"))
COMMON_BACK_IDS = frozenset(("back", "card-back", "cardback", "backside"))
LAYOUT = "picture"
MAX_LISTED_CARDS = 5
_SIDE = re.compile(r"(.+?)[-_ .]+(front|back|face)", re.IGNORECASE)
"""A file name that ends with a side: `Bog Warden-back`, `wolf_front`."""


class CardPictures(NamedTuple):
    """The picture files of one card. The back is optional."""

    name: str
    front: Path
    back: Path | None


def list_pictures(folder: Path) -> list[Path]:
    """Return the picture files in a folder, sorted. Raise UsageError if there are none."""
    try:
        files = sorted(folder.iterdir())
    except OSError as error:
        reason = describe_os_error(error)
        raise InputUnreadable(
            _("{file}: {reason}", file=folder, reason=reason)
        ) from error
    pictures: list[Path] = []
    for file in files:
        is_picture = (
            file.suffix.lower() in PICTURE_EXTENSIONS and not file.name.startswith(".")
        )
        if is_picture and is_within(folder, file) and file.is_file():
            pictures.append(file)
    if not pictures:
        hint = _("Use PNG, JPEG, WebP, GIF or SVG files.")
        raise UsageError(_("{folder} contains no pictures", folder=folder), hint)
    return pictures


@dataclass(slots=True)
class PictureMatcher:
    """Gives each card the picture of a folder whose file has the card's id or name.

    `matched_pictures` are the files that cards got, by their names. `column_count` is the number of
    cards whose table names a picture.
    """

    paths_by_id: Mapping[str, Path]
    matched_pictures: dict[str, Path] = field(default_factory=dict)
    matched_count: int = 0
    column_count: int = 0
    unmatched_ids: list[str] = field(default_factory=list)

    def add_picture(self, card_id: str, card: dict[str, Json]) -> None:
        """Give a card without a picture the file that has its id or name."""
        if card.get("art"):
            self.column_count += 1
            return
        id_of_name = make_id(str(card.get("name", "")))
        picture = self.paths_by_id.get(card_id) or self.paths_by_id.get(id_of_name)
        if picture is None:
            self.unmatched_ids.append(card_id)
            return
        card["art"] = picture.name
        self.matched_pictures[picture.name] = picture
        self.matched_count += 1

    def read_pictures(self, art_folder: Path) -> dict[Path, bytes]:
        """Return the contents of the matched pictures, by path in the pack."""
        return {
            art_folder / name: read_limited(path)
            for name, path in self.matched_pictures.items()
        }

    def summarize_matches(self) -> list[Message]:
        """Return lines about how many cards got a picture, and which did not."""
        lines = [_("Pictures matched by id or name: {count}", count=self.matched_count)]
        if self.column_count:
            form = _(
                "Pictures named by a column: {column}; matched by id or name: {count}"
            )
            lines = [_(form, column=self.column_count, count=self.matched_count)]
        if self.unmatched_ids:
            listed = ", ".join(self.unmatched_ids[:MAX_LISTED_CARDS])
            if len(self.unmatched_ids) > MAX_LISTED_CARDS:
                listed += " ..."
            lines.append(_("  Cards without a picture: {cards}", cards=listed))
        return lines


def match_pictures(folder: Path) -> PictureMatcher:
    """Make a matcher for the pictures in a folder. Raise UsageError if there are none."""
    paths_by_id: dict[str, Path] = {}
    for path in list_pictures(folder):
        name = path.stem
        side = _SIDE.fullmatch(name)
        # A back keeps its whole name, so that it never becomes the front of a card.
        if side is not None and side[2].lower() != "back":
            name = side[1]
        paths_by_id[make_id(name)] = path
    return PictureMatcher(paths_by_id)


def list_picture_pack_files(
    folder: Path, langs: Sequence[str], size: tuple[float, float] | None
) -> Files:
    """Yield the files of a new pack that has one card for each picture of a folder.

    `NAME-back.png` is the back of `NAME.png` or `NAME-front.png`, and `back.png` is the back of
    all other cards.
    """
    cards, common_back = match_backs(list_pictures(folder))
    has_own_backs = any(card.back is not None for card in cards)
    for name, data in _list_layout_files(langs, size):
        # The layout has a common back with a picture of its own.
        if name == "cards/__pack__/pack.yaml" and has_own_backs:
            data = data.replace(b"back: common", b"back: own")
        if name.endswith("/back.html.j2") and common_back is not None:
            data = data.replace(b"back-compass.svg", common_back.name.encode())
        yield name, data
    for card_id, card in _assign_card_ids(cards):
        yield _format_card_file(card_id, card)
    fronts = [card.front for card in cards]
    backs = [card.back for card in cards]
    for picture in (common_back, *fronts, *backs):
        if picture is not None:
            yield f"cards/__pack__/art/{picture.name}", read_limited(picture)


def _list_layout_files(langs: Sequence[str], size: tuple[float, float] | None) -> Files:
    """Yield the files of the picture layout without its sample cards."""
    sample_folders = tuple(
        f"cards/__pack__/{name}/" for name in (LAYOUT, "i18n", "art")
    )
    for name, data in list_pack_files({"": LAYOUT}, langs[:1], size):
        if not name.startswith(sample_folders) or name.endswith("/back-compass.svg"):
            yield name, data


def match_backs(pictures: Sequence[Path]) -> tuple[list[CardPictures], Path | None]:
    """Pair the pictures of a folder to cards with backs. Also return the common back."""
    common_back: Path | None = None
    backs_by_stem: dict[str, Path] = {}
    fronts_by_stem: dict[str, Path] = {}
    for picture in pictures:
        side = _SIDE.fullmatch(picture.stem)
        if make_id(picture.stem) in COMMON_BACK_IDS:
            common_back = picture
        elif side and side[2].lower() == "back":
            backs_by_stem[side[1].lower()] = picture
        else:
            fronts_by_stem[side[1] if side else picture.stem] = picture
    cards: list[CardPictures] = []
    for stem, front in fronts_by_stem.items():
        name = " ".join(re.split(r"[-_\s]+", stem)).strip() or stem
        # `capitalize` would lower the other letters: "McCoy".
        name = name[:1].upper() + name[1:]
        cards.append(CardPictures(name, front, backs_by_stem.pop(stem.lower(), None)))
    # A back without its front is a card of its own.
    for stem, picture in backs_by_stem.items():
        cards.append(CardPictures(f"{stem.capitalize()} back", picture, None))
    return cards, common_back


def _assign_card_ids(
    cards: Sequence[CardPictures],
) -> Iterator[tuple[str, CardPictures]]:
    """Yield each card with a unique id that is made of its name."""
    seen_ids: set[str] = set()
    for card in cards:
        card_id = number_id(make_id(card.name) or LAYOUT, seen_ids)
        seen_ids.add(card_id)
        yield card_id, card


def _format_card_file(card_id: str, card: CardPictures) -> tuple[str, bytes]:
    file = f"cards/__pack__/{LAYOUT}/{card_id}.yaml"
    today = date.today().isoformat()
    lines = [
        make_schema_line(f"__pack__/{LAYOUT}", file),
        f"id: {format_flow(card_id)}",
        f"kind: {LAYOUT}",
        f"name: {format_flow(card.name)}",
        "revision: 1",
        f"released: {today}",
        "history:",
        f"  - {{revision: 1, released: {today}, type: rules, note: {{}}}}",
        f"art: {format_flow(card.front.name)}",
    ]
    if card.back is not None:
        lines.append(f"back_art: {format_flow(card.back.name)}")
    return file, ("\n".join(lines) + "\n").encode()
