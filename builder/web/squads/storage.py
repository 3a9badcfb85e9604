"""Squads in the database, for one owner.

The storage that use cases work with, as they do with files.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from builder.errata.impact import MigratedRoster, migrate_roster
from builder.errors import InputUnreadable, UsageError
from builder.files import make_private_file
from builder.messages import from_json, gettext as _, to_json
from builder.model.loaded import LoadedRoster
from builder.model.roster import Entry, Roster
from builder.packs.yaml.editing import YamlText
from builder.roster.operations import apply_edit
from builder.usecases.pack_states import load_migrations
from builder.usecases.roster.edit import edit_text, extend_text, write_migrated_ids
from builder.web.cards.history import find_played_release
from builder.web.cards.library import Library
from builder.web.fields import refuse_unstorable
from builder.web.squads.models import SavedSquad, SquadStep, squads_of
from builder.web.squads.roster_changes import BenchChange, SquadChange
from builder.web.squads.sizes import refuse_long_text, refuse_too_large

MAX_SQUADS = 1_000
"""Squads of one owner."""
MAX_STEPS = 200
"""Changes of a squad that can be undone."""
MAX_NOTE_CHARACTERS = 10_000


def parse_new_key(form: Mapping[str, str]) -> UUID:
    """Return the id that a page without a network has given its squad, or a new one."""
    try:
        return UUID(form.get("key", ""))
    except ValueError:
        return uuid4()


@contextmanager
def _lock_writes() -> Iterator[None]:
    """Let only one process write to the SQLite database during the block.

    Waiting processes continue at once. SQLite itself would let them sleep longer than a write
    takes. Systems without file locks rely on SQLite.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    lock = Path(settings.DATA, "write.lock")
    make_private_file(lock)
    with lock.open("w") as file:
        with suppress(ImportError):
            from fcntl import LOCK_EX, flock

            flock(file, LOCK_EX)
        yield


