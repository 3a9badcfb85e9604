"""Preflight held against files of other programs.

What was found of what was put in, what was missed, what is false.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from pikepdf import Dictionary, Object, Pdf

from tests.checks.preflight.corpus.judging import judge_entry, load_entries
from tests.checks.preflight.corpus.programs.painter import font
from tests.checks.preflight.make import GROUND, File, Sheet, plain_font, write

PAGES = 500


def main() -> None:
    # First, while this process is small: what it starts is said to be as large as it is.
    _many()
    put_in, found, false = Counter[str](), Counter[str](), Counter[str]()
    missed: defaultdict[str, list[str]] = defaultdict(list)
    told: list[str] = []
    errors = sound = 0
    for entry in load_entries():
        verdict = judge_entry(entry)
        put_in.update(entry.defects)
        found.update(verdict.found)
        sound += not entry.defects
        for name in verdict.missed:
            missed[name].append(entry.file)
        for one in verdict.false:
            false[one.code.removeprefix("preflight/")] += 1
            told.append(
                f"  {one.severity.value:7} {entry.file}: {one.code} {one.message}"
            )
        errors += len(verdict.false_errors)
    print(f"{'class':26}{'put in':>8}{'found':>8}{'missed':>8}{'false':>8}")
    for name in sorted({*put_in, *false}):
        print(
            f"{name:26}{put_in[name]:8}{found[name]:8}{put_in[name] - found[name]:8}{false[name]:8}",
            *missed[name][:4],
        )
    print(*told, sep="\n")
    programs = len({entry.program for entry in load_entries()})
    share = 100 * found.total() / put_in.total()
    print(
        f"{len(load_entries())} files of {programs} programs, {sound} of them sound;",
        end=" ",
    )
    print(f"{put_in.total()} defects, {found.total()} found ({share:.1f} %);", end=" ")
    print(f"{errors} false errors, {false.total() - errors} false warnings")


def _many() -> None:
    """Time and memory of a file of many pages, no two alike, ink measured by Ghostscript."""
    lines = " ".join(
        f"BT /F1 3 Tf 12 {20 + 3 * line} Td (Lanterns over the sea, {{page}}) Tj ET"
        for line in range(20)
    )
    fonts: list[Object] = []

    def resources(pdf: Pdf) -> Dictionary:
        if not fonts:
            fonts.append(pdf.make_indirect(plain_font()))
            fonts[0].FontDescriptor.FontFile2 = pdf.make_stream(font().read_bytes())
        return Dictionary(Font=Dictionary(F1=fonts[0]))

    drawn = (
        f"{GROUND} 0 0 0 1 k {lines.replace('{page}', str(page))}"
        for page in range(PAGES)
    )
    sheets = (Sheet(content, resources=resources) for content in drawn)
    with TemporaryDirectory() as folder:
        path = write(Path(folder) / "many.pdf", File(tuple(sheets), intent="Offset"))
        command = [
            sys.executable,
            "-m",
            "builder",
            "preflight",
            str(path),
            "--preset",
            "offset",
        ]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        took, most = (
            time.perf_counter() - start,
            used.ru_maxrss / (1024 if sys.platform == "linux" else 1024**2),
        )
    print(
        f"{PAGES} pages: "
        f"{took:.1f} s, "
        f"{most:.0f} MB (ended with "
        f"{os.waitstatus_to_exitcode(status)})"
    )
