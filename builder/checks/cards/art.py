"""Pictures that cards name lie in the pack's art folder."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.spelling import suggestion

UNKNOWN_ART = define(
    "cards/unknown-art",
    _("No such picture"),
    _("A missing picture would leave a hole in the printed card."),
    _("Put the file under cards/<pack>/art/, or correct its name."),
)
ART_OUTSIDE = define(
    "cards/art-outside",
    _("A picture outside the pack"),
    _("A pack is complete in itself and opens no other file of the machine that sets it."),
    _("Copy the picture into cards/<pack>/art/ and name it from there."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Mentions marked `x-ref: art`."""
    for card, mentions in loaded.mentions.items():
        for mention in mentions:
            if mention.ref != "art":
                continue
            place = loaded.documents[card].locate(mention.path, key=mention.key)
            name = mention.value
            if name.startswith(("/", "~")) or "\\" in name or ":" in name or normpath(name).startswith(".."):
                yield ART_OUTSIDE.finding(_("{name} does not lie in the pack's art folder", name=name), place)
            elif normpath(name) not in loaded.art:
                hint = suggestion(name, loaded.art, _("Pictures here"))
                yield UNKNOWN_ART.finding(_("there is no picture {name}", name=name), place, hint)
