"""What libraries say stays as they say it, and is told in Russian where its wording is known."""

from __future__ import annotations

import pytest

from builder.messages import translate
from builder.render.html.foreign import known


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "Ignored `width:banana` at 3:17, invalid value.",
            "в стиле пропущено `width:banana` (3:17): такое значение не годится",
        ),
        (
            "Failed to load image at 'file:///pack/art/a.png': FileNotFoundError: the pack has no file art/a.png",
            "картинку 'file:///pack/art/a.png' не загрузить: файла art/a.png в игре нет",
        ),
        ("no label is called 'prize'; is it 'price'?", "неизвестно: подпись 'prize'; может быть, 'price'?"),
        ("'dict object' has no attribute 'x'", "в 'dict object' нет 'x'"),
        ("a phrase of nobody: {it} stays", "a phrase of nobody: {it} stays"),
    ],
)
def test_a_known_wording_is_told_with_what_stands_in_its_gaps(message: str, told: str) -> None:
    assert known(message) == message
    assert translate(known(message), "ru") == told
