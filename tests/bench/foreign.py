"""A project with a pack that none of ours resembles.

The design that the bench's targets are measured with.

Each card has two faces: a photo, ten values, a table of attacks, four abilities and running text,
in plain HTML with flex. All words are made up from syllables, the same in every run.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.house.source import ROOT

PACK, KIND, LANG = "harbour", "vessel", "en"
PHOTO_COUNT = 40
PHOTO_PIXELS = (620, 480)
STATS = (
    "hull",
    "speed",
    "sail",
    "crew",
    "guard",
    "depth",
    "cargo",
    "watch",
    "nerve",
    "range",
)
SYLLABLES = (
    "ka",
    "lo",
    "mir",
    "den",
    "sut",
    "ra",
    "vel",
    "ont",
    "ber",
    "shi",
    "gan",
    "tol",
    "ry",
    "mes",
    "pa",
    "quil",
)

MANIFEST = """id: harbour
name: {en: Harbour}
languages: {source: en}
distance_unit: cm
fonts: [font-roboto]
roster:
  currency: {en: pts}
kinds:
  vessel:
    name: {en: Vessel}
    role: entry
    size: {width: 63, height: 88, corner: 3, bleed: 3, safe: 3}
    faces: [front, back]
    frame_by: []
    order_by: [name]
    fit:
      title: {sizes: [12, 10.5, 9], heading: true}
      abilities: {sizes: [7.5, 7, 6.5, 6]}
      story: {sizes: [8, 7, 6.5]}
