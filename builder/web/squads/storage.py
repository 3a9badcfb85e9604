"""Squads in the database: the storage that the use cases of the command line ask for, for one owner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from builder.errata.impact import MigratedRoster, migrate_roster
from builder.errors import InputUnreadable, UsageError
from builder.files import make_private_file
from builder.messages import from_json, gettext as _, to_json
from builder.model.loaded import Document, LoadedRoster
from builder.model.roster import Roster
from builder.packs.yaml.editing import YamlText
from builder.roster.operations import Edit, edited
from builder.usecases.pack_states import load_migrations
from builder.usecases.roster.edit import edit_text, extend_text, put_migrated
from builder.web.cards.history import find_played_release
from builder.web.cards.library import Library
from builder.web.squads.models import SavedSquad, SquadStep, squads_of
from builder.web.squads.sizes import refuse_long_text, refuse_too_large

MAX_SQUADS = 1_000
"""Squads of one owner."""
DEPTH = 200
"""Changes of a squad that can be taken back."""
MAX_NOTE_CHARACTERS = 10_000
"""Characters of the notes of a squad."""


@contextmanager
def _write_lock() -> Iterator[None]:
    """Whoever writes to SQLite waits here for all others, of this process or another, and goes on at once when it is
    their turn: there they would sleep longer than the writing takes. A system without such locks lets SQLite wait.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    make_private_file(lock := Path(settings.DATA, "write.lock"))
    with lock.open("w") as file:
        with suppress(ImportError):
            from fcntl import LOCK_EX, flock

            flock(file, LOCK_EX)
        yield


