"""Refuse a command if the packages of the web pages are not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from builder.errors import ToolMissing
from builder.messages import gettext as _


@contextmanager
def require_web_packages() -> Iterator[None]:
    """Raise ToolMissing if the block fails to import a package of the web server."""
    try:
        yield
    except ImportError as error:
        hint = _("Install squadpress with its extra `web`: squadpress[web].")
        raise ToolMissing(
            _("the web pages need Django and its packages"), hint
        ) from error
