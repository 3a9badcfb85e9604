"""`squadpress new --layout`.

Packs that look finished, in the languages, kinds and sizes that are asked for.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from builder.cli.tables.new import new
from builder.errors import UsageError
from builder.packs.project import LAYOUTS, find_project
from builder.packs.scaffold import (
    SAMPLE_LANGUAGES,
    list_layouts,
    list_pack_files,
    write_project,
)
from builder.usecases.check_pack import check_packs

ASKED = (
    *(
        "poker",
        "tarot",
        "mini",
        "square",
        "picture",
        "ship",
        "sheet",
        "mission",
        "folder",
    ),
    *("unit", "event", "tokens", "reference"),
)
NAME_BY_LANG = {"en": "Old Fox", "de": "Alter Fuchs", "ru": "Старый Лис"}


def test_all_layouts_are_there():
    assert set(list_layouts()) >= set(ASKED)


@pytest.mark.parametrize(
    "langs", [("en", "ru"), ("ru",), ("ru", "en"), ("de", "en")], ids="-".join
)
def test_a_pack_of_all_layouts_passes_its_check(
    tmp_path: Path, langs: tuple[str, ...]
) -> None:
    kinds = {f"kind-{name}": name for name in ASKED}
    pack, _written = write_project(
        tmp_path / "all", list_pack_files(kinds, langs, None)
    )
    assert check_packs(find_project(tmp_path / "all"), None) == ()
    folder = tmp_path / "all" / "cards" / pack
    assert sorted(path.name for path in folder.glob("i18n/*")) == sorted(langs[1:])
    text = (folder / "kind-poker" / "old-fox.yaml").read_text("utf-8")
    assert f"name: {NAME_BY_LANG[langs[0]]}" in text
    assert not any(b"__pack__" in path.read_bytes() for path in folder.rglob("*.yaml"))
    assert not any(
        b"__kind__" in path.read_bytes() for path in (tmp_path / "all").rglob("*.j*")
    )


def test_kinds_of_one_layout_have_cards_of_their_own(tmp_path: Path) -> None:
    write_project(
        tmp_path / "two",
        list_pack_files({"gear": "mini", "relic": "mini"}, ("en",), (41, 63)),
    )
    assert (tmp_path / "two/cards/two/relic/relic-warm-cloak.yaml").is_file()
    assert "width: 41" in (tmp_path / "two/cards/two/pack.yaml").read_text("utf-8")
    assert check_packs(find_project(tmp_path / "two"), None) == ()


def test_the_command_takes_layout_kinds_languages_and_size(tmp_path: Path) -> None:
    words = [
        str(tmp_path / "a"),
        "--layout",
        "mission",
        "--kind",
        "gear=mini",
        "--lang",
        "en",
    ]
    new.main(words, standalone_mode=False)
    kinds = find_project(tmp_path / "a").get_cards_dir("a")
    assert {path.name for path in kinds.iterdir() if path.is_dir()} == {
        "art",
        "gear",
        "mission",
    }
    for words in (
        ["--layout", "pokr"],
        ["--kind", "poker"],
        ["--size", "9x9"],
        ["--lang", "english"],
    ):
        with pytest.raises(UsageError):
            new.main([str(tmp_path / "b"), *words], standalone_mode=False)
        assert not (tmp_path / "b").exists()


def test_a_layout_that_is_not_there_is_reported_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        list(list_pack_files({"": "pokr"}, ("en",), None))
    assert "poker" in str(caught.value.remedy)


@pytest.mark.parametrize(
    "file", sorted(LAYOUTS.rglob("*.yaml")), ids=lambda file: file.stem
)
def test_each_text_is_in_three_languages(file: Path) -> None:
    """A text that lacks a language would stay a map in the cards of a new pack."""
    languages = [set(texts) for texts in list_texts(YAML(typ="safe").load(file))]
    assert [each for each in languages if each != SAMPLE_LANGUAGES] == []


def list_texts(value: object) -> Iterator[dict[str, str]]:
    """Yield the maps of languages inside a value."""
    if isinstance(value, dict) and "en" in value:
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from list_texts(item)


def test_german_samples_are_german(tmp_path: Path) -> None:
    kinds = {name: name for name in ASKED}
    write_project(tmp_path / "furt", list_pack_files(kinds, ("de", "en"), None))
    folder = tmp_path / "furt" / "cards" / "furt"
    translations = "".join(
        path.read_text("utf-8") for path in folder.glob("i18n/en/*/*.yaml")
    )
    # Only numbers and two names are the same in both languages.
    same = [line for line in translations.splitlines() if "same: true" in line]
    assert all(
        re.search(r"text: ['\"]?(?:\d|Mission|Banner)", line) for line in same
    ), same