@dataclass(frozen=True)
class SquadStorage:
    """The squads of one owner by their ids. Every change is one transaction, and can be undone."""

    library: Library
    owner: str
    row: SavedSquad | None = None
    """The squad that is to be changed, where it was read just now."""

    def names(self) -> tuple[str, ...]:
        """The ids of all squads, in the owner's order."""
        return tuple(str(key) for key in squads_of(self.owner).values_list("id", flat=True))

    def saved(self, name: str, lock: bool = False) -> SavedSquad:
        """A squad's row; within a transaction nobody else changes it with `lock`. InputUnreadable without one."""
        rows = squads_of(self.owner)
        try:
            return (rows.select_for_update() if lock else rows).get(id=UUID(name))
        except (ValueError, SavedSquad.DoesNotExist):
            reason = _("this is not one of your squads")
            raise InputUnreadable(
                reason, _("It may have been created in another browser, or deleted.")
            ) from None

    def load(self, name: str) -> LoadedRoster:
        """One of them."""
        return self.library.parse_squad(self.saved(name).text, name)

    def create(
        self, name: str, roster: Roster, like: str | None = None, text: str | None = None
    ) -> None:
        """Keep a squad; where there is one of that name, as a change of it. `text` is the roster as its file has it."""
        text = text or self.library.format_squad(roster)
        before = self.load(like).roster if like is not None else None
        if like is not None:
            text = extend_text(
                self.saved(like).text, roster, lambda changed: self.library.parse_squad(changed, "")
            )
        refuse_too_large(roster, before)
        refuse_long_text(text)
        if SavedSquad.objects.filter(id=UUID(name)).exists():
            self._change(name, _("completed"), lambda _text: text)
            return
        if SavedSquad.objects.filter(owner=self.owner).count() >= MAX_SQUADS:
            reason = _("you have reached the limit of {most} squads", most=MAX_SQUADS)
            raise UsageError(reason, _("Delete squads that you no longer need."))
        squad = SavedSquad(id=UUID(name), owner=self.owner)
        self._write(squad, text, roster)
        squad.save(force_insert=True)

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        """Change a squad so that remarks, order and quotes of its text stay, where that can be."""

        def change(text: str) -> str:
            loaded = self.library.parse_squad(text, name)
            if loaded.roster is None:
                raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
            refuse_too_large(edited(loaded.roster, edit), loaded.roster)
            try:
                changed = edit_text(
                    text, loaded, edit, lambda made: self.library.parse_squad(made, name)
                )[0]
            except (InputUnreadable, AssertionError, IndexError):
                changed = self.library.format_squad(edited(loaded.roster, edit))
            if len(changed) > len(text):
                refuse_long_text(changed)
            return changed

        roster = self.library.parse_squad(self._change(name, what, change), name).roster
        assert roster is not None
        return roster

    def play(self, name: str, played: str, what: str) -> None:
        """Build a squad for another play format, empty for none, as a change that can be taken back."""

        def change(text: str) -> str:
            loaded = self.library.parse_squad(text, name)
            if loaded.roster is None:
                raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
            wanted = loaded.roster.model_copy(update={"play_format": played or None})
            if wanted == loaded.roster:
                return text

            def put(made: YamlText) -> None:
                made.put((), "play_format", played) if played else made.drop_key(("play_format",))

            return self._written(text, wanted, put)

        self._change(name, what, change)

    def _written(self, text: str, wanted: Roster, put: Callable[[YamlText], None]) -> str:
        """A text with something put in; anew where its remarks cannot be kept."""
        try:
            made = YamlText(text, "")
            put(made)
            if self.library.parse_squad(made.text, "").roster == wanted:
                return made.text
        except (InputUnreadable, IndexError, AttributeError):
            pass
        return self.library.format_squad(wanted)

    def _change(self, name: str, what: str, change: Callable[[str], str]) -> str:
        """The text after a change that can be taken back; changes that were taken back before are forgotten."""
        before = (self.row or self.saved(name)).text
        after = change(
            before
        )  # before anything is locked: whoever else writes waits no longer than for the writing
        with _write_lock(), transaction.atomic():
            squad = self.saved(name, lock=True)
            if squad.text != before:
                before, after = squad.text, change(squad.text)
            if after == before:
                return after
            steps = SquadStep.objects.filter(squad=squad).order_by("-number")
            last = steps.first()
            if last is not None and last.undone:
                steps.filter(undone=True).delete()
                last = steps.first()
            number = last.number + 1 if last is not None else 1
            SquadStep.objects.create(
                squad=squad, number=number, before=before, after=after, what=to_json(what)
            )
            if number > DEPTH:
                steps.filter(number__lte=number - DEPTH).delete()
            self._write(squad, after)
            squad.save()
        return after

    def _write(self, squad: SavedSquad, text: str, roster: Roster | None = None) -> None:
        """Put a text into a row, and into its columns what the text says."""
        roster = roster or self.library.parse_squad(text, str(squad.id)).roster
        squad.text, squad.edition, squad.opened = text, squad.edition + 1, timezone.now()
        if roster is not None:
            squad.pack, squad.release, squad.name = (
                roster.pack,
                roster.version or "",
                roster.name[:200],
            )
            squad.based = squad.release or find_played_release(roster.pack)

    def undo(self, name: str) -> str:
        """Take the last change back; what it was called."""
        return self._step(name, back=True)

    def redo(self, name: str) -> str:
        """Make the change again that was taken back last; what it is called."""
        return self._step(name, back=False)

    def _step(self, name: str, back: bool) -> str:
        with _write_lock(), transaction.atomic():
            squad = self.saved(name, lock=True)
            step = (
                SquadStep.objects.filter(squad=squad, undone=not back)
                .order_by("-number" if back else "number")
                .first()
            )
            if step is None:
                reason = (
                    _("there is no change to undo") if back else _("there is no change to redo")
                )
                raise UsageError(reason, _("Changes are kept for a few days."))
            self._write(squad, step.before if back else step.after)
            step.undone = back
            step.save(update_fields=["undone"])
            squad.save()
        return from_json(step.what)

    def move(self, name: str, version: str) -> None:
        """Pin a squad to a release; ids that have successors there are followed, all others stay."""

        def change(text: str) -> str:
            loaded = self.library.parse_squad(text, name)
            roster, document = loaded.roster, loaded.document
            if roster is None or document is None:
                raise UsageError(_("this squad cannot be read"), _("Undo the last change."))
            steps = load_migrations(self.library.packs, roster.pack)
            migrated = migrate_roster(
                roster, steps, self.library.get_judge(roster.pack, version).pack.cards
            )
            return self._moved(text, document, migrated, version)

        self._change(name, _("moved to release {version}", version=version), change)

    def _moved(self, text: str, document: Document, migrated: MigratedRoster, version: str) -> str:
        """A text with the ids and the number of a release; anew where its remarks cannot be kept."""
        wanted = migrated.roster.model_copy(update={"version": version})
        return self._written(
            text, wanted, lambda made: put_migrated(made, document, migrated, version, pin=True)
        )

    def stay(self, row: SavedSquad) -> SavedSquad:
        """A squad as it is kept where its game has moved on since: pinned to the release that it was written for."""
        now = "" if row.release else find_played_release(row.pack)
        if now and not row.based:
            SavedSquad.objects.filter(id=row.id, based="").update(based=now)
        if not now or row.based in ("", now):
            return row

        def change(text: str) -> str:
            loaded = self.library.parse_squad(text, "")
            if (
                loaded.roster is None
                or loaded.document is None
                or loaded.roster.version is not None
            ):
                return text
            return self._moved(text, loaded.document, MigratedRoster(loaded.roster), row.based)

        self._change(str(row.id), _("kept at release {version}", version=row.based), change)
        return self.saved(str(row.id))

    def migrate(self, name: str, migrated: MigratedRoster, version: str) -> bool:
        """Bring a squad's ids, and the release it is pinned to, to a version; True if that changed anything."""

        def change(text: str) -> str:
            document = self.library.parse_squad(text, name).document
            assert document is not None
            made = YamlText(text, name)
            put_migrated(made, document, migrated, version)
            return made.text

        before = self.saved(name).text
        return (
            self._change(name, _("moved to release {version}", version=version), change) != before
        )
