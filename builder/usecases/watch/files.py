"""What was saved since the last look, among the files of some folders."""

from __future__ import annotations

from pathlib import Path

from watchfiles import Change, watch

from builder.store.project import Project

LOOK = 100
"""Ms after which a look that found nothing ends."""

SETTLED = 15
"""Ms without another change until a save counts as whole: editors empty a file before they fill it."""

PATIENCE = 300
"""Ms after which what was saved is told though more is being saved."""

_SKIPPED = frozenset({"releases", "rosters"})
"""Folders of a pack that hold no part of a card as it is edited now."""


class Watched:
    """The files of one pack and the templates all packs share, and what changes among them from now on."""

    def __init__(self, project: Project, pack: str) -> None:
        self._project = project
        own = (project.cards_dir(pack), project.templates_dir(pack), project.schemas_dir(pack))
        self._folders = [folder for folder in (*own, project.base_templates) if folder.is_dir()]
        self._changes = watch(
            *self._folders,
            watch_filter=lambda _, path: self._matters(path),
            debounce=PATIENCE,
            step=SETTLED,
            rust_timeout=LOOK,
            yield_on_timeout=True,
        )
        next(self._changes)  # only then is it looking

    def _matters(self, path: str) -> bool:
        """False for hidden files and editors' copies."""
        folder = next((folder for folder in self._folders if Path(path).is_relative_to(folder)), None)
        parts = Path(path).relative_to(folder).parts if folder is not None else ()
        return not any(part.startswith(".") or part.endswith("~") for part in parts) and _SKIPPED.isdisjoint(parts)

    def latest(self) -> tuple[str, ...]:
        """All files as findings name them, the last saved first."""
        found = (path for folder in self._folders for path in folder.rglob("*") if self._matters(str(path)))
        files = {path: path.stat().st_mtime_ns for path in found if path.is_file()}
        return tuple(self._project.relative(path) for path in sorted(files, key=lambda path: -files[path]))

    def saved(self) -> tuple[str, ...]:
        """The files that came, went or changed since the last call, once nobody is writing them any more.

        Waits a moment for the first; nothing where there is none by then. Raises KeyboardInterrupt.
        """
        changes = next(self._changes)
        passing = {path for change, path in changes if change is Change.added and (Change.deleted, path) in changes}
        paths = {Path(path) for _, path in changes if not (path in passing and not Path(path).exists())}
        return tuple(sorted(self._project.relative(path) for path in paths if not path.is_dir()))
