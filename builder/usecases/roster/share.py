"""Share a squad as a token, JSON, text or Markdown, and parse tokens."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

from pydantic import ValidationError

from builder.errors import ToolMissing, UsageError
from builder.messages import Message, gettext as _
from builder.model.base import Json
from builder.model.roster import Roster
from builder.model.words import suggest_word
from builder.packs.exchange import decode_token, encode_token
from builder.packs.pack_files import PackFiles
from builder.render.html.qr import draw_code, make_qr_code
from builder.rules.checker import RosterChecker
from builder.rules.names import Names
from builder.units import pick_unit_form
from builder.usecases.roster.check_roster import CheckedRoster, RosterCheckers
from builder.usecases.roster.show import CardLine, list_squad
from builder.usecases.roster.verdict import hash_pack_data, simplify_roster

DIGEST_DIGITS = 12
"""Hex digits of the pack data's digest that a token carries."""


def make_token(result: CheckedRoster) -> str:
    """Encode a checked squad as a short text. It includes a digest of the pack's data."""
    roster, checker = result.roster, result.checker
    assert roster is not None
    assert checker is not None
    # One-letter keys keep the token short.
    content: Json = {"r": simplify_roster(roster), "d": _hash_data(checker)}
    return encode_token(content, roster.format_version)


def _hash_data(checker: RosterChecker) -> str:
    return hash_pack_data(checker.pack)[:DIGEST_DIGITS]


def parse_token(packs: PackFiles, text: str) -> tuple[Roster, tuple[Message, ...]]:
    """Decode the squad in a token. Also return remarks about a pack that has changed.

    Raise UsageError if the token is invalid. Raise PackUnreadable if its pack or release cannot
    be read.
    """
    value = decode_token(text)
    if not isinstance(value, dict) or not isinstance(value.get("r"), dict):
        raise UsageError(
            _("the token contains no roster"), _("Ask for the token again.")
        )
    try:
        roster = Roster.model_validate(value["r"])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = _(
            "the token contains no roster: {place}: {reason}",
            place=place,
            reason=first["msg"],
        )
        raise UsageError(message, _("Ask for the token again.")) from None
    if roster.pack not in packs.list_packs():
        message = _(
            "the token is for the pack {pack}, which is not installed", pack=roster.pack
        )
        raise UsageError(
            message, suggest_word(roster.pack, packs.list_packs(), _("Packs"))
        )
    return roster, tuple(_compare_data(packs, roster, value.get("d")))


def _compare_data(
    packs: PackFiles, roster: Roster, digest: object
) -> Iterator[Message]:
    """Yield a remark if the squad was built with other cards or rules than the installed ones.

    It names the release with the right ones, if there is one.
    """
    checkers = RosterCheckers(packs)
    if digest == _hash_data(checkers.get_checker(roster.pack, roster.version)):
        return
    yield _(
        "the squad was built with other cards or rules than the installed ones: check it again"
    )
    if roster.version is not None:
        return
    for release in packs.open_releases(roster.pack).list_releases():
        released = checkers.load_pack(roster.pack, release.version).checker
        if released is not None and digest == _hash_data(released):
            form = _(
                "the squad was built with release {version}; add the line `version: "
                "{version}` to check it against that release"
            )
            yield _(form, version=release.version)


def format_json(result: CheckedRoster) -> str:
    """Format a checked squad as JSON."""
    assert result.roster is not None
    return (
        json.dumps(simplify_roster(result.roster), ensure_ascii=False, indent=1) + "\n"
    )


def format_text(result: CheckedRoster, markdown: bool = False) -> str:
    """Format a squad as text or Markdown: a line for each model, with its equipment below."""
    squad_view = list_squad(result)
    assert squad_view is not None
    assert result.checker is not None
    names = Names(result.checker.pack, result.lang)
    title, details = _format_title(result, names)
    lines = [f"# {title}", "", details, ""] if markdown else [title, details, ""]
    bullet, inner_bullet = ("- ", "  - ") if markdown else ("", "  + ")
    for line in squad_view.lines:
        lines.append(_format_card(line.entry, bullet))
        lines += [_format_card(card, inner_bullet) for card in line.attachments]
    lines += [_format_card(card, bullet) for card in squad_view.deck]
    currency = names.choose_name(result.checker.pack.manifest.roster.currency, "")
    unit = pick_unit_form(currency, squad_view.total)
    total = f"{names.translate(_('Total'))}: {squad_view.total:.12g} {unit}".strip()
    return "\n".join([*lines, "", f"**{total}**" if markdown else total]) + "\n"


def _format_title(result: CheckedRoster, names: Names) -> tuple[str, str]:
    """Return the name of a squad, and a line with its game, play format and parameters."""
    assert result.checker is not None
    assert result.squad is not None
    pack, roster = result.checker.pack, result.squad.roster
    game = names.choose_name(pack.manifest.name, pack.id)
    details = [game]
    if roster.play_format in pack.formats:
        play_format = roster.play_format or ""
        details.append(names.choose_name(pack.formats[play_format].name, play_format))
    for name, value in result.squad.params.items():
        details.append(
            f"{names.name_param(name)}: {names.name_param_value(name, value)}"
        )
    return roster.get_name(result.lang) or game, ", ".join(details)


def _format_card(card: CardLine, bullet: str) -> str:
    count = f"{card.count}× " if card.count > 1 else ""
    cost = f" ({card.total:.12g})" if card.total else ""
    remarks = f" — {'; '.join(card.remarks)}" if card.remarks else ""
    return f"{bullet}{count}{card.name}{cost}{remarks}"


def draw_qr_svg(text: str) -> bytes:
    """Draw a text as a QR code in SVG, with a quiet zone."""
    out = io.BytesIO()
    # The standard demands a quiet zone of 4 modules.
    make_qr_code(text).save(
        out, kind="svg", border=4, scale=1, xmldecl=False, svgns=True, nl=True
    )
    return out.getvalue()


def draw_qr_path(text: str) -> tuple[int, str] | None:
    """Return the modules per side of a text's QR code, and an SVG path of the dark ones.

    None if the text is too long or the library is missing.
    """
    try:
        return draw_code(text)
    # The library is optional, and a large squad does not fit into a code.
    except (ToolMissing, UsageError):
        return None


def draw_qr_text(text: str) -> str:
    """Draw a text as a QR code of characters for a terminal."""
    out = io.StringIO()
    make_qr_code(text).terminal(out=out, compact=True)
    return out.getvalue()
