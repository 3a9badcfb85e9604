"""What is wrong with files and command lines, in the language of `--lang`."""

from pathlib import Path

import pytest

from builder.cli.language import describe_missing_translation, get_interface_language
from builder.cli.main import main
from builder.messages import list_languages
from builder.packs.exchange import encode_token
from builder.packs.project import Project
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.verdict import simplify_roster
from tests.cli.every_pack import ROOT


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("LANGUAGE", "")  # given back after the test: click asks it
        monkeypatch.setattr("sys.argv", ["squadpress", *words])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


WRONG = """pack: hydrophilia
name: true
size: many
modee: competitive
entries:
  - {card: captain-davis, count: 0}
"""


def test_a_roster_that_is_none_is_reported_in_the_language_that_is_asked(
    run, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG, "utf-8")
    status, out, _ = run("roster", "check", str(file), "--lang", "ru")
    assert status == 1
    assert out.splitlines()[0] == f"НЕЗАКОНЕН {file}  (не читается)"
    assert (
        out.splitlines()[1]
        == f"  {file}:2:7: ошибка schema/type: name — true или false (true), а нужно: текст"
    )
    assert "Может быть, mode?" in out
    assert "не меньше 1" in out
    assert (
        out == run("roster", "check", str(file))[1]
    )  # the pack's own language where none is asked
    assert (
        "name is true or false (true), but must be a text"
        in run("roster", "check", str(file), "--lang", "en")[1]
    )


def test_a_file_that_is_no_yaml_is_reported_with_its_place(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "wrong.yaml"
    file.write_text("pack: hydrophilia\nname: a: b\n", "utf-8")
    out = run("roster", "check", str(file), "--lang", "ru")[1].splitlines()
    assert out[1].startswith(f"  {file}:2:8: ошибка yaml/syntax: это не YAML (")
    assert out[1].endswith("): name: a: b")
    assert (
        out[2].strip() == "Текст, в котором есть двоеточие с пробелом, берут в кавычки."
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("roster", "chek", "--lang", "ru"), "Команды 'chek' нет. Может быть, check?"),
        (("roster", "check", "--lang=ru"), "не хватает аргумента 'FILE...'"),
        (
            ("roster", "check", "x", "--frmat", "text", "--lang", "ru"),
            "опции '--frmat' нет. Может быть, что-то из этого: '--format', '--play-format'?",
        ),
        (
            ("check", "--format", "xml", "--lang", "ru"),
            "можно только 'text', 'json', 'sarif', 'github'.",
        ),
        (
            ("roster", "complete", "x", "--count", "70", "--lang", "ru"),
            "'--count': 70: можно только 1<=x<=50.",
        ),
        (("check", "hydrophila", "--lang", "ru"), "Может быть, hydrophilia?"),
        (
            ("roster", "check", "nowhere.yaml", "--lang", "ru"),
            "не читается: такого файла нет",
        ),
        (
            ("roster", "open", "SQP1.abc", "--lang", "ru"),
            "контрольная сумма не сходится",
        ),
    ],
)
def test_a_wrong_command_line_is_answered_in_russian(
    run, words: tuple[str, ...], said: str
) -> None:  # type: ignore[no-untyped-def]
    status, _, err = run(*words)
    assert status in (2, 3)
    assert said in err
    assert "rror" not in err


def test_open_says_in_russian_that_the_cards_differ(run) -> None:  # type: ignore[no-untyped-def]
    (checked_squad,) = check_roster_files(
        Project(ROOT), (ROOT / "cards/hydrophilia/rosters/legal-davis-cordon.yaml",)
    )
    assert checked_squad.roster is not None
    text = encode_token({"r": simplify_roster(checked_squad.roster), "d": "0" * 12})
    status, out, err = run("roster", "open", text, "--lang", "ru")
    assert (status, out.splitlines()[0]) == (0, "pack: hydrophilia")
    assert err.startswith("заметка: отряд собран с другими картами")
    assert run("roster", "open", text, "--lang", "en")[2].startswith(
        "note: the squad was built with other cards"
    )


def test_the_language_is_read_from_the_words_themselves() -> None:
    assert get_interface_language(["squadpress", "check"], {}) == "en"
    assert (
        get_interface_language(["squadpress", "check"], {"SQUADPRESS_LANG": "ru"})
        == "ru"
    )
    assert (
        get_interface_language(
            ["squadpress", "check", "--lang", "en"], {"SQUADPRESS_LANG": "ru"}
        )
        == "en"
    )
    assert get_interface_language(["squadpress", "check", "--lang", "ru"]) == "ru"
    assert get_interface_language(["squadpress", "check", "--lang=ru", "x"]) == "ru"
    assert get_interface_language(["squadpress", "--lang"], {}) == "en"


def test_the_language_of_cards_is_that_of_the_program_only_where_nothing_else_names_one() -> (
    None
):
    russian = {"SQUADPRESS_LANG": "ru"}
    assert (
        get_interface_language(["squadpress", "build", "--lang", "all"], russian)
        == "ru"
    )
    assert get_interface_language(["squadpress", "build", "--lang=en"], russian) == "ru"
    assert (
        get_interface_language(
            ["squadpress", "build", "--lang", "tlh", "--lang=ru"], {"LANG": "C.UTF-8"}
        )
        == "ru"
    )
    assert (
        get_interface_language(
            ["squadpress", "--interface-lang", "en", "build", "--lang=ru"], russian
        )
        == "en"
    )


