"""Files as newcomers write them: each error names its place once and how to go on."""

import json
from pathlib import Path

import pytest

from builder.model.base import Model
from builder.model.gauge import GaugeSet
from builder.model.pack import Manifest
from builder.model.product import ProductSet
from builder.model.roster import Roster
from builder.model.rules import RuleSet
from builder.model.stats import StatsFile
from builder.packs.schema.validation import parse_model
from builder.packs.yaml.reading import parse_document
from builder.usecases.check_pack import check_packs
from tests.checks.projects import lay_over

RULE = "rules:\n  - {id: a, title: {en: A}, source: x, type: limit, measure: count, "
GAUGE = "groups:\n  - id: a\n    title: {en: A}\n    gauges:\n      - {id: r, name: {en: R}, "
DECK = "products:\n  box:\n    name: {en: B}\n    decks: {a: {cards: ["
CASES: list[tuple[type[Model], str, list[str]]] = [
    (
        RuleSet,
        RULE + "max: three}",
        ['max is a text ("three"), but must be a number or a map'],
    ),
    (RuleSet, RULE + "max: {params: size}}", ["params is not a known field"]),
    (
        RuleSet,
        RULE.replace("count", "cost") + "max: 3}",
        ['measure is "cost", but must be count, or a map'],
    ),
    (
        RuleSet,
        RULE.replace("limit", "limits") + "max: 3}",
        ['type is "limits", but must be one of limit, slots, allow,'],
    ),
    (
        RuleSet,
        RULE.replace("type: limit, ", "") + "max: 3}",
        ["type is missing in item 1 of rules"],
    ),
    (
        RuleSet,
        RULE.replace("x,", "12,") + "max: 3}",
        ["source is a whole number (12), but must be a text or a map"],
    ),
    (
        RuleSet,
        RULE + "max: 3, select: {where: {cost: {lt: few}}}}",
        ["lt is a text (", "a number or a map"],
    ),
    (
        RuleSet,
        RULE + "max: 3, select: {where: {cost: {lt: {othr: x}}}}}",
        ["other is missing", "othr is not a known field"],
    ),
    (
        RuleSet,
        RULE.replace("limit", "slots") + "slots: s, select: {from: entry}}",
        ['from is "entry", but', "measure is"],
    ),
    (
        RuleSet,
        "distances: [{id: a, source: x, cards: {}, to: end}]",
        ["one of centre, centre-line, nearest, or a map"],
    ),
    (
        GaugeSet,
        GAUGE + "type: stick, length: 5in}",
        ['type is "stick", but must be one of ruler, height-ruler,'],
    ),
    (
        GaugeSet,
        GAUGE + "type: ruler, length: five}",
        ["length: 'five' is not a length"],
    ),
    (GaugeSet, GAUGE + "type: ruler, length: 3000mm}", ["length: at most 2000"]),
    (
        GaugeSet,
        GAUGE + "type: ruler, length: 3000}",
        ["length is 3000, but must be at most 2000"],
    ),
    (
        GaugeSet,
        GAUGE + "type: panel, tracks: [{first: 1, last: 999999999999}]}",
        ["1 to 200 boxes"],
    ),
    (
        GaugeSet,
        GAUGE + "type: ruler, length: 5in, width: 5}",
        ["item 1 of gauges: width is 5 mm, but its scales"],
    ),
    (
        GaugeSet,
        GAUGE + "type: template, outline: {shape: box}}",
        ['shape is "box", but must be one of circle,'],
    ),
    (
        GaugeSet,
        GAUGE + "type: template, outline: {shape: polygon, points: [[0, 0], [10, 0]]}}",
        ["must be a list of at least 3"],
    ),
    (GaugeSet, "groups: []", ["groups is [], but must be a list of at least 1"]),
    (
        ProductSet,
        DECK + "old-fox]}}",
        ['item 1 of cards is a text ("old-fox"), but must be a map'],
    ),
    (
        ProductSet,
        DECK + "{card: a}]}}\n    gauges: all",
        ["gauges is a text (", "true or false or a list"],
    ),
    (
        ProductSet,
        DECK + "{card: a}]}}\n    gauges: [1]",
        ["item 1 of gauges is a whole number (1), but must be a text"],
    ),
    (
        RuleSet,
        RULE + "max: 3, when: 5}",
        ["when is a whole number (5), but must be a map"],
    ),
    (
        RuleSet,
        RULE + "max: 3, select: {from: [x]}}",
        ['from is ["x"], but must be one of entries, attachments, deck,'],
    ),
    (
        RuleSet,
        RULE.replace("id: a, ", "") + "max: 3}",
        ["id is missing in item 1 of rules"],
    ),
    (
        StatsFile,
        "let: {x: {cases: few, otherwise: 0}}",
        ['cases is a text ("few"), but must be a list'],
    ),
    (
        Manifest,
        "id: g\nname: G",
        ["kinds is missing", "languages is missing", "name is a text ("],
    ),
]


