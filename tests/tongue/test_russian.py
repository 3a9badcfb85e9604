"""Everything that is said to a player or an author in English can be said in Russian."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from builder.checks.registry import card_checks
from builder.checks.roster import codes as roster_codes
from builder.errata import codes as errata_codes
from builder.model.codes import CODES
from builder.store import codes as store_codes
from builder.store.models import BOUNDS as MODEL_BOUNDS
from builder.store.wording import TYPES
from builder.store.wording_schema import BOUNDS
from builder.tongue.russian import FORMS, TABLES
from builder.tongue.russian_files import SYSTEM
from builder.tongue.russian_yaml import SCANNER
from builder.tongue.told import Told
from tests.house.source import BUILDER, modules

FAILURES = {"UsageError", "InputUnreadable", "OutputNotWritten", "SquadpressError"}
SPEAKING = (
    "store/", "checks/cards/", "checks/roster/", "usecases/roster_", "usecases/opening", "usecases/select",
    "usecases/stats_files", "usecases/release_states", "usecases/translate", "cli/roster_", "cli/check",
)  # fmt: skip
"""Where everything is said through a Told: what `check` and the roster commands run."""


@cache
def speaking() -> tuple[tuple[str, ast.Call, str], ...]:
    return tuple(_calls())


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    for path in modules():
        place = path.relative_to(BUILDER).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                yield place, node, name


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*constants(node.body), *constants(node.orelse))


def gaps(form: str) -> set[str]:
    return set(re.findall(r"(?<!{){(\w+)(?:![rs])?(?::[^{}]*)?}", form))


def test_every_told_that_is_written_out_has_its_russian() -> None:
    known = {text for place, call, name in speaking() if name == "Told" for text in constants(call.args[0])}
    assert len(known) > 150
    assert sorted(known - FORMS.keys()) == []


def test_no_failure_is_put_together_from_english_pieces_where_players_and_authors_see_it() -> None:
    mixed, silent = [], []
    for place, call, name in speaking():
        if name not in FAILURES | {"finding"} or not place.startswith(SPEAKING):
            continue
        mixed += [f"{place}:{arg.lineno}" for arg in call.args if isinstance(arg, ast.JoinedStr | ast.BinOp)]
        silent += [text for arg in call.args for text in constants(arg) if text not in FORMS]
    assert (mixed, silent) == ([], [])


def test_every_remedy_of_a_finding_about_a_file_a_card_or_a_squad_has_its_russian() -> None:
    assert card_checks()
    assert roster_codes.RULE_BROKEN
    assert errata_codes.NEWER
    assert store_codes.TAB
    groups = {"yaml", "schema", "cards", "text", "pack", "rules", "stats", "i18n", "roster"}
    said = {code.remedy for code in CODES.values() if code.code.partition("/")[0] in groups}
    assert sorted(said - FORMS.keys()) == []


def test_the_words_of_bounds_and_sorts_have_their_russian() -> None:
    forms = {*BOUNDS.values(), *(form for form, _ in MODEL_BOUNDS.values())}
    assert sorted(forms - FORMS.keys()) == []
    assert all(isinstance(word, Told) and word.form in FORMS for word in TYPES.values())


def test_both_languages_fill_the_same_gaps() -> None:
    assert [english for english, russian in FORMS.items() if gaps(english) != gaps(russian)] == []


def test_no_form_stands_in_two_tables_and_none_is_left_over() -> None:
    assert len(FORMS) == sum(len(table) for table in TABLES)
    sources = "\n".join(path.read_text(encoding="utf-8") for path in modules() if not _is_table(path))
    words = {text for _, call, _ in speaking() for arg in call.args for text in constants(arg)}
    assert card_checks()
    remedies = {code.remedy for code in CODES.values()}
    lost = [
        form for form in FORMS.keys() - SCANNER.keys() - SYSTEM.keys() - words - remedies if not _stands(form, sources)
    ]
    assert sorted(lost) == []


def _is_table(path: Path) -> bool:
    return path.name.startswith("russian")


def _stands(form: str, sources: str) -> bool:
    return f'"{form}"' in sources or f"'{form}'" in sources
