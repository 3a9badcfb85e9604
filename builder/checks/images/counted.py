"""The files of an order against its own manifest: none lost, none added, none changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.shop import Order

MISSING = define(
    "preflight/file-missing",
    _("A file that the manifest names is not there"),
    _("The cards on it would not be printed."),
    _("Copy the whole order again, or build it anew."),
)
STRANGE = define(
    "preflight/file-unlisted",
    _("A file is not named in the manifest"),
    _("The shop may print it as well, as one card too many, or take it for another's back."),
    _("Take it out of the folder, or build the order anew."),
    Severity.WARNING,
)
CHANGED = define(
    "preflight/file-changed",
    _("A file is not the one that the manifest was written for"),
    _("It was changed by hand or copied badly; what the manifest says of it may no longer hold."),
    _("Build the order anew if the change was not meant."),
    Severity.WARNING,
)
PAGES = define(
    "preflight/page-count",
    _("A file has not as many pages as its manifest says"),
    _("Cards are lost or printed too often, and the backs after them shift."),
    _("Build the order anew."),
)
UNREADABLE = define(
    "preflight/file-unreadable",
    _("A file cannot be read"),
    _("It is damaged, cut short, locked or no file of this sort: the shop cannot read it either."),
    _("Export it again."),
)
MANIFEST = define(
    "preflight/manifest",
    _("The manifest of the order cannot be followed"),
    _("Without it the files cannot be held against what was ordered."),
    _("Build the order anew, or judge it by the shop it was made for."),
    Severity.WARNING,
)


@dataclass(frozen=True, slots=True)
class Present:
    """A file that is there: its SHA-256, and its pages (None where it could not be read)."""

    sha256: str
    pages: int | None


def check(order: Order, present: Mapping[str, Present]) -> Iterator[Finding]:
    """What stands against a folder with a manifest; `present` by path within it."""
    listed = {file.name: file for file in order.files}
    for name, file in listed.items():
        found, place = present.get(name), Location(file=name)
        if found is None:
            ids = [card.id for card in order.cards if any(spot.file == name for spot in (*card.fronts, *card.backs))]
            shown = ", ".join(ids[:3])
            cards = _("{listed} and {rest} more", listed=shown, rest=len(ids) - 3) if len(ids) > 3 else shown
            yield MISSING.finding(_("is missing; on it: {listed}", listed=cards) if ids else _("is missing"), place)
        elif found.pages is not None and found.pages != file.pages:
            message = _("pages: {many}; the manifest counts {counted}", many=found.pages, counted=file.pages)
            yield PAGES.finding(message, place)
        elif found.sha256 != file.sha256:
            yield CHANGED.finding(_("not the file that the manifest was written for"), place)
    for name in present:
        if name not in listed:
            yield STRANGE.finding(_("the manifest does not name this file"), Location(file=name))