@pytest.mark.parametrize(("model", "text", "told"), CASES)
def test_each_mistake_is_reported_once_and_as_what_was_meant(
    model: type[Model], text: str, told: list[str]
) -> None:
    document, wrong = parse_document(text, "x.yaml")
    assert document is not None
    assert not wrong
    found = sorted(one.message for one in parse_model(model, document)[1])
    texts = ["\n".join(found)] if len(found) == 1 else found
    assert len(found) in (1, len(told)), found
    assert all(any(part in text for text in texts) for part in told), found
    assert "nothing" not in "".join(texts)


@pytest.mark.parametrize(
    ("model", "text", "hint"),
    [
        (
            GaugeSet,
            GAUGE + "type: ruler, length: 5in, width: 5}",
            "docs/gauges.md describes each file and its keys.",
        ),
        (
            Manifest,
            "name: G",
            "The game's name. Write it in each language: name: {en: G}.",
        ),
        (
            RuleSet,
            RULE + "max: [3]}",
            "Maximum. Fields: by, field, number, one_per, param, ratio,",
        ),
        (RuleSet, RULE.replace("limit", "limits") + "max: 3}", "Did you mean limit?"),
        (
            RuleSet,
            "rules: [null]",
            "For example: {id: ..., title: ..., source: ..., type: limit, measure: ...}.",
        ),
        (RuleSet, "- a list", "Fields: distances, order, rules."),
        (
            RuleSet,
            RULE.replace("count", "-7.5") + "max: 3}",
            "The quantity that is measured: number of cards, a sum, or the number of "
            "different values. Fields: count, distinct, sum.",
        ),
        (Manifest, "name: {en: {a: b}}", 'For example: en: "...".'),
        (
            Manifest,
            "id: My Game",
            "The pack's id: the name of its folder. For example: red-queen-2.",
        ),
        (Roster, "pack: g\nparams: {a: [1]}", 'For example: a: 3, a: "...".'),
        (
            Roster,
            "pack: g\nversion: 1.x",
            "The release it is pinned to; the current one if absent. For example: 1.4.0.",
        ),
        (RuleSet, "rules: {points: 3}", "The roster rules. For example: rules: [...]."),
    ],
)
def test_hints_lead_on(model: type[Model], text: str, hint: str) -> None:
    document, _wrong = parse_document(text, "x.yaml")
    assert document is not None
    assert any(one.hint.startswith(hint) for one in parse_model(model, document)[1])


FORMS = [
    {
        "properties": {"type": {"const": "hit"}, "n": {"type": "integer"}},
        "required": ["type", "n"],
    },
    {
        "properties": {"type": {"const": "move"}, "by": {"type": "integer"}},
        "required": ["type", "by"],
    },
]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{type: hitt, n: 3}", ['type is "hitt", but must be one of hit, move']),
        ("{}", ["type is missing in fx"]),
        ("{by: 3}", ["type is missing in fx"]),
        ("{type: move, by: far}", ['by is a text ("far"), but must be a whole number']),
        ("few", ['fx is a text ("few"), but must be a number or a map']),
    ],
)
def test_of_several_forms_of_a_kinds_schema_the_deciding_field_is_named(
    tmp_path: Path, written: str, told: list[str]
) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    path = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    forms = [{"type": "object", "additionalProperties": False, **one} for one in FORMS]
    schema["properties"]["fx"] = {"anyOf": [{"type": "number"}, *forms]}
    path.write_text(json.dumps(schema), "utf-8")
    card = next((project.get_cards_dir("lanterns") / "spirit").rglob("*.yaml"))
    card.write_text(f"{card.read_text('utf-8')}\nfx: {written}\n", "utf-8")
    assert [
        one.message
        for one in check_packs(project, "lanterns")
        if one.code.startswith("schema/")
    ] == told


def test_what_is_wrong_in_all_cards_is_reported_once_and_a_broken_schema_at_its_line(
    tmp_path: Path,
) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    path = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"lumen": {', '"lumne": {'), "utf-8")
    told = [
        one
        for one in check_packs(project, "lanterns")
        if one.code == "schema/unknown-property"
    ]
    assert len(told) == 1
    assert "lumen is not a known field; this applies to all" in told[0].message
    path.write_text(text.replace('"integer"', '"int"', 1), "utf-8")
    (broken,) = (
        one for one in check_packs(project, "lanterns") if one.code == "schema/broken"
    )
    assert broken.location.line == text[: text.index('"integer"')].count("\n") + 1
    assert (broken.hint, broken.message[:13]) == (
        "Did you mean integer?",
        'type is "int"',
    )


def test_what_an_item_of_a_list_lacks_is_reported_where_the_item_stands() -> None:
    document, _wrong = parse_document(
        "rules:\n  - {id: a}\n  - {title: {en: A}, type: limit}", "x.yaml"
    )
    assert document is not None
    assert {one.location.line for one in parse_model(RuleSet, document)[1]} == {2, 3}
