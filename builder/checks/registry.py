"""The registry of checks. A check is a file in the folder of its subject."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import get_args, get_type_hints

from builder.findings import Finding, sort_findings
from builder.model.codes import Code
from builder.model.loaded import LoadedPack

SUBJECTS = ("cards", "images", "appearance", "preflight", "release", "roster")
"""The subjects of checks. Each is a folder beside this file."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one subject, with the codes of the errors it can report."""

    subject: str
    name: str
    values: tuple[type, ...]
    codes: tuple[Code, ...]
    checker: Callable[[object], Iterable[Finding]]


@cache
def list_checks(subject: str) -> tuple[Check, ...]:
    """Return all checks of a subject, by file name."""
    package = importlib.import_module(f"builder.checks.{subject}")
    modules = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    checks = [_load_check(subject, name) for name in modules]
    return tuple(check for check in checks if check is not None)


def _load_check(subject: str, name: str) -> Check | None:
    """Return the check in a file, or None if the file only has shared functions."""
    module = importlib.import_module(f"builder.checks.{subject}.{name}")
    checker = getattr(module, "check", None)
    if checker is None:
        return None
    # The type of a check's first parameter says which values it is for.
    value_type, *_others = get_type_hints(checker).values()
    # a check of several types of values has a union of them
    value_types = get_args(value_type) or (value_type,)
    codes = []
    for member in vars(module).values():
        # some modules keep their codes in a map
        values = member.values() if isinstance(member, dict) else (member,)
        codes += [value for value in values if isinstance(value, Code)]
    return Check(subject, name, value_types, tuple(codes), checker)


def run_checks(subject: str, value: object) -> tuple[Finding, ...]:
    """Run all checks of a subject on a value. Return the findings, sorted by location."""
    matching_checks = [
        # a subclass has checks of its own: a batch of pages is not the whole file
        check
        for check in list_checks(subject)
        if type(value) in check.values
    ]
    assert matching_checks, f"no check of {subject} judges a {type(value).__name__}"
    findings: list[Finding] = []
    for check in matching_checks:
        findings += check.checker(value)
    return sort_findings(findings)


def check_loaded_pack(loaded: LoadedPack) -> tuple[Finding, ...]:
    """Run all checks on a pack. Return the findings together with those of loading it."""
    if loaded.pack is None:
        return loaded.findings
    return sort_findings((*loaded.findings, *run_checks("cards", loaded)))
