"""Rosters of three invented game systems, written in all formats that the reader knows.

`make_skirmish` has single models, `make_regiments` units with models and weapons, `make_fleet`
squadrons within squadrons. All names and texts are made up for these tests.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
CHILDREN = (
    "costs",
    "costLimits",
    "categories",
    "rules",
    "profiles",
    "selections",
    "forces",
)
SINGULARS = {"categories": "category"}

Node = dict[str, Any]


def cost(value: float, name: str = "pts", type_id: str = "points") -> Node:
    return {"name": name, "typeId": type_id, "value": value}


def profile(name: str, type_name: str, values: Mapping[str, str]) -> Node:
    return {
        "id": f"profile-{name}-{type_name}",
        "name": name,
        "hidden": False,
        "typeId": f"type-{type_name}",
        "typeName": type_name,
        "characteristics": [
            {"name": column, "typeId": f"column-{column}", "$text": text}
            for column, text in values.items()
        ],
    }


def rule(name: str, text: str) -> Node:
    return {"id": f"rule-{name}", "name": name, "hidden": False, "description": text}


def category(name: str, primary: bool = False) -> Node:
    return {
        "id": f"in-{name}",
        "name": name,
        "entryId": f"category-{name}",
        "primary": primary,
    }


def selection(name: str, kind: str = "upgrade", number: int = 1, **parts: Any) -> Node:
    return {
        "id": f"selection-{name}",
        "name": name,
        "entryId": f"link-{name}::entry-{name}",
        "number": number,
        "type": kind,
        **parts,
    }


def make_roster(name: str, system: str, total: float, forces: Sequence[Node]) -> Node:
    return {
        "id": f"roster-{name}",
        "name": name,
        "battleScribeVersion": "2.03",
        "gameSystemId": f"system-{system}",
        "gameSystemName": system,
        "gameSystemRevision": 3,
        "costs": [cost(total)],
        "costLimits": [cost(total + 50)],
        "forces": list(forces),
    }


def make_skirmish() -> Node:
    """Five models with a stat line each; two of them are equal."""
    stat = {"Move": '6"', "Nerve": "4+", "Guard": "3", "Wounds": "8"}
    blade = profile(
        "Tide blade", "Weapons", {"Reach": "1", "Dice": "4", "Damage": "2/3"}
    )
    crossbow = profile(
        "Crossbow", "Weapons", {"Reach": "12", "Dice": "3", "Damage": "1/4"}
    )
    watch = rule(
        "Night watch",
        "Once a turn, this model may **hold** its ground.<br>It then counts as ready.",
    )
    captain = selection(
        "Lamp captain",
        "model",
        costs=[cost(30)],
        categories=[
            category("Leader", True),
            category("Faction: Lamplighters"),
            category("Human"),
        ],
        profiles=[profile("Lamp captain", "Model", {**stat, "Wounds": "12"})],
        rules=[watch],
        selections=[
            selection("Tide blade", profiles=[blade], costs=[cost(5)]),
            selection(
                "Signal lantern",
                profiles=[
                    profile(
                        "Signal lantern",
                        "Abilities",
                        {"Text": "Models within 6 see through fog."},
                    )
                ],
            ),
        ],
        customName="Old Wick",
        customNotes="Paint the lantern.",
    )
    guards = [
        selection(
            "Street guard",
            "model",
            costs=[cost(12)],
            categories=[category("Crew", True), category("Human")],
            profiles=[profile("Street guard", "Model", stat)],
            rules=[watch],
            selections=[selection("Crossbow", profiles=[crossbow])],
        )
        for _index in range(2)
    ]
    hound = selection(
        "Fog hound",
        "model",
        costs=[cost(9)],
        categories=[category("Crew", True), category("Beast")],
        profiles=[profile("Fog hound", "Model", {**stat, "Move": '8"', "Wounds": "5"})],
    )
    force = {
        "id": "force-lamps",
        "name": "Patrol",
        "entryId": "force-entry",
        "catalogueId": "catalogue-lamps",
        "catalogueRevision": 1,
        "catalogueName": "Lamplighters",
        "rules": [rule("Fog", "No model sees further than 18.")],
        "selections": [
            selection("Scenario size", costs=[cost(0)]),
            captain,
            *guards,
            hound,
        ],
        "categories": [category("Leader"), category("Crew")],
    }
    return make_roster("Harbour patrol", "Lamps and Fog", 30 + 5 + 24 + 9, [force])


def make_regiments() -> Node:
    """Units of several models, with weapons counted by model and long shared texts."""
    unit_stat = {"M": "5", "T": "4", "SV": "3+", "W": "2", "LD": "7+", "OC": "1"}
    rifle = profile(
        "Ash rifle",
        "Ranged Weapons",
        {
            "Range": '24"',
            "A": "2",
            "BS": "3+",
            "S": "4",
            "AP": "-1",
            "D": "1",
            "Keywords": "Volley",
        },
    )
    axe = profile(
        "Trench axe",
        "Melee Weapons",
        {
            "Range": "Melee",
            "A": "3",
            "WS": "3+",
            "S": "5",
            "AP": "0",
            "D": "1",
            "Keywords": "-",
        },
    )
    oath = profile(
        "Oath of ash",
        "Abilities",
        {
            "Description": "Each time this unit is chosen to fight, you can re-roll one hit. "
            * 3
        },
    )
    squad = selection(
        "Ash riflemen",
        "unit",
        costs=[cost(110)],
        categories=[
            category("Battleline", True),
            category("Infantry"),
            category("Faction: Ash Host"),
        ],
        profiles=[profile("Ash rifleman", "Unit", unit_stat), oath],
        rules=[
            rule(
                "Volley", "Weapons with this rule hit with one more die at half range."
            )
        ],
        selections=[
            selection(
                "Ash sergeant",
                "model",
                1,
                selections=[
                    selection("Trench axe", profiles=[axe]),
                    selection("Ash rifle", profiles=[rifle]),
                ],
            ),
            selection(
                "Ash rifleman",
                "model",
                4,
                selections=[selection("Ash rifle", number=4, profiles=[rifle])],
            ),
        ],
    )
    walker = selection(
        "Kiln walker",
        "model",
        costs=[cost(165)],
        categories=[category("Heavy", True), category("Vehicle")],
        profiles=[
            profile("Kiln walker", "Unit", {**unit_stat, "T": "10", "W": "12"}),
            oath,
        ],
        selections=[
            selection(
                "Furnace cannon",
                number=2,
                profiles=[
                    profile(
                        "Furnace cannon",
                        "Ranged Weapons",
                        {
                            "Range": '36"',
                            "A": "D6",
                            "BS": "3+",
                            "S": "9",
                            "AP": "-3",
                            "D": "3",
                            "Keywords": "Blast",
                        },
                    )
                ],
            )
        ],
    )
    battle = selection("Battle size", selections=[selection("Raid (500 points)")])
    force = {
        "id": "force-ash",
        "name": "Host",
        "catalogueId": "catalogue-ash",
        "catalogueName": "Ash Host",
        "selections": [battle, squad, walker],
    }
    return make_roster("Kiln road", "Ash Wars", 275, [force])


def make_fleet() -> Node:
    """Nested squadrons, nested forces, and a total that is larger than its parts."""
    stat = {"Hull": "6", "Speed": "9", "Arc": "120"}
    gun = profile(
        "Long nine", "Gun Damage", {"Band": "2", "Dice": "5", "Effect": "Hull breach"}
    )

    def ship(name: str) -> Node:
        return selection(
            name,
            "model",
            costs=[cost(20)],
            profiles=[profile(name, "Ship", stat)],
            selections=[selection("Long nine", number=2, profiles=[gun])],
        )

    flight = selection(
        "Second flight",
        selections=[ship("Gull"), ship("Tern")],
        categories=[category("Line", True)],
    )
    squadron = selection("First squadron", selections=[ship("Heron"), flight])
    inner = {
        "id": "force-inner",
        "name": "Vanguard",
        "catalogueName": "Isles",
        "selections": [ship("Petrel")],
    }
    outer = {
        "id": "force-outer",
        "name": "Fleet",
        "catalogueName": "Isles",
        "selections": [squadron],
        "forces": [inner],
    }
    return make_roster("Isle fleet", "Nine Seas", 85, [outer])


SYSTEMS = {"skirmish": make_skirmish, "regiments": make_regiments, "fleet": make_fleet}


def write_xml(roster: Node) -> bytes:
    """Return a BattleScribe file."""
    body = _write_element("roster", {"xmlns": NAMESPACE, **roster})
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}'.encode()


def _write_element(name: str, node: Mapping[str, Any]) -> str:
    attributes, inner = [], []
    for key, value in node.items():
        if key == "$text":
            inner.append(escape(str(value)))
        elif key in ("description", "customNotes"):
            inner.append(f"<{key}>{escape(str(value))}</{key}>")
        elif isinstance(value, list):
            child_name = SINGULARS.get(key, key.removesuffix("s"))
            items = "".join(_write_element(child_name, child) for child in value)
            inner.append(f"<{key}>{items}</{key}>" if items else f"<{key}/>")
        else:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            attributes.append(f" {key}={quoteattr(text)}")
    return f"<{name}{''.join(attributes)}>{''.join(inner)}</{name}>"


def write_zip(roster: Node) -> bytes:
    """Return a packed BattleScribe file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("any name", write_xml(roster))
    return stream.getvalue()


def write_new_recruit(roster: Node) -> bytes:
    """Return a New Recruit file."""
    return json.dumps(
        {"roster": {**roster, "generatedBy": "test", "xmlns": NAMESPACE}}
    ).encode()


def write_list_forge(roster: Node) -> bytes:
    """Return a ListForge file: the game system is named outside of the roster."""
    system = {key: roster[key] for key in ("gameSystemId", "gameSystemName")}
    inner = {key: value for key, value in roster.items() if key not in system}
    return json.dumps(
        {
            "id": "x",
            "name": roster["name"],
            "generatedBy": "List Forge",
            **system,
            "roster": inner,
        }
    ).encode()


def write_link(roster: Node) -> bytes:
    """Return a ListForge link."""
    packed = base64.b64encode(gzip.compress(write_list_forge(roster)))
    return b"https://example.org/#/listforge/" + packed


WRITERS = {
    "xml": write_xml,
    "zip": write_zip,
    "new-recruit": write_new_recruit,
    "list-forge": write_list_forge,
    "link": write_link,
}
