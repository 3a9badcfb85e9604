"""qpdf: sound files written anew, their objects packed, locked, in another order, or cut short."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.checks.preflight.corpus.programs import objects
from tests.checks.preflight.corpus.programs.painter import Specials

PROGRAM, PRESET, DRAWS = "qpdf", "x4", ""
write = None


def anew(standard: str, *options: str, keep: float = 1.0) -> Callable[[Path], object]:
    """Writes a sound file with options; `keep` is the share of its bytes that is left."""

    def made(path: Path) -> None:
        with TemporaryDirectory() as folder:
            source = Path(folder) / "in.pdf"
            objects.write(source, standard)
            version = "1.6" if standard == "x4" else "1.4"
            always = ("--deterministic-id",) if "--encrypt" not in options else ()
            subprocess.run(
                [
                    "qpdf",
                    *always,
                    f"--min-version={version}",
                    *options,
                    str(source),
                    str(path),
                ],
                check=True,
            )
        data = path.read_bytes()
        path.write_bytes(data[: round(len(data) * keep)])

    return made


PACKED, LOCKED = (
    "--object-streams=generate",
    ("--encrypt", "", "owner", "256", "--modify=none", "--"),
)
SPECIALS: Specials = {
    "packed": ((), anew("x4", PACKED)),
    "packed-x3": (("x3:", "standard-stream", "version"), anew("x3", PACKED)),
    "packed-x1a": (("x1a:", "standard-stream", "version"), anew("x1a", PACKED)),
    "plain-x1a": (("x1a:",), anew("x1a", "--object-streams=disable")),
    "ordered": ((), anew("x4", "--linearize")),
    "readable": ((), anew("x4", "--qdf")),
    "locked": (("encrypted", "standard-locked", "?version"), anew("x4", *LOCKED)),
    "cut-short": (("damaged", "?standard-id"), anew("x4", keep=0.985)),
    "newest": (("version",), anew("x4", "--force-version=2.0")),
    "turned": (("cmyk:",), anew("none", "--rotate=+90:1-z")),
    "one-page": (("cmyk:", "odd-pages"), anew("none", "--pages", ".", "1", "--")),
}
