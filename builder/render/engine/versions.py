"""Which versions of packages are installed, told without importing them."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def installed(package: str) -> str:
    """The version of a Python package; a dash where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"
