"""Preflight held against files of other programs: what was found of what was put in, what was missed, what is false."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.checks.preflight.corpus.judging import entries, judged


def main() -> None:
    put_in, found, false = Counter[str](), Counter[str](), Counter[str]()
    missed: defaultdict[str, list[str]] = defaultdict(list)
    told: list[str] = []
    errors = sound = 0
    for entry in entries():
        verdict = judged(entry)
        put_in.update(entry.defects)
        found.update(verdict.found)
        sound += not entry.defects
        for name in verdict.missed:
            missed[name].append(entry.file)
        for one in verdict.false:
            false[one.code.removeprefix("preflight/")] += 1
            told.append(f"  {one.severity.value:7} {entry.file}: {one.code} {one.message}")
        errors += len(verdict.false_errors)
    print(f"{'class':26}{'put in':>8}{'found':>8}{'missed':>8}{'false':>8}")
    for name in sorted({*put_in, *false}):
        print(
            f"{name:26}{put_in[name]:8}{found[name]:8}{put_in[name] - found[name]:8}{false[name]:8}", *missed[name][:4]
        )
    print(*told, sep="\n")
    programs = len({entry.program for entry in entries()})
    share = 100 * found.total() / put_in.total()
    print(f"{len(entries())} files of {programs} programs, {sound} of them sound;", end=" ")
    print(f"{put_in.total()} defects, {found.total()} found ({share:.1f} %);", end=" ")
    print(f"{errors} false errors, {false.total() - errors} false warnings")
