"""Check that the pack's engine can print every language in its direction."""

from collections.abc import Iterator

from builder.findings import Finding
from builder.model.languages import (
    DIRECTION,
    describe_unsupported_direction,
    get_text_direction,
)
from builder.model.loaded import LoadedPack


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Report languages written from right to left, if the pack's engine cannot print them."""
    manifest = loaded.whole.manifest
    # PlutoPrint prints all languages, and the choice of an engine considers them.
    if manifest.engine != "weasyprint":
        return
    place = loaded.sources["pack.yaml"].locate(("languages",), key=True)
    for lang in manifest.languages.all:
        if get_text_direction(lang) == "rtl":
            yield DIRECTION.finding(describe_unsupported_direction(lang), place)
