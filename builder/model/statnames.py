"""Numbers that stats.yaml names once and uses often: `{named: x}` is replaced by what `let` says, before anything else.

A name of the form goes before one of the file, so that one table may serve several forms.
"""

from __future__ import annotations

from collections.abc import Mapping

from builder.messages import gettext as _


def expand(raw: object) -> object:
    """The file with every known name replaced. ValueError where names stand for each other in a circle."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("attacks"), list | tuple):
        return raw
    common = _names(raw)
    return {**raw, "attacks": [_form(form, common) for form in raw["attacks"]]}


def _form(form: object, common: Mapping[str, object]) -> object:
    """One form with its own names and the file's."""
    if not isinstance(form, Mapping):
        return form
    names = {**common, **_names(form)}
    return {key: item if key == "let" else _replaced(item, names, ()) for key, item in form.items()}


def _names(part: Mapping[str, object]) -> Mapping[str, object]:
    found = part.get("let")
    return found if isinstance(found, Mapping) else {}


def _replaced(value: object, names: Mapping[str, object], under: tuple[str, ...]) -> object:
    """A value with the names inside it replaced, `under` being those that are being replaced."""
    if isinstance(value, list | tuple):
        return [_replaced(item, names, under) for item in value]
    if not isinstance(value, Mapping):
        return value
    name = value.get("named")
    if isinstance(name, str) and len(value) == 1 and name in names:
        if name in under:
            raise ValueError(_("`let` goes in a circle: {listed}", listed=" → ".join((*under, name))))
        return _replaced(names[name], names, (*under, name))
    return {key: _replaced(item, names, under) for key, item in value.items()}
