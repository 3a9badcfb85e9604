import json
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from builder.findings import Finding
from builder.model.card import Translation
from builder.usecases.check_pack import check_packs
from tests.checks.projects import lay_over


def findings(tmp_path: Path, card: str) -> list[Finding]:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    path = project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml"
    path.write_text(card, "utf-8")
    return [
        one
        for one in check_packs(project, "lanterns")
        if one.location.file == "cards/lanterns/spirit/dusk-moth.yaml"
    ]


def test_all_mistakes_of_a_card_are_reported_with_place_value_and_fix(
    tmp_path: Path,
) -> None:
    card = """id: dusk-moth
kind: spirit
naem: Dusk Moth
faction: moorland
keywords: mothling
cost: -1
revision: 1
released: 2026-13-01
lumen: "1"
waft: 8
scarcity: lots
carries: [brow, plam]
tricks: {flit: {name: Flit, txet: away}}
"""
    told = {(one.location.line, one.code): one for one in findings(tmp_path, card)}
    assert sorted(told) == [
        (1, "schema/missing-property"),
        (3, "schema/unknown-property"),
        (5, "schema/type"),
        (6, "schema/range"),
        (8, "schema/date"),
        (9, "schema/type"),
        (11, "schema/pattern"),
        (12, "schema/value"),
        (13, "schema/missing-property"),
        (13, "schema/unknown-property"),
    ]
    assert told[3, "schema/unknown-property"].hint == "Did you mean name?"
    assert told[12, "schema/value"].hint == "Did you mean palm?"
    assert told[13, "schema/unknown-property"].hint == "Did you mean text?"
    assert (
        told[5, "schema/type"].message
        == 'keywords is a text ("mothling"), but must be a list'
    )
    assert '"lots"' in told[11, "schema/pattern"].message


def test_a_date_that_does_not_exist_is_found(tmp_path: Path) -> None:
    card = (
        "id: dusk-moth\nkind: spirit\nname: M\nrevision: 1\nreleased: "
        "2026-02-30\nlumen: "
        "1\nwaft: 1\nscarcity: 1\n"
    )
    (found,) = findings(tmp_path, card + "carries: []\ntricks: {}\n")
    assert (found.location.line, found.code) == (5, "schema/date")
    assert found.message == 'released is "2026-02-30", a date that does not exist'


def test_a_card_that_is_no_map(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "- a\n- b\n")
    assert (found.code, found.hint[:26]) == (
        "schema/type",
        "Fields: art, art_credit, a",
    )


def test_a_broken_vocabulary_makes_no_word_unknown(tmp_path: Path) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    path = project.get_cards_dir("lanterns") / "vocabulary.yaml"
    for text in ("keywords: [", path.read_text("utf-8").replace("stats:", "stast:")):
        path.write_text(text, "utf-8")
        (found,) = check_packs(project, "lanterns")
        assert found.location.file == "cards/lanterns/vocabulary.yaml"


def test_a_word_or_a_number_names_both(tmp_path: Path) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    schema = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    told = json.loads(schema.read_text("utf-8"))
    told["properties"]["lumen"] = {
        "description": "L.",
        "oneOf": [{"type": "integer"}, {"const": "boundless"}],
    }
    schema.write_text(json.dumps(told), "utf-8")
    card = next(
        path for path in (project.get_cards_dir("lanterns") / "spirit").rglob("*.yaml")
    )
    card.write_text(
        re.sub(r"(?m)^lumen: .*", "lumen: plenty", card.read_text("utf-8")), "utf-8"
    )
    messages = [finding.message for finding in check_packs(project, "lanterns")]
    assert 'lumen is "plenty", but must be boundless, or a whole number' in messages


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "ranged",
            (
                'lumen is {"type": "ranged"}, but must be: a map '
                "with type, reach; a map with type, template"
            ),
        ),
        ("thrown", 'type is "thrown", but must be one of ranged, melee'),
    ],
)
def test_a_word_that_several_forms_share_is_not_called_wrong(
    tmp_path: Path, written: str, message: str
) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    schema = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    told, forms = (
        json.loads(schema.read_text("utf-8")),
        (("ranged", "reach"), ("ranged", "template"), ("melee",)),
    )
    told["properties"]["lumen"] = {
        "oneOf": [
            {
                "type": "object",
                "properties": {"type": {"const": word}},
                "required": ["type", *more],
            }
            for word, *more in forms
        ]
    }
    schema.write_text(json.dumps(told), "utf-8")
    card = next(
        path for path in (project.get_cards_dir("lanterns") / "spirit").rglob("*.yaml")
    )
    card.write_text(
        re.sub(
            r"(?m)^lumen: .*", f"lumen: {{type: {written}}}", card.read_text("utf-8")
        ),
        "utf-8",
    )
    assert message in [finding.message for finding in check_packs(project, "lanterns")]


@pytest.mark.parametrize("written", ["12345678", "1e5"])
def test_a_hash_that_yaml_takes_for_a_number_is_explained(
    tmp_path: Path, written: str
) -> None:
    project = lay_over(tmp_path / "no-case", tmp_path / "project")
    path = (
        project.get_cards_dir("lanterns")
        / "i18n"
        / "de"
        / "charm"
        / "willow-flute.yaml"
    )
    path.write_text(
        re.sub(
            r"(name: .*source: ).*\}", rf"\g<1>{written}}}", path.read_text("utf-8")
        ),
        "utf-8",
    )
    found = [
        one
        for one in check_packs(project, "lanterns")
        if one.location.file.endswith("de/charm/willow-flute.yaml")
    ]
    assert [one.code for one in found] == ["schema/type"]
    assert 'source: "..."' in found[0].hint


def test_an_id_may_have_a_hundred_letters() -> None:
    long = "-".join(["nine-and-ninety"] * 6) + "-abcd"
    assert len(long) == 100
    assert Translation(id=long).id == long
    with pytest.raises(ValidationError):
        Translation(id=long + "e")
