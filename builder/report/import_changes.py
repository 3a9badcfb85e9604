"""Formats what a newer list changes in an imported pack. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.errata.change import LeafChange, Value
from builder.messages import gettext as _, ngettext, translate
from builder.model.base import DataPath, Json, look_up
from builder.model.words import get_term
from builder.report.release import TableChange, format_leaf, format_value

UNREPORTED_KEYS = ("code_side",)
"""Keys of measures, which follow from other values."""


@dataclass(frozen=True, slots=True)
class ListChange(TableChange):
    """A change of a card or squad that a newer list causes. `value` is the changed file's data."""

    value: Mapping[str, Json] | None = None
    is_squad: bool = False


def format_import_changes(changes: Sequence[ListChange], lang: str) -> str:
    """Format changes for the terminal: one line per file, one indented line per changed value."""
    lines = []
    for change in changes:
        lines.append(f"{translate(get_term(change.what), lang)} {change.file}")
        leaves = [
            leaf for leaf in change.leaves if leaf.path[-1] not in UNREPORTED_KEYS
        ]
        lines += [
            f"    {_format_leaf_change(change.value or {}, leaf, lang)}"
            for leaf in leaves
        ]
    card_count = sum(not change.is_squad for change in changes)
    if card_count == len(changes):
        summary = ngettext("{count} card changed", "{count} cards changed", card_count)
    elif card_count:
        summary = ngettext(
            "{count} card and the squad changed",
            "{count} cards and the squad changed",
            card_count,
        )
    else:
        summary = _("The squad changed.")
    lines.append(translate(summary, lang))
    return "".join(f"{line}\n" for line in lines)


def _format_leaf_change(value: Mapping[str, Json], leaf: LeafChange, lang: str) -> str:
    """Format one changed value of a card, such as `Shield, text: old -> new`."""
    key = leaf.path[-1]
    if key == "code":
        return translate(_("The text of the QR code is updated."), lang)
    label = _find_label(value, leaf.path)
    if key == "values" and label:
        if "total" in value:
            label = translate(_("{name} on the title card", name=label), lang)
        old_cells = _format_cells(leaf.old, lang)
        return f"{label}: {old_cells} -> {_format_cells(leaf.new, lang)}"
    path = f"{label}, {key}" if label else str(key)
    return f"{path}: {format_leaf(leaf, lang)}"


def _find_label(value: Mapping[str, Json], path: DataPath) -> str:
    """Return the name of the innermost row, text or entry around a value. Empty if it has none."""
    for length in range(len(path) - 1, 0, -1):
        item = look_up(value, path[:length])
        if isinstance(item, dict):
            for key in ("name", "title", "card"):
                if item.get(key):
                    return str(item[key])
    return ""


def _format_cells(cells: Value, lang: str) -> str:
    """Join the cells of a table row with commas."""
    return (
        ", ".join(map(str, cells))
        if isinstance(cells, list)
        else format_value(cells, lang)
    )
