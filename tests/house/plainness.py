"""Figures of how plainly the program is written.

Print them: `.venv/bin/python -m tests.house.plainness`.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from tests.house.source import BUILDER, modules, place

CODE_TOKENS = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def read_words(name: str) -> frozenset[str]:
    """Return the words of a text file beside this one."""
    return frozenset((Path(__file__).parent / name).read_text(encoding="utf-8").split())


VERBS = read_words("verbs.txt")
"""Words that a function's name may begin with."""
BARE_WORDS = read_words("bare_words.txt")
"""Participles and adjectives that alone name nothing."""


@dataclass
class Figures:
    """Counts of one or several modules."""

    tokens: int = 0
    lines: int = 0
    code_lines: int = 0
    comments: int = 0
    functions: int = 0
    verb_first: int = 0
    one_word: int = 0
    bare_words: int = 0
    dense_expressions: int = 0

    def add(self, more: Figures) -> None:
        """Add the counts of other modules."""
        for field in fields(self):
            setattr(
                self, field.name, getattr(self, field.name) + getattr(more, field.name)
            )

    @property
    def tokens_per_line(self) -> float:
        """Tokens per line that holds a token."""
        return self.tokens / max(self.code_lines, 1)

    @property
    def verb_first_percent(self) -> float:
        """The share of functions whose name begins with a verb."""
        return 100 * self.verb_first / max(self.functions, 1)

    @property
    def one_word_percent(self) -> float:
        """The share of functions whose name is a single word."""
        return 100 * self.one_word / max(self.functions, 1)

    @property
    def comments_per_100_lines(self) -> float:
        """Comments per 100 lines of any kind."""
        return 100 * self.comments / max(self.lines, 1)


@cache
def measure_module(path: Path) -> Figures:
    """Return the figures of one module. Docstrings and comments are no tokens."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    figures = Figures(lines=source.count("\n"))
    count_tokens(path, find_docstring_lines(tree), figures)
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            count_name(node, figures)
        figures.bare_words += defined_name(node).strip("_").lower() in BARE_WORDS
    figures.dense_expressions = len(list(find_dense_expressions(tree)))
    return figures


def find_docstring_lines(tree: ast.AST) -> frozenset[int]:
    """Return the numbers of all lines of docstrings, those below constants and fields included."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                assert node.end_lineno is not None
                lines.update(range(node.lineno, node.end_lineno + 1))
    return frozenset(lines)


def count_tokens(path: Path, docstring_lines: frozenset[int], figures: Figures) -> None:
    """Count the tokens, the lines that hold one, and the comments."""
    code_lines: set[int] = set()
    with path.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            line = token.start[0]
            if token.type == tokenize.COMMENT:
                figures.comments += 1
            elif token.type in CODE_TOKENS and line not in docstring_lines:
                figures.tokens += 1
                code_lines.add(line)
    figures.code_lines = len(code_lines)


def count_name(
    function: ast.FunctionDef | ast.AsyncFunctionDef, figures: Figures
) -> None:
    """Count a function by its name. Properties and special methods are not counted."""
    is_property = any(
        "property" in ast.unparse(decorator) for decorator in function.decorator_list
    )
    if function.name.startswith("__") or is_property:
        return
    words = function.name.strip("_").split("_")
    figures.functions += 1
    figures.verb_first += words[0] in VERBS
    figures.one_word += len(words) == 1


def defined_name(node: ast.AST) -> str:
    """Return the name that a node defines: of a function, class, variable or parameter.

    Else nothing.
    """
    match node:
        case (
            ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.ClassDef(name=name)
        ):
            return name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
    return ""


def find_dense_expressions(tree: ast.AST) -> Iterator[int]:
    """Return the lines of comprehensions with two `for` or another inside, and of walruses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.NamedExpr):
            yield node.lineno
        elif isinstance(node, COMPREHENSIONS):
            parts = [part for part in ast.walk(node) if part is not node]
            if len(node.generators) > 1 or any(
                isinstance(part, COMPREHENSIONS) for part in parts
            ):
                yield node.lineno


def package_of(path: Path) -> str:
    """Return the package of a module, or the name of a module that lies in none."""
    return path.relative_to(BUILDER).parts[0]


def measure_packages() -> dict[str, Figures]:
    """Return the figures by package."""
    figures_by_package: dict[str, Figures] = {}
    for path in modules():
        if path.parent.name != "migrations":
            figures_by_package.setdefault(package_of(path), Figures()).add(
                measure_module(path)
            )
    return figures_by_package


def measure_program() -> Figures:
    """Return the figures of all packages together."""
    total = Figures()
    for figures in measure_packages().values():
        total.add(figures)
    return total


def format_row(name: str, figures: Figures) -> str:
    """Return one line of the table."""
    return (
        f"{name:<14}{figures.tokens:>8}{figures.tokens_per_line:>10.1f}{figures.verb_first_percent:>12.0f}"
        f"{figures.one_word_percent:>10.0f}{figures.bare_words:>12}{figures.dense_expressions:>8}"
        f"{figures.comments_per_100_lines:>10.1f}"
    )


def format_table() -> str:
    """Return the figures of each package and of the whole program."""
    header = f"{'':<14}{'tokens':>8}{'per line':>10}{'verb first':>12}{'one word':>10}{'bare words':>12}{'dense':>8}"
    rows = [f"{header}{'comments':>10}"]
    rows += [
        format_row(name, figures)
        for name, figures in sorted(measure_packages().items())
    ]
    rows.append(format_row("builder", measure_program()))
    return "\n".join(rows)


def count_all_tokens() -> int:
    """Return the number of tokens in builder/."""
    return sum(figures.tokens for figures in measure_packages().values())


def find_dense_lines(package: str) -> list[str]:
    """Return the places of all dense expressions of a package."""
    places: list[str] = []
    for path in modules():
        if package_of(path) == package:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            places += [f"{place(path)}:{line}" for line in find_dense_expressions(tree)]
    return places


if __name__ == "__main__":
    print(format_table())
