"""What libraries of JavaScript draw.

Scenes are handed to node, whose packages lie where CORPUS_NODE says.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.checks.preflight.corpus.programs.painter import encoded, font, gradient
from tests.checks.preflight.corpus.scenes import SCENES, colour


def write(
    library: str,
    path: Path,
    scene: Mapping[str, Any],
    special: str = "",
    form: str = "L",
) -> None:
    """One file; `form` is the pictures' mode of colour."""
    with TemporaryDirectory() as folder:
        scene_file = Path(folder) / "scene.json"
        plain_pages = [
            {**page, "ops": [_plain(op, Path(folder), form) for op in page["ops"]]}
            for page in scene["pages"]
        ]
        scene_file.write_text(json.dumps({"pages": plain_pages}))
        script = Path(__file__).with_name("node.mjs")
        subprocess.run(
            [
                "node",
                str(script),
                library,
                str(scene_file),
                str(path),
                str(font()),
                special,
            ],
            check=True,
        )


def _plain(op: list[Any], folder: Path, form: str) -> list[Any]:
    """Colours as numbers, pictures as files."""
    if op[0] == "image":
        file = folder / f"{op[5]}.png"
        file.write_bytes(encoded(gradient(op[5], op[6], form), "PNG"))
        return [*op[:5], str(file)]
    if isinstance(op[-1], list) and op[-1] and isinstance(op[-1][0], list):
        return [*op[:-1], [_plain(inner_op, folder, form) for inner_op in op[-1]]]
    return [op[0], None if op[1] is None else colour(op[1], "cmyk"), *op[2:]]


def special(library: str, name: str) -> Callable[[Path], object]:
    """Return a sound file with what the script does under a name."""
    return lambda path: write(library, path, SCENES["sound"], name)
