"""The base of all models of files, the JSON value type, and names and paths inside values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, TypeAlias, cast, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from builder.messages import gettext as _

Json: TypeAlias = JsonValue
"""A JSON value, such as the part of a card that its kind's schema describes."""
DataPath: TypeAlias = tuple[str | int, ...]
"""The path of a value inside a JSON value: keys and indexes from the root."""
_ID = StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)
Id = Annotated[str, _ID, Field(examples=["red-queen-2"])]
"""An id: lower-case Latin letters, digits and single hyphens."""
RuleName = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9-]+(:[a-z0-9-]+)?$", max_length=300)
]
"""A rule's id. The rules of a play format have `FORMAT:ID`."""
LANG = r"^[a-z]{2,3}(-[A-Z]{2})?$"
Lang = Annotated[str, StringConstraints(pattern=LANG), Field(examples=["pt-BR"])]
"""A language tag such as `ru` or `pt-BR`."""
_VERSION = StringConstraints(pattern=r"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$")
VersionName = Annotated[str, _VERSION, Field(examples=["1.4.0"])]
"""A release's version: three numbers, such as `1.4.0`."""
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in hex."""


MAX_PATH_PARTS = 16
MAX_NAME_BYTES = 255
"""The longest name of a file that all common file systems can store."""


def _require_inner_path(path: str) -> str:
    """Return the path. Raise ValueError if it could lead out of its folder on any system."""
    parts = path.split("/")
    # Windows reads a backslash as a separator, and a colon as a drive or a data stream.
    is_portable = path.isprintable() and "\\" not in path and ":" not in path
    if (
        not is_portable
        or len(parts) > MAX_PATH_PARTS
        or not all(map(_is_inner_part, parts))
    ):
        raise ValueError(_("it is not a relative path below this folder"))
    return path


def _is_inner_part(part: str) -> bool:
    if part in ("", ".", ".."):
        return False
    # A lone surrogate has no UTF-8, and here it must not raise another error.
    return len(part.encode("utf-8", "replace")) <= MAX_NAME_BYTES


InnerPath = Annotated[str, AfterValidator(_require_inner_path)]
"""A file's path below the folder that the naming file speaks of, with `/`. Whatever a file names
and the program opens or writes is of this type, an id, a language or a version.
"""
Localized = Mapping[Lang, str]
"""One short string per language (names in a manifest)."""
WordForms: TypeAlias = Mapping[Lang, str | tuple[str, ...]]
"""A name per language, or several: the one that is printed, then its other forms in texts."""
Words: TypeAlias = str | Localized
"""A short text: one string for all languages (numbers, signs) or one per language."""
Mm: TypeAlias = float
"""A length in mm."""


@dataclass(frozen=True, slots=True)
class NameOf:
    """Marks a type of text that names something, such as `CardId` or `FieldName`.

    `sort` is the type of the thing. `read_name` extracts the name from the text. The result is
    empty if there is none. In a map the keys are names, or the values if `in_values` is True.
    """

    sort: str
    read_name: Callable[[str], str] = str
    in_values: bool = False


Announcement = Annotated[str, Field(pattern=r"^https?://[^\s<>\"]+$", max_length=2000)]
"""The address of the page on which a change was announced."""
CardId = Annotated[Id, NameOf("card")]
KindId = Annotated[Id, NameOf("kind")]
IconId = Annotated[Id, NameOf("icon")]
LinkName = Annotated[str, NameOf("link")]
ParamName = Annotated[str, NameOf("parameter")]
FieldName = Annotated[str, NameOf("field")]
"""The dotted path of a card's field, or `choice.NAME`. A step `{choice.NAME}` of a path is what was
chosen.
"""
CHOICE_STEP = re.compile(r"\{choice\.([^{}]+)\}")
"""A step of a path that is replaced by a choice, such as in `tools.{choice.tool}.type`."""


class Model(BaseModel):
    """The base of all models. They cannot be changed, and unknown keys are errors."""

    # A command uses few of the models, so each is built when it is first used.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    page: ClassVar[str] = "formats.md"
    """The page of docs/ that describes its file."""
    spread: ClassVar[str] = ""
    """The field whose entries a file states beside the other keys."""


def require_exactly_one(*names: str) -> object:
    """Return a validator that requires exactly one of these keys."""

    def check_one(model: Model) -> Model:
        fields = type(model).model_fields
        given_names: list[str] = []
        for name in names:
            default = fields[name].get_default(call_default_factory=True)
            # A key that only states its default counts as absent.
            if getattr(model, name) != default:
                given_names.append(name)
        if len(given_names) != 1:
            raise ValueError(_("give exactly one of {listed}", listed=", ".join(names)))
        return model

    return model_validator(mode="after")(check_one)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a file that refers to something by name.

    `ref` is the type of the named thing, from the schema's `x-ref` or the model's type: `card`,
    `card:KIND`, `keyword`, `stat`, `term`, `faction`, `icon`, `art`, or that of a `NameOf`. `key`
    is True if the name is a key of a map.
    """

    path: DataPath
    ref: str
    value: str
    key: bool = False