def test_the_system_names_the_language_too() -> None:
    assert (
        get_interface_language(["squadpress", "check"], {"LANG": "ru_RU.UTF-8"}) == "ru"
    )
    assert (
        get_interface_language(
            ["squadpress", "check"], {"LANG": "ru_RU.UTF-8", "SQUADPRESS_LANG": "en"}
        )
        == "en"
    )
    assert (
        get_interface_language(
            ["squadpress", "check"], {"LC_ALL": "ru", "LANG": "en_US.UTF-8"}
        )
        == "ru"
    )
    assert (
        get_interface_language(
            ["squadpress", "check", "--lang", "en"], {"LANG": "ru_RU.UTF-8"}
        )
        == "en"
    )


def test_a_language_that_is_named_and_not_translated_is_reported(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    assert not describe_missing_translation(
        ["squadpress", "check"], {"LANG": "tlh", "SQUADPRESS_LANG": "de_DE.UTF-8"}
    )
    monkeypatch.setenv("SQUADPRESS_LANG", "tlh")
    status, out, err = run("check", "hydrophilia")
    assert (status, out) == (0, "no errors or warnings\n")
    assert err.startswith(
        "squadpress is not translated into tlh. Available languages: de, en, ru. "
    )


def test_words_that_are_not_compiled_are_not_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tlh" / "LC_MESSAGES").mkdir(parents=True)
    monkeypatch.setattr("builder.messages.LOCALE_FOLDER", str(tmp_path))
    list_languages.cache_clear()
    try:
        assert list_languages() == ("en",)
    finally:
        list_languages.cache_clear()


def test_a_difference_and_its_impact_are_reported_in_russian(
    run, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    out = run(
        "release", "diff", "1.0.0", "2.0.0", "--pack", "hydrophilia", "--lang", "ru"
    )[1].splitlines()
    assert (
        out[0] == "hydrophilia: 1.0.0 -> 2.0.0, 1 новая карточка, изменено 6 карточек"
    )
    assert (
        out[1]
        == "переименована gyrfalcon (Кречет), была falcon, ревизия 1 -> 2: переименована"
    )
    assert "              цена: 2 -> 3 (ослабление)" in out
    file = tmp_path / "squad.yaml"
    entries = "[{card: engineer-varga, id: v}, {card: remora, count: 2, controller: v}, {card: hydroid, count: 5}, hunter]"
    file.write_text(
        f"pack: hydrophilia\nname: X\nsize: 30\nmode: competitive\nentries: {entries}\n",
        "utf-8",
    )
    status, told, _ = run(
        "release",
        "impact",
        "1.0.0",
        "2.0.0",
        str(file),
        "--pack",
        "hydrophilia",
        "--lang",
        "ru",
    )
    assert status == 1
    lines = [
        "СТАЛ НЕЗАКОНЕН {}  X  27 -> 32",
        "    изменились: Прилипала, Гидроид, Охотник",
        "    points: ",
    ]
    assert told.startswith("\n".join(lines).format(file))
    assert "(из-за изменений: Гидроид)" in told
    assert (
        "1 отряд: законных 0, переставших быть законными 1, незаконных и раньше 0\n"
        in told
    )
    english = run(
        "release",
        "impact",
        "1.0.0",
        "2.0.0",
        str(file),
        "--pack",
        "hydrophilia",
        "--lang",
        "en",
    )[1]
    assert "(because of Hydroid)" in english


def test_releases_obey_the_environment(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("SQUADPRESS_LANG", "en")
    assert run("release", "impact", "1.0.0", "2.0.0", "--pack", "hydrophilia")[
        1
    ].startswith("points · Hydroid: cost: ")
    output = run("release", "notes", "1.0.0", "2.0.0", "--pack", "hydrophilia")[1]
    assert output.count("# Hydrophilia: what changed in 2.0.0") == 1
    assert "Гидрофилия" not in output


def test_a_file_that_is_not_there_may_be_misspelt(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "squad.yaml").write_text("", "utf-8")
    assert (
        f"Did you mean {tmp_path / 'squad.yaml'}?"
        in run("roster", "check", str(tmp_path / "squat.yaml"))[2]
    )
    result = run(
        "preflight",
        str(tmp_path / "nosuch.pdf"),
        "--preset",
        "makeplayingcards",
        "--lang",
        "en",
    )
    assert result[2].endswith("\n  Check the name.\n")


def test_repairs_that_read_alike_are_reported_once(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (file := tmp_path / "squad.yaml").write_text(
        "pack: hydrophilia\nname: X\nsize: 30\nmode: competitive\n"
        "entries: [{card: captain-davis, attachments: [cordon-shield, cordon-shield]}]\n"
    )
    assert (
        "Simplest fixes: remove Cordon Shield.\n"
        in run("roster", "check", str(file), "--lang", "en")[1]
    )


def test_the_environment_may_name_the_language(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "wrong.yaml"
    file.write_text("pack: hydrophilia\nname: a: b\n", "utf-8")
    monkeypatch.setenv("SQUADPRESS_LANG", "en")
    assert run("roster", "check", str(file))[1].startswith("ILLEGAL")
    monkeypatch.setenv("SQUADPRESS_LANG", "ru")
    assert run("roster", "check", str(file))[1].startswith("НЕЗАКОНЕН")
    assert run("check", "hydrophilia")[1] == "замечаний нет\n"
    assert "Может быть, hydrophilia?" in run("check", "hydrophila")[2]
