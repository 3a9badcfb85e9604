"""The pack's engine can print every language of the pack in its direction."""

from collections.abc import Iterator

from builder.findings import Finding
from builder.model.languages import DIRECTION, describe_unsupported_direction, text_direction
from builder.model.loaded import LoadedPack

RIGHT_TO_LEFT_ENGINES = frozenset({"plutoprint"})
"""Engines that print what is written from right to left."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Report the languages that the pack's engine cannot print."""
    manifest = loaded.whole.manifest
    if manifest.engine in RIGHT_TO_LEFT_ENGINES:
        return
    place = loaded.sources["pack.yaml"].locate(("languages",), key=True)
    for lang in manifest.languages.all:
        if text_direction(lang) == "rtl":
            yield DIRECTION.finding(describe_unsupported_direction(lang), place)
