"""gauges.yaml: icons that exist, names in every language of the pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.findings import Finding, Severity
from builder.messages import gettext as _
from builder.model.base import Json, Path
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.spelling import suggestion

UNKNOWN_ICON = define(
    "gauges/unknown-icon",
    _("A gauge names an icon that the pack does not have"),
    _("The place of the icon would stay blank in print."),
    _("Draw templates/<pack>/icons/<name>.svg, or correct the name."),
)
MISSING_LANGUAGE = define(
    "gauges/missing-language",
    _("A text of a gauge is missing in a language of the pack"),
    _("The sheet of that language would carry a word of another one."),
    _("Add the text in this language."),
    Severity.WARNING,
)

TEXTS = frozenset({"name", "note", "title", "label", "text", "base", "table", "sign"})
"""Keys whose value, where it is a map, is a text per language."""


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every icon and every text of the file."""
    document = loaded.sources.get("gauges.yaml")
    if loaded.pack is None or loaded.gauges is None or document is None:
        return
    languages = loaded.pack.manifest.languages.all
    for path, value in _values(document.value, ()):
        key = path[-1] if path else ""
        if key == "icon" and isinstance(value, str) and value not in loaded.pack.icons:
            hint = suggestion(value, sorted(loaded.pack.icons), _("Icons"))
            yield UNKNOWN_ICON.finding(_("there is no icon {value}", value=value), document.locate(path), hint)
        if key in TEXTS and isinstance(value, Mapping):
            missing = [lang for lang in languages if not value.get(lang)]
            if missing and value:
                message = _("{key} is missing in {where}", key=key, where=", ".join(missing))
                yield MISSING_LANGUAGE.finding(message, document.locate(path))


def _values(value: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    """Every value of a file with its place."""
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _values(item, (*path, index))
