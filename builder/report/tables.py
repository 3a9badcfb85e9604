"""What a table changes, card by card and field by field. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.errata.change import ABSENT, LeafChange
from builder.messages import gettext as _, ngettext, translate
from builder.model.base import dotted
from builder.model.words import term
from builder.report.release import PLAIN, show, words


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a table makes of one card: `new`, `changed` or `gone`. A leaf's last step names the language of a
    translation: `name@de`.
    """

    file: str
    what: str
    leaves: tuple[LeafChange, ...] = ()


def as_text(changes: Sequence[TableChange], lang: str) -> str:
    """For the terminal: a line a card, below it a line a field."""
    lines = []
    for change in changes:
        lines.append(f"{translate(term(change.what), lang)} {change.file}")
        lines += [f"    {dotted(leaf.path)}: {_leaf(leaf, lang)}" for leaf in change.leaves]
    count = ngettext("{count} card differs", "{count} cards differ", len(changes))
    return "\n".join([*lines, translate(count if changes else _("Nothing differs."), lang), ""])


def _leaf(leaf: LeafChange, lang: str) -> str:
    if leaf.old is ABSENT:
        return show(leaf.new, lang)
    pieces = "".join(PLAIN[piece.kind].format(piece.text) for piece in words(leaf.old, leaf.new))
    return pieces or f"{show(leaf.old, lang)} -> {show(leaf.new, lang)}"
