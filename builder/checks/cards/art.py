"""Pictures that cards name lie in the pack's art folder."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath

from builder.findings import Finding
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.spelling import suggestion
from builder.tongue.told import Told

UNKNOWN_ART = define(
    "cards/unknown-art",
    "No such picture",
    "A missing picture would leave a hole in the printed card.",
    "Put the file under cards/<pack>/art/, or correct its name.",
)
ART_OUTSIDE = define(
    "cards/art-outside",
    "A picture outside the pack",
    "A pack is complete in itself and opens no other file of the machine that sets it.",
    "Copy the picture into cards/<pack>/art/ and name it from there.",
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
                yield ART_OUTSIDE.finding(Told("{name} does not lie in the pack's art folder", name=name), place)
            elif normpath(name) not in loaded.art:
                hint = suggestion(name, loaded.art, "Pictures here")
                yield UNKNOWN_ART.finding(Told("there is no picture {name}", name=name), place, hint)