"""

FRONT = """<img class="photo" src="art/{{ card.art }}" alt="">
<header class="bar"><div class="title fit fit-title">{{ card.name }}</div>
<div class="cost">{{ card.cost }}</div></header>
<div class="stats">{% for name, value in card.stats.items() %}
<div class="cell"><span class="label">{{ name }}</span><span class="value">{{ value }}</span></div>
{%- endfor %}</div>
<div class="marks">{% for name in ["sail", "crew", "guard"] %}
<img class="sign" src="signs/{{ name }}.svg" alt="">{% endfor %}</div>
<div class="abilities fit fit-abilities">{% for ability in card.abilities.values() %}
<p><b>{{ ability.name }}.</b> {{ ability.text | rich }}</p>{% endfor %}</div>
"""

BACK = """<header class="bar"><div class="title fit fit-title">{{ card.name }}</div></header>
<table class="attacks"><tr><th>Attack</th><th>Reach</th><th>Hits</th><th>Force</th></tr>
{% for attack in card.attacks.values() %}<tr><td>{{ attack.name }}</td><td>{{ attack.reach }}</td>
<td>{{ attack.hits }}</td><td>{{ attack.force }}</td></tr>{% endfor %}</table>
<div class="story fit fit-story">{{ card.story | rich }}</div>
<footer class="foot"><img class="sign" src="signs/hull.svg" alt=""><span>{{ card.id }}</span></footer>
"""

STYLE = """.face { font-family: Roboto, sans-serif; background: #f6f1e4; color: #221d16; }
.photo { position: absolute; left: 0; top: 0; width: 69mm; height: 40mm; object-fit: cover; }
.bar { position: absolute; left: 6mm; top: 6mm; width: 57mm; height: 7mm; display: flex; background: #221d16;
  color: #fff; border-radius: 1mm; }
.title { flex: 1; height: 6mm; padding: 0.5mm 2mm; font-weight: 700; }
.cost { width: 8mm; text-align: center; font-size: 12pt; font-weight: 700; }
.stats { position: absolute; left: 6mm; top: 41mm; width: 57mm; display: flex; flex-wrap: wrap; }
.cell { width: 10.6mm; height: 6mm; margin: 0.2mm; display: flex; border: 0.2mm solid #8a7c63; background: #fff; }
.sign { width: 4mm; height: 4mm; margin: 0.8mm; }
.marks { position: absolute; left: 44mm; top: 34mm; width: 20mm; height: 6mm; display: flex; }
.label { width: 6mm; font-size: 5pt; line-height: 5.6mm; }
.value { font-size: 9pt; font-weight: 700; line-height: 5.6mm; }
.abilities { position: absolute; left: 6mm; top: 55mm; width: 57mm; height: 33mm; line-height: 1.2; }
.abilities p { margin: 0 0 0.8mm 0; }
.attacks { position: absolute; left: 6mm; top: 15mm; width: 57mm; border-collapse: collapse; font-size: 7.5pt; }
.attacks th { text-align: left; border-bottom: 0.3mm solid #221d16; }
.attacks td { border-bottom: 0.1mm solid #8a7c63; padding: 0.4mm 0; }
.story { position: absolute; left: 6mm; top: 42mm; width: 57mm; height: 40mm; line-height: 1.3; }
.foot { position: absolute; left: 6mm; top: 83mm; width: 57mm; height: 5mm; display: flex; font-size: 6pt; }
"""

SIGN = (
    '<svg xmlns="http://www.w3.org/2000/svg" '
    'viewBox="0 0 10 '
    '10"><path '
    'fill="none" '
    'stroke="#8a2c1d" '
    'stroke-width="1.2" d="M1 {0} L5 1 L9 {0} '
    'Z"/><circle '
    'cx="5" cy="6" '
    'r="{1}" '
    'fill="#8a2c1d"/></svg>'
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "vessel.schema.json",
    "title": "Vessel",
    "description": "A card of the bench.",
    "allOf": [{"$ref": "../core/card.schema.json"}],
    "properties": {
        "art": {"description": "The photo.", "type": "string"},
        "stats": {
            "description": "Ten values.",
            "type": "object",
            "additionalProperties": {"type": "integer"},
        },
        "abilities": {
            "description": "Abilities by id.",
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "name": {
                        "description": "Its name.",
                        "type": "string",
                        "x-text": "plain",
                    },
                    "text": {
                        "description": "Its rules.",
                        "type": "string",
                        "x-text": "rich",
                    },
                },
            },
        },
        "attacks": {
            "description": "Attacks by id.",
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "name": {
                        "description": "Its name.",
                        "type": "string",
                        "x-text": "plain",
                    },
                    "reach": {"description": "Its reach.", "type": "integer"},
                    "hits": {"description": "Its hits.", "type": "integer"},
                    "force": {"description": "Its force.", "type": "integer"},
                },
            },
        },
        "story": {
            "description": "The back's text.",
            "type": "string",
            "x-text": "rich",
        },
    },
    "required": ["art", "stats", "abilities", "attacks", "story"],
    "unevaluatedProperties": False,
}


def make_project(folder: Path, count: int, engine: str = "") -> Path:
    """Write a project with `count` cards into a folder. `engine` is fixed in pack.yaml if given."""
    for part in (
        "schemas/core",
        "templates/base",
        "templates/profiles",
        "templates/presets",
    ):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True)
    templates, cards = folder / "templates" / PACK, folder / "cards" / PACK
    _write(
        folder / "schemas" / PACK / f"{KIND}.schema.json", json.dumps(SCHEMA, indent=1)
    )
    _write(cards / "pack.yaml", MANIFEST + (f"engine: {engine}\n" if engine else ""))
    _write(cards / "vocabulary.yaml", "keywords: {}\n")
    _write(cards / "rules.yaml", "rules: []\n")
    _write(templates / KIND / "front.html.j2", FRONT)
    _write(templates / KIND / "back.html.j2", BACK)
    _write(templates / KIND / "card.css", STYLE)
    _write(templates / "pack.css", ".face p { margin: 0; }\n")
    for index, name in enumerate(STATS):
        _write(
            templates / "signs" / f"{name}.svg",
            SIGN.format(8 + index % 2, 1 + index / 5),
        )
    _write_photos(cards / "art")
    write_cards(folder, count)
    return folder


def write_cards(folder: Path, count: int) -> None:
    """Write the cards that are missing of the first `count`."""
    writer = YAML(typ="safe")
    writer.default_flow_style = False
    for index in range(count):
        path = folder / "cards" / PACK / KIND / f"vessel-{index:05}.yaml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8") as file:
                writer.dump(make_card(index), file)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _write_photos(folder: Path) -> None:
    """Write JPEG photos of blurred noise, which take as many bytes as scenery."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    for index in range(PHOTO_COUNT):
        noise = random.Random(index).randbytes(160 * 120 * 3)
        photo = Image.frombytes("RGB", (160, 120), noise).resize(
            PHOTO_PIXELS, Image.Resampling.BICUBIC
        )
        photo.save(folder / f"photo-{index:02}.jpg", quality=85)


def make_card(index: int) -> dict[str, Any]:
    chance = random.Random(index)
    names = iter(range(100))
    return {
        "id": f"vessel-{index:05}",
        "kind": KIND,
        "name": _make_name(chance, chance.choice((1, 1, 2, 2))),
        "cost": chance.randint(3, 40),
        "revision": 1,
        "released": "2026-02-01",
        "history": [
            {
                "revision": 1,
                "released": "2026-02-01",
                "type": "rules",
                "note": {"en": "First printing."},
            }
        ],
        "art": f"photo-{index % PHOTO_COUNT:02}.jpg",
        "stats": {name: chance.randint(1, 12) for name in STATS},
        "abilities": {
            f"a{next(names)}": {
                "name": _make_name(chance, 1),
                "text": _make_text(chance, chance.randint(3, 8)),
            }
            for _ability in range(4)
        },
        "attacks": {
            f"b{next(names)}": {
                "name": _make_name(chance, 2),
                "reach": chance.randint(1, 30),
                "hits": chance.randint(1, 9),
                "force": chance.randint(1, 9),
            }
            for _attack in range(chance.randint(2, 4))
        },
        "story": _make_text(chance, chance.randint(40, 70)),
    }


def _make_words(chance: random.Random, count: int) -> Iterator[str]:
    for _word in range(count):
        yield "".join(chance.choices(SYLLABLES, k=chance.randint(1, 3)))


def _make_name(chance: random.Random, words: int) -> str:
    return " ".join(_make_words(chance, words)).capitalize()


def _make_text(chance: random.Random, words: int) -> str:
    return " ".join(_make_words(chance, words)).capitalize() + "."
