"""A face's key covers all that its template can read, also fields of later versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, make_dataclass, replace
from typing import Any

import pytest
from pydantic import create_model

from builder.model.base import Model
from builder.model.pack import Faction, Manifest, Pack, Term, Vocabulary
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.html.view import (
    CardValues,
    PackValues,
    TemplateWords,
    collect_card_values,
    collect_pack_values,
)
from builder.render.jobs import FaceJob
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders

OTHER_VALUES: dict[str, Any] = {
    "name": {"en": "Other"},
    "vocabulary": Vocabulary(),
    "keywords": ("other",),
    "cost": 99.5,
    "revision": 99,
    "data": {"other": 1},
    "translations": {"other": "text"},
}
"""Values that are no text."""
JOB = FaceJob("spirit", "front", "de", card="dusk-moth")


@pytest.fixture
def pack(lanterns: Project) -> Pack:
    loaded = load_pack(lanterns, "lanterns").pack
    assert loaded is not None
    return loaded


def renderer_of(project: Project, pack: Pack) -> Renderer:
    return Renderer(pack, get_render_folders(project, "lanterns"))


@pytest.mark.parametrize("name", [field.name for field in fields(PackValues)])
def test_each_field_of_a_pack_that_a_template_can_read_is_part_of_the_hash(
    pack: Pack, name: str
) -> None:
    text = collect_pack_values(pack)
    assert (
        replace(text, **{name: OTHER_VALUES.get(name, "other")}).hash_fields()
        != text.hash_fields()
    )


@pytest.mark.parametrize("name", [field.name for field in fields(CardValues)])
def test_each_field_of_a_card_that_a_template_can_read_is_part_of_the_hash(
    pack: Pack, name: str
) -> None:
    text = collect_card_values(pack, pack.cards["dusk-moth"], "de")
    value = "other" if name == "name" else OTHER_VALUES.get(name, "other")
    assert replace(text, **{name: value}).hash_fields() != text.hash_fields()


@pytest.mark.parametrize("model", [PackValues, CardValues])
def test_a_field_that_is_added_to_what_templates_read_is_part_of_the_hash(
    pack: Pack, model: type[PackValues | CardValues]
) -> None:
    text = (
        collect_pack_values(pack)
        if model is PackValues
        else collect_card_values(pack, pack.cards["dusk-moth"], "de")
    )
    wider = make_dataclass(
        "Wider", [("added", str)], bases=(model,), frozen=True, slots=True
    )
    known = {field.name: getattr(text, field.name) for field in fields(text)}
    hashes = {wider(**known, added=value).hash_fields() for value in ("one", "two")}
    assert len(hashes) == 2


WORD_MODELS = [
    (Term, "keywords"),
    (Term, "stats"),
    (Term, "terms"),
    (Faction, "factions"),
    (Vocabulary, ""),
]


@pytest.mark.parametrize(("model", "table"), WORD_MODELS)
def test_a_field_that_is_added_to_a_model_of_words_changes_the_key(
    lanterns: Project, pack: Pack, model: type[Model], table: str
) -> None:
    wider: Any = create_model("Wider", __base__=model, added=(str, ""))
    values: dict[str, Any] = {"name": {"en": "x"}} if table else {}
    keys = set()
    for added in ("one", "two"):
        word = wider(**{**values, "added": added})
        if table:
            words: Any = create_model(
                "WiderWords", __base__=Vocabulary, **{table: (Mapping[str, wider], {})}
            )
            word = words(**{table: {"x": word}})
        keys.add(renderer_of(lanterns, replace(pack, vocabulary=word)).make_key(JOB))
    assert len(keys) == 2


def leaves(
    value: object, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values of a JSON value that hold no others."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else None
    )
    if inner is None:
        yield path
        return
    for key, part in inner:
        yield from leaves(part, (*path, key))


def with_other_leaf(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return the same value with another one at a path."""
    if not path:
        return 7 if value != 7 else 8
    if isinstance(value, dict):
        return {**value, path[0]: with_other_leaf(value[path[0]], path[1:])}
    return [
        with_other_leaf(part, path[1:]) if at == path[0] else part
        for at, part in enumerate(value)
    ]


def test_each_value_of_the_own_fields_of_a_card_changes_its_key_and_no_other(
    lanterns: Project, pack: Pack
) -> None:
    before = renderer_of(lanterns, pack)
    for card in pack.cards.values():
        job = replace(JOB, card=card.id, kind=card.kind)
        for path in leaves(dict(card.data)):
            other = card.model_copy(
                update={"data": with_other_leaf(dict(card.data), path)}
            )
            after = renderer_of(
                lanterns, replace(pack, cards={**pack.cards, card.id: other})
            )
            assert after.make_key(job) != before.make_key(job), (card.id, path)
            if card.id != "dusk-moth":
                assert after.make_key(JOB) == before.make_key(JOB)


CHANGES: dict[str, dict[str, Any]] = {
    "name": {"name": {"en": "Other"}},
    "distance_unit": {"distance_unit": "cm"},
    "id": {"id": "other"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_template_prints_of_the_manifest_changes_the_key(
    lanterns: Project, pack: Pack, change: dict[str, Any]
) -> None:
    other = replace(pack, manifest=pack.manifest.model_copy(update=change))
    assert renderer_of(lanterns, other).make_key(JOB) != renderer_of(
        lanterns, pack
    ).make_key(JOB)


def test_what_no_template_can_read_does_not_change_the_key(
    lanterns: Project, pack: Pack
) -> None:
    other = replace(
        pack,
        manifest=pack.manifest.model_copy(
            update={"authors": ("Somebody",), "license": "CC0"}
        ),
    )
    assert renderer_of(lanterns, other).make_key(JOB) == renderer_of(
        lanterns, pack
    ).make_key(JOB)


def test_each_field_of_a_wanted_face_changes_its_key(
    lanterns: Project, pack: Pack
) -> None:
    renderer = renderer_of(lanterns, pack)
    others: dict[str, Any] = {
        "kind": "clearing",
        "side": "back",
        "lang": "en",
        "variant": "ink",
        "card": "old-wick",
        "frame": (("faction", "x"),),
        "min_steps": (("body", 1),),
    }
    assert {field.name for field in fields(FaceJob)} == others.keys()
    for name, value in others.items():
        assert renderer.make_key(replace(JOB, **{name: value})) != renderer.make_key(
            JOB
        ), name


def test_templates_reach_nothing_but_what_is_hashed(
    lanterns: Project, pack: Pack
) -> None:
    renderer = renderer_of(lanterns, pack)
    words = renderer.get_words("de")
    assert not [
        value for value in vars(words).values() if isinstance(value, Pack | Manifest)
    ]
    assert isinstance(words, TemplateWords)
    context = renderer._make_context(JOB, words)
    assert context.keys() == {"lang", "pack", "face", "variant", "card", "faction"}
    envelope = {
        "id",
        "kind",
        "name",
        "keywords",
        "revision",
        "released",
        "cost",
        "faction",
    }
    card = context["card"]
    assert isinstance(card, Mapping)
    assert set(card) <= envelope | set(pack.cards["dusk-moth"].data)
