"""Makes the files and the table of what is in them.

`python -m tests.checks.preflight.corpus.make [PROGRAM...]`.

Each program must be there (a Python package, or a command on the path); files and lines of the
others stay as they are.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
FILES, TRUTH = FOLDER / "files", FOLDER / "truth.yaml"
START = "- {file: "
sys.path.insert(0, str(FOLDER.parents[3]))
from tests.checks.preflight.corpus.scenes import SCENES  # noqa: E402


def programs() -> list[str]:
    """Return the modules of all programs."""
    return sorted(path.stem for path in (FOLDER / "programs").glob("*_.py"))


def rows(
    module: Any, folder: Path
) -> Iterator[tuple[str, str, str, list[str], Callable[[], object]]]:
    """File, program, preset, defects and what writes it."""
    base = list(getattr(module, "BASE", ()))
    for name in module.DRAWS.split():
        scene, path = SCENES[name], folder / f"{name}.pdf"
        preset = scene["preset"] or module.PRESET
        preset = (
            "rgb-opaque" if preset == "opaque" and module.PRESET == "rgb" else preset
        )
        yield (
            name,
            module.PROGRAM,
            preset,
            [*base, *scene["defects"]],
            lambda path=path, scene=scene: module.write(path, scene),
        )
    for name, (words, make_file) in module.SPECIALS.items():
        preset = next(
            (word[:-1] for word in words if word.endswith(":")), module.PRESET
        )
        defects = [word for word in words if not word.endswith(":")]
        bare = "bare" in defects
        own_defects = [word for word in defects if word != "bare"]
        yield (
            name,
            module.PROGRAM,
            preset,
            own_defects if bare else [*base, *own_defects],
            lambda path=folder / f"{name}.pdf", make_file=make_file: make_file(path),
        )


def main(program_names: list[str]) -> None:
    """Write files and table; what stands above the table's first line stays."""
    lines = TRUTH.read_text("utf-8").splitlines()
    head = [line for line in lines if not line.startswith(START)]
    lines_by_file = {
        line.removeprefix(START).split(",")[0]: line
        for line in lines
        if line.startswith(START)
    }
    for stem in programs():
        if program_names and stem.rstrip("_") not in program_names:
            continue
        module = importlib.import_module(
            f"tests.checks.preflight.corpus.programs.{stem}"
        )
        folder = FILES / stem.rstrip("_")
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.pdf"):
            old.unlink()
        lines_by_file = {
            file: line
            for file, line in lines_by_file.items()
            if not file.startswith(f"{folder.name}/")
        }
        for name, program, preset, defects, make_file in rows(module, folder):
            make_file()
            file, put_in = (
                f"{folder.name}/{name}.pdf",
                sorted({word for word in defects if word[0] != "?"}),
            )
            allowed = sorted({word[1:] for word in defects if word[0] == "?"})
            more = f", allowed: [{', '.join(allowed)}]" if allowed else ""
            description = f"program: {program}, preset: {preset}, defects: [{', '.join(put_in)}]{more}"
            lines_by_file[file] = f"{START}{file}, {description}}}"
            print(file, (folder / f"{name}.pdf").stat().st_size)
    TRUTH.write_text(
        "\n".join([*head, *(line for _, line in sorted(lines_by_file.items()))]) + "\n",
        "utf-8",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