@dataclass(frozen=True)
class SquadStorage:
    """Stores the squads of one owner in the database. Every change can be undone."""

    library: Library
    owner: str
    row: SavedSquad | None = None
    """The squad that is to be changed, if it was loaded just now."""
    request: str = ""
    """The id of the change that a browser sends later, and perhaps twice. Empty for none."""

    def list_names(self) -> tuple[str, ...]:
        """Return the ids of all squads, in the owner's order."""
        return tuple(
            str(key) for key in squads_of(self.owner).values_list("id", flat=True)
        )

    def load_row(self, name: str, lock: bool = False) -> SavedSquad:
        """Return the database row of a squad. With `lock`, no one else can change it meanwhile.

        Raise InputUnreadable if this owner has no such squad.
        """
        rows = squads_of(self.owner)
        try:
            return (rows.select_for_update() if lock else rows).get(id=UUID(name))
        except (ValueError, SavedSquad.DoesNotExist):
            hint = _("It may have been created in another browser, or deleted.")
            raise InputUnreadable(_("this is not one of your squads"), hint) from None

    def has_received(self, name: str) -> bool:
        """Return True if this owner's squad has this change already."""
        if not self.request:
            return False
        squad = self.load_row(name)
        return SquadStep.objects.filter(squad=squad, request=self.request).exists()

    def load(self, name: str) -> LoadedRoster:
        """Load a squad."""
        return self._parse(self.load_row(name).text, name)

    def _parse(self, text: str, name: str = "") -> LoadedRoster:
        # The library caches by text and name. Pages of the squad use the same name.
        return self.library.parse_squad(text, name)

    def create(
        self,
        name: str,
        roster: Roster,
        like: str | None = None,
        text: str | None = None,
    ) -> None:
        """Store a new squad. If one of this name exists, change it instead.

        `text` is the roster as its file has it.
        """
        text = text or self.library.format_squad(roster)
        old_roster = None
        if like is not None:
            old_roster = self.load(like).roster
            text = extend_text(self.load_row(like).text, roster, self._parse)
        refuse_too_large(roster, old_roster)
        refuse_long_text(text)
        # The text may have them as escapes, which no page could show.
        refuse_unstorable(roster.model_dump())
        if SavedSquad.objects.filter(id=UUID(name)).exists():
            self._change_text(name, _("completed"), lambda _old_text: text)
            return
        if SavedSquad.objects.filter(owner=self.owner).count() >= MAX_SQUADS:
            message = _("you have reached the limit of {most} squads", most=MAX_SQUADS)
            raise UsageError(message, _("Delete squads that you no longer need."))
        squad = SavedSquad(id=UUID(name), owner=self.owner)
        self._fill_row(squad, text, roster)
        squad.save(force_insert=True)

    def edit(self, name: str, edit: SquadChange, what: str) -> Roster:
        """Apply an edit to a squad and save it. `what` describes it for undo.

        Comments, order and quotes of its text stay where possible.
        """
        bench: list[object] | None = None
        if isinstance(edit, BenchChange):
            bench = edit.bench
            edit = edit.edit
        squad_edit = edit

        def parse(text: str) -> LoadedRoster:
            return self._parse(text, name)

        def change(text: str) -> str:
            loaded = parse(text)
            roster = require_roster(loaded.roster)
            if callable(squad_edit):
                new_roster = squad_edit(roster)
                refuse_too_large(new_roster, roster)
                new_text = extend_text(text, new_roster, parse)
                refuse_long_text(new_text)
                return new_text
            new_roster = apply_edit(roster, squad_edit)
            refuse_too_large(new_roster, roster)
            try:
                new_text = edit_text(text, loaded, squad_edit, parse)[0]
            except (InputUnreadable, AssertionError, IndexError):
                new_text = self.library.format_squad(new_roster)
            if len(new_text) > len(text):
                refuse_long_text(new_text)
            return new_text

        return require_roster(
            parse(self._change_text(name, what, change, bench)).roster
        )

    def set_play_format(self, name: str, play_format: str, what: str) -> None:
        """Set the play format of a squad. Empty means none."""

        def change(text: str) -> str:
            roster = require_roster(self._parse(text, name).roster)
            new_roster = roster.model_copy(update={"play_format": play_format or None})
            if new_roster == roster:
                return text

            def put_format(yaml: YamlText) -> None:
                if play_format:
                    yaml.set_entry((), "play_format", play_format)
                else:
                    yaml.drop_key(("play_format",))

            return self._edit_text(text, new_roster, put_format)

        self._change_text(name, what, change)

    def _edit_text(
        self, text: str, roster: Roster, change_text: Callable[[YamlText], None]
    ) -> str:
        """Edit the text of a squad. If the result would not mean the squad, write it anew."""
        with suppress(InputUnreadable, IndexError, AttributeError):
            yaml = YamlText(text, "")
            change_text(yaml)
            if self._parse(yaml.text).roster == roster:
                return yaml.text
        return self.library.format_squad(roster)

    def _change_text(
        self,
        name: str,
        what: str,
        change: Callable[[str], str],
        bench: list[object] | None = None,
    ) -> str:
        """Replace the text of a squad, and store the change for undo.

        A bench of None stays as it is.
        """
        old_text = (self.row or self.load_row(name)).text
        # The new text is made before anything is locked: others wait only for the writing.
        new_text = change(old_text)
        with _lock_writes(), transaction.atomic():
            squad = self.load_row(name, lock=True)
            # The first answer may have been lost while a second request was on its way.
            if self.has_received(name):
                return squad.text
            if squad.text != old_text:
                old_text = squad.text
                new_text = change(squad.text)
            if new_text != old_text or bench is not None:
                self._add_step(squad, new_text, what, bench)
                self._fill_row(squad, new_text)
                squad.bench = squad.bench if bench is None else bench
                squad.save()
        return new_text

    def _add_step(
        self, squad: SavedSquad, new_text: str, what: str, bench: list[object] | None
    ) -> None:
        steps = SquadStep.objects.filter(squad=squad)
        # After a new change, changes that were undone cannot be redone.
        steps.filter(undone=True).delete()
        last = steps.order_by("-number").first()
        number = last.number + 1 if last is not None else 1
        step = SquadStep(
            squad=squad,
            number=number,
            before=squad.text,
            after=new_text,
            what=to_json(what),
            request=self.request,
        )
        if bench is not None:
            step.bench_before = squad.bench
            step.bench_after = bench
        step.save(force_insert=True)
        steps.filter(number__lte=number - MAX_STEPS).delete()

    def _fill_row(
        self, squad: SavedSquad, text: str, roster: Roster | None = None
    ) -> None:
        """Set the text of a row, and the columns that repeat values of the text."""
        roster = roster or self._parse(text, str(squad.id)).roster
        squad.text = text
        squad.edition = squad.edition + 1
        squad.opened = timezone.now()
        if roster is not None:
            squad.pack = roster.pack
            squad.release = roster.version or ""
            squad.name = roster.name[:200]
            squad.based = squad.release or find_played_release(roster.pack)

    def undo(self, name: str) -> str:
        """Undo the last change of a squad. Return its description."""
        return self._step(name, is_undo=True)

    def redo(self, name: str) -> str:
        """Redo the change that was undone last. Return its description."""
        return self._step(name, is_undo=False)

    def _step(self, name: str, is_undo: bool) -> str:
        with _lock_writes(), transaction.atomic():
            squad = self.load_row(name, lock=True)
            steps = SquadStep.objects.filter(squad=squad, undone=not is_undo)
            step = steps.order_by("-number" if is_undo else "number").first()
            if step is None:
                nothing_undone = _("there is no change to undo")
                nothing_redone = _("there is no change to redo")
                message = nothing_undone if is_undo else nothing_redone
                raise UsageError(message, _("Changes are kept for a few days."))
            self._fill_row(squad, step.before if is_undo else step.after)
            bench = step.bench_before if is_undo else step.bench_after
            if bench is not None:
                squad.bench = bench
            step.undone = is_undo
            step.save(update_fields=["undone"])
            squad.save()
        return from_json(step.what)

    def move(self, name: str, version: str) -> None:
        """Move a squad to another release. Renamed cards get their new ids."""

        def change(text: str) -> str:
            loaded = self._parse(text, name)
            roster = require_roster(loaded.roster)
            steps = load_migrations(self.library.packs, roster.pack)
            cards = self.library.get_checker(roster.pack, version).pack.cards
            return self._pin_to_release(
                text, loaded, migrate_roster(roster, steps, cards), version
            )

        self._change_text(
            name, _("moved to release {version}", version=version), change
        )

    def _pin_to_release(
        self,
        squad_text: str,
        loaded_roster: LoadedRoster,
        migrated_roster: MigratedRoster,
        version: str,
    ) -> str:
        """Return the text of a squad file with the card ids and version of one release."""
        document = loaded_roster.document
        if document is None:
            raise make_unreadable_error()
        roster = migrated_roster.roster.model_copy(update={"version": version})
        return self._edit_text(
            squad_text,
            roster,
            lambda yaml: write_migrated_ids(
                yaml, document, migrated_roster, version, pin=True
            ),
        )

    def pin_to_known_release(self, row: SavedSquad) -> SavedSquad:
        """Pin a squad to the release it was made with if its game has changed since.

        Return its row.
        """
        current = "" if row.release else find_played_release(row.pack)
        if current and not row.based:
            SavedSquad.objects.filter(id=row.id, based="").update(based=current)
        if not current or row.based in ("", current):
            return row

        def change(text: str) -> str:
            loaded = self._parse(text)
            roster = loaded.roster
            if roster is None or loaded.document is None or roster.version is not None:
                return text
            return self._pin_to_release(text, loaded, MigratedRoster(roster), row.based)

        self._change_text(
            str(row.id), _("kept at release {version}", version=row.based), change
        )
        return self.load_row(str(row.id))

    def migrate(self, name: str, migrated: MigratedRoster, version: str) -> bool:
        """Replace old card ids in a squad, and the release that it is pinned to.

        Return True if anything changed.
        """

        def change(text: str) -> str:
            document = self._parse(text, name).document
            assert document is not None
            yaml = YamlText(text, name)
            write_migrated_ids(yaml, document, migrated, version)
            return yaml.text

        old_text = self.load_row(name).text
        description = _("moved to release {version}", version=version)
        return self._change_text(name, description, change) != old_text


def migrate_entry(library: Library, entry: Entry, row: SavedSquad) -> Entry:
    """Return an entry of the bench with the card ids of its squad's release."""
    steps = load_migrations(library.packs, row.pack)
    cards = library.get_checker(row.pack, row.release).pack.cards
    return migrate_roster(
        Roster(pack=row.pack, entries=(entry,)), steps, cards
    ).roster.entries[0]


def require_roster(roster: Roster | None) -> Roster:
    """Return the roster of a loaded squad. Raise UsageError if it is unreadable."""
    if roster is None:
        raise make_unreadable_error()
    return roster


def make_unreadable_error() -> UsageError:
    """Make the error for an unreadable squad."""
    return UsageError(_("this squad cannot be read"), _("Undo the last change."))
