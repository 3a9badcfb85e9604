"""What a face depends on, as one hash: its address in the cache."""

import hashlib
import json
from functools import cache

from builder.cache import fingerprint
from builder.model.card import Card
from builder.model.pack import Pack
from builder.render.engine import DEFAULT, adapter
from builder.render.fonts import fonts_hash


@cache
def engine_hash(engine: str = DEFAULT) -> str:
    """The programs and fonts that set a face. The engine itself is not imported."""
    made_by = fingerprint(
        "render",
        "geometry",
        "model",
        but=("render/cluster", "render/prepress", "render/shared_store"),
        libraries=("fonttools", "jinja2"),
    )
    return digest(made_by, fonts_hash(), adapter(engine).fingerprint())


def digest(*parts: str) -> str:
    """A hash of some texts, in order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def card_hash(pack: Pack, card: Card, lang: str) -> str:
    """Everything a card's own files say in a language."""
    strings = pack.translations.get(lang, {}).get(card.id, {})
    texts = {path: string.text for path, string in sorted(strings.items())}
    envelope = card.model_dump(mode="json", exclude={"history"})
    return digest(json.dumps([envelope, dict(card.data), texts], ensure_ascii=False, sort_keys=True, default=str))


def words_hash(pack: Pack) -> str:
    """The vocabulary and the parts of the manifest that templates print."""
    manifest = pack.manifest
    shown = (manifest.id, str(dict(manifest.name)), manifest.distance_unit, manifest.languages.source)
    return digest(*shown, pack.vocabulary.model_dump_json())
