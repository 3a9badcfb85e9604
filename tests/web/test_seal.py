"""A squad is sealed for an opponent, who sees models, then revealed and proved cards."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from builder.web.squads.models import SavedSquad, SquadSeal
from tests.house.source import ROOT

LEGAL = ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml"


@pytest.fixture
def seal(client: Client) -> str:
    """Return the address of the seal of a legal squad, as its owner has it."""
    squad = client.post("/import", {"text": LEGAL.read_text(encoding="utf-8")})[
        "Location"
    ]
    answer = client.post(f"{squad}/seals")
    assert answer.status_code == 302
    return str(answer["Location"])


def theirs(seal: str) -> str:
    return seal.replace("/seals/", "/sealed/")


def test_an_opponent_sees_the_models_and_nothing_they_carry(
    client: Client, seal: str
) -> None:
    page = Client(headers={"accept-language": "en"}).get(theirs(seal)).content.decode()
    assert "Engineer Varga" in page
    assert "Welding Set" not in page
    mark = re.search(r'class="mark large">([0-9a-f ]{39})<', page)
    assert mark is not None
    assert mark[1] in client.get(seal).content.decode()  # the same that the owner has
    assert Client().get(seal).status_code == 404
    assert Client().get(f"{seal}/key.json").status_code == 404


def test_a_card_is_revealed_and_proved_and_no_other(client: Client, seal: str) -> None:
    buttons = re.findall(
        r'value="open (#1\.\d)" aria-label="Reveal ([^"]+)"',
        client.get(seal).content.decode(),
    )
    secret, card = buttons[0]
    opponent = Client(headers={"accept-language": "en"})
    assert opponent.get(f"{theirs(seal)}/proof.json").status_code == 404
    assert (
        opponent.post(seal, {"do": f"open {secret}"}).status_code == 404
    )  # only the owner reveals
    client.post(seal, {"do": f"open {secret}"})
    page = opponent.get(theirs(seal)).content.decode()
    assert card in page
    assert "as sealed" in page
    assert buttons[1][1] not in page


def test_a_whole_squad_is_proved_though_it_was_changed_after_sealing(
    client: Client, seal: str
) -> None:
    row = SavedSquad.objects.get()
    client.post(f"/squads/{row.pk}/edit", {"do": "remove 1 engineer-varga"})
    assert "engineer-varga" not in SavedSquad.objects.get().text
    client.post(seal, {"do": "open whole"})
    page = Client(headers={"accept-language": "en"}).get(theirs(seal)).content.decode()
    assert "Everything is revealed and proved" in page
    assert "Welding Set" in page


def test_files_of_both_sides_are_held_against_each_other(
    client: Client, seal: str
) -> None:
    client.post(seal, {"do": "open whole"})
    opponent = Client(headers={"accept-language": "en"})
    files = [
        opponent.get(f"{theirs(seal)}/{name}.json").content
        for name in ("copy", "proof")
    ]

    def proved(copy: bytes, proof: bytes) -> str:
        form = {
            "copy-file": SimpleUploadedFile("a", copy),
            "proof-file": SimpleUploadedFile("b", proof),
        }
        return opponent.post("/prove", form).content.decode()

    assert 'class="proof"' in proved(*files)
    cheat = json.loads(files[0])
    cheat["roster"]["entries"].pop()
    assert 'class="unproved"' in proved(json.dumps(cheat).encode(), files[1])
    alone = opponent.post(
        "/prove", {"copy": files[0].decode(), "proof": ""}
    ).content.decode()
    assert "Engineer Varga" in alone
    assert opponent.post("/prove", {"copy": "{}", "proof": ""}).status_code == 400
    assert opponent.post("/prove", {"copy": "{", "proof": "{"}).status_code == 400


def test_only_a_legal_squad_is_sealed(client: Client, squad: str) -> None:
    assert client.post(f"{squad}/seals").status_code == 400
    assert not SquadSeal.objects.exists()


def test_what_is_not_sealed_cannot_be_opened(client: Client, seal: str) -> None:
    assert client.post(seal, {"do": "open #9.9"}).status_code == 400
    assert SquadSeal.objects.get().opened == []
