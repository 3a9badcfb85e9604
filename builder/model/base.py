"""What all models share: frozen, strict about unknown keys, and the JSON value type."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints

Json: TypeAlias = JsonValue
"""A JSON value: what a card's own part (the part its kind's schema describes) may hold."""
Path: TypeAlias = tuple[str | int, ...]
"""A place inside a JSON value: keys and indices from the root."""
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
"""An id: lower-case Latin letters, digits and single hyphens."""
Lang = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]
"""A language tag such as `ru` or `pt-BR`."""
Localized = Mapping[Lang, str]
"""One short string per language (names in a manifest)."""
Mm: TypeAlias = float
"""A length in mm."""


class Model(BaseModel):
    """Base of all models: frozen; an unknown key is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def dotted(path: Path) -> str:
    """A path as people write it: `attacks.pistol.damage.0`."""
    return ".".join(str(part) for part in path)


def items_of(value: Json) -> Iterable[tuple[str | int, Json]]:
    """The values right inside a value with their keys or indices; none in a scalar."""
    return value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()


def walk(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every value inside a value with its path, itself first."""
    yield path, value
    for step, item in items_of(value):
        yield from walk(item, (*path, step))


def lookup(root: Json | Mapping[str, Json], path: Sequence[str | int]) -> Json:
    """The value at a path, or None where a step is missing."""
    value: object = root
    for part in path:
        if isinstance(value, Mapping):
            value = value.get(str(part))
        elif isinstance(value, Sequence) and not isinstance(value, str):
            try:
                value = value[int(part)]
            except (ValueError, IndexError):
                return None
        else:
            return None
    return cast("Json", value)
