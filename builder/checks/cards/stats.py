"""stats.yaml: every field it looks at stands on some card."""

from __future__ import annotations

from collections.abc import Iterator

from builder.findings import Finding
from builder.model.base import Json, Path
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.spelling import suggestion
from builder.rules.attacks import sources

UNKNOWN_FIELD = define(
    "stats/unknown-field",
    "The statistics look at a field that no card has",
    "A misspelt field counts as not stated, and the attack would be counted as another one.",
    "Correct the field's name in stats.yaml; paths inside a card are written with dots.",
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every field that a form of attack names: of the target, of the model, of the attack, and where attacks stand."""
    document, pack = loaded.sources.get("stats.yaml"), loaded.pack
    if pack is None or loaded.stats is None or document is None or not isinstance(document.value, dict):
        return
    cards = tuple(pack.cards.values())
    fields = sorted({name for card in cards for name in card.data})
    forms = document.value.get("attacks")
    for index, (form, raw) in enumerate(
        zip(loaded.stats.attacks, forms if isinstance(forms, list) else (), strict=True)
    ):
        attacks = [data for card in cards for _, data in sources(form, card)]
        own = sorted({name for data in attacks for name in data})
        for path, whose, name in _named(raw, ("attacks", index)):
            if whose == "attack":
                known, words = not attacks or name.partition(".")[0] in own, own
            else:
                known, words = any(card.field(name) is not None for card in cards), fields
            if not known:
                what = "attack" if whose == "attack" else "card"
                yield UNKNOWN_FIELD.finding(
                    f"no {what} has the field {name}", document.locate(path), suggestion(name, words, "Fields")
                )


def _named(value: Json, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Every field that a form names: place, whose it is, its path. Conditions name fields in their own way."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _named(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("attack", "model", "target", "from") and isinstance(item, str):
                yield (*path, key), key, item
            elif key != "where":
                yield from _named(item, (*path, key))