def find_mentions(
    value: object, path: DataPath = (), name_type: NameOf | None = None
) -> Iterator[Mention]:
    """Yield all names that a model and the models inside it refer to.

    `name_type` is the type of name that other values contain.
    """
    match value:
        case Model():
            for name, (step, name_of) in _list_field_names(type(value)).items():
                # A default is not in the file, so it has no location.
                if name in value.model_fields_set:
                    yield from find_mentions(
                        getattr(value, name), (*path, *step), name_of
                    )
        case str() if name_type and name_type.read_name(value):
            yield Mention(path, name_type.sort, name_type.read_name(value))
        case Mapping():
            yield from _find_mentions_in_map(value, path, name_type)
        case tuple():
            for index, item in enumerate(value):
                yield from find_mentions(item, (*path, index), name_type)


def _find_mentions_in_map(
    values: Mapping[str, object], path: DataPath, name_type: NameOf | None
) -> Iterator[Mention]:
    """Yield the names that the keys and values of a map refer to."""
    for key, item in values.items():
        if name_type and not name_type.in_values:
            yield Mention((*path, key), name_type.sort, key, key=True)
        item_sort = name_type if name_type and name_type.in_values else None
        yield from find_mentions(item, (*path, key), item_sort)


@cache
def _list_field_names(
    model: type[Model],
) -> Mapping[str, tuple[DataPath, NameOf | None]]:
    """Return, for each field of a model, its key in a file and what its value names."""
    names: dict[str, tuple[DataPath, NameOf | None]] = {}
    for name, field in model.model_fields.items():
        # The entries of the spread field are written beside the other keys, without a step.
        step: DataPath = () if name == model.spread else (field.alias or name,)
        # pydantic moves the outermost mark of an Annotated type from the annotation to metadata.
        names[name] = step, _find_name_of((field.annotation, *field.metadata))
    return names


def _find_name_of(types: Iterable[object]) -> NameOf | None:
    """Return the first NameOf in these types or inside them, or None."""
    for part in types:
        name_of = part if isinstance(part, NameOf) else _find_name_of(get_args(part))
        if name_of is not None:
            return name_of
    return None


def walk_models(
    root_model: object, is_skipped: Callable[[object], bool] = lambda _part: False
) -> Iterator[Model]:
    """Yield a model and all models inside it, in the order of the file.

    Models for which `is_skipped` is true are left out, with all inside them.
    """
    if isinstance(root_model, Model) and not is_skipped(root_model):
        yield root_model
        for name in type(root_model).model_fields:
            yield from walk_models(getattr(root_model, name), is_skipped)
    elif isinstance(root_model, tuple):
        for item in root_model:
            yield from walk_models(item, is_skipped)


def format_path(path: DataPath) -> str:
    """Return a path as text, such as "attacks.pistol.damage.0"."""
    return ".".join(str(part) for part in path)


def parse_path(path: str) -> DataPath:
    """Convert a text such as "attacks.pistol.damage.0" back to a path."""
    return tuple(int(step) if step.isdigit() else step for step in path.split("."))


def list_items(value: Json) -> Iterable[tuple[str | int, Json]]:
    """Return the items of a map or list with their keys or indexes. Empty for a scalar."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list):
        return enumerate(value)
    return ()


def walk_values(value: Json, path: DataPath = ()) -> Iterator[tuple[DataPath, Json]]:
    """Yield a value and every value inside it, with their paths."""
    yield path, value
    for step, item in list_items(value):
        yield from walk_values(item, (*path, step))


def get_map(value: Json) -> dict[str, Json]:
    """Return the value if it is a map, else an empty map."""
    return value if isinstance(value, dict) else {}


def look_up(root: Json | Mapping[str, Json], path: Sequence[str | int]) -> Json:
    """Return the value at a path inside a value, or None if there is none."""
    value: object = root
    for part in path:
        if isinstance(value, Mapping):
            value = value.get(str(part))
        # A text is a sequence too, but its letters have no paths.
        elif isinstance(value, Sequence) and not isinstance(value, str):
            try:
                value = value[int(part)]
            except (ValueError, IndexError):
                return None
        else:
            return None
    return cast("Json", value)
