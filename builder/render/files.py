"""What templates and engines may open: files in the pack's templates, its art, and the base templates. Nothing else.

Addresses are `file:///pack/...`, a root that exists on no disk, so that a path in a template is the same on every
machine and `..` leads out of it.
"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from builder.files import within
from builder.messages import gettext as _

BASE_URL = "file:///pack/"


class Refused(ValueError):
    """An address outside the pack."""


def read_inside(root: Path, name: str) -> Path | None:
    """A file by its relative name if it truly lies inside the root (links followed), else None."""
    path = root / name
    return path.resolve() if within(root, path) and path.is_file() else None


def locate(url: str, templates: Path, base: Path, data: Path) -> Path:
    """The file behind an address.

    `base/...` is the engine's own; `art/...` is looked for beside the templates, then beside the cards. Raises Refused
    for any address that leads elsewhere, FileNotFoundError for one inside that does not exist.
    """
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc or not path.startswith("/pack/"):
        raise Refused(_("{url} lies outside the pack", url=url))
    name = path.removeprefix("/pack/")
    if name.startswith("base/"):
        found = read_inside(base, name.removeprefix("base/"))
    else:
        found = read_inside(templates, name) or (read_inside(data, name) if name.startswith("art/") else None)
    if found is None:
        raise FileNotFoundError(_("the pack has no file {name}", name=name))
    return found
