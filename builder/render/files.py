"""Find the files that templates and engines may open."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from builder.errors import InputUnreadable
from builder.files import is_within, read_limited
from builder.messages import describe_os_error, gettext as _
from builder.render.jobs import Places

BASE_URL = "file:///pack/"


class AddressOutsidePack(ValueError):
    """A template or style sheet names a file outside the pack."""


def find_inside(root: Path, name: str) -> Path | None:
    """Return the path of a file inside `root`. None if it is outside, also by way of links."""
    path = root / name
    return path.resolve() if is_within(root, path) and path.is_file() else None


MAX_TEXT_BYTES = 4_000_000
"""The maximum size of a template or style sheet, with the pictures in it."""


def read_text(path: Path) -> str:
    """Return the text of a template or style sheet.

    Raise InputUnreadable if it is too large or not UTF-8.
    """
    try:
        return read_limited(path, MAX_TEXT_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason: str = _("it is not UTF-8 text")
        if isinstance(error, OSError):
            reason = describe_os_error(error)
        message = _("{file}: {reason}", file=path.name, reason=reason)
        raise InputUnreadable(message, _("Save it as UTF-8 text.")) from None


def locate_file(url: str, templates: Path, base: Path, data: Path) -> Path:
    """Return the path of the file that an address in a template names.

    `base/...` is the engine's own. `art/...` is looked for beside the templates, then beside the
    cards. Raises AddressOutsidePack for any address that leads elsewhere, FileNotFoundError for
    one inside that does not exist.
    """
    # A host in the address would name another machine.
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc or not path.startswith("/pack/"):
        raise AddressOutsidePack(_("{url} is outside the pack", url=url))
    name = path.removeprefix("/pack/")
    if name.startswith("base/"):
        file = find_inside(base, name.removeprefix("base/"))
    else:
        file = find_inside(templates, name)
        if file is None and name.startswith("art/"):
            file = find_inside(data, name)
    if file is None:
        raise FileNotFoundError(_("the pack has no file {name}", name=name))
    return file


class FileLocator:
    """Finds the files that addresses name, and remembers their paths.

    Links are resolved only once.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._paths: dict[str, Path] = {}

    def locate(self, url: str) -> Path:
        """Return the path of the file that an address names.

        Raise what `locate_file` raises.
        """
        if url not in self._paths:
            places = self._places
            self._paths[url] = locate_file(
                url, places.templates, places.base, places.data
            )
        return self._paths[url]

    def forget(self) -> None:
        """Forget all paths, because files may have moved."""
        self._paths.clear()
