"""What the engine looks for in every document and page besides their boxes, and cards hardly ever have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any


@cache
def late_page(original: type[Any]) -> type[Any]:
    """A page whose links, anchors and bookmarks are gathered when the first of them is asked for."""

    class LatePage(original):  # type: ignore[misc]
        """A laid-out page."""

        def __init__(self, page_box: Any) -> None:
            self._page_box = page_box

        def __getattr__(self, name: str) -> Any:
            super().__init__(self._page_box)
            return self.__dict__[name]

    return LatePage


def metadata(original: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    """A document's title, author and so on: its language at most, if nothing in it could tell more."""

    def find(html: Any) -> dict[str, Any]:
        root = html.etree_element
        titled = any(title.text for title in root.iter("title"))
        if titled or not _names(root).isdisjoint({"meta", "link"}):
            return original(html)
        title = "" if next(root.iter("title"), None) is not None else None
        return {"title": title, "lang": root.attrib.get("lang")}

    return find


def sheets_inside(original: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    """The style sheets a document brings along: none without elements that could hold or name one."""

    def find(wrapper_element: Any, *arguments: Any) -> Iterable[Any]:
        names = _names(wrapper_element.etree_element)
        return () if names.isdisjoint({"style", "link"}) else original(wrapper_element, *arguments)

    return find


def _names(root: Any) -> set[str]:
    """The names of all elements of a document, whatever language they belong to."""
    tags = {element.tag for element in root.iter()}
    return {tag.rpartition("}")[2] for tag in tags if isinstance(tag, str)}


def searched(original: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    """The boxes of a page that may be targets, bookmarks or counters of pages: none where no element asked for any."""

    def descendants(page: Any, placeholders: bool = False) -> Iterable[Any]:
        root, *areas = page.children
        if getattr(root, "quiet", False) and not any(area.children for area in areas):
            return ()
        return original(page, placeholders)

    return descendants
