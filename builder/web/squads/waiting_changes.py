"""Changes that a browser made without a network, on squads that were changed elsewhere meanwhile.

Such a change carries what the browser knew about the squad. The server finds its models by that, or
refuses it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.base import Json, Model
from builder.model.roster import Roster
from builder.web.squads.models import SavedSquad, SquadStep
from builder.web.squads.offline_game import export_entry
from builder.web.squads.roster_changes import load_bench
from builder.web.squads.squad_view import SquadView
from builder.web.squads.storage import require_roster

VERBS_OF_ONE_MODEL = frozenset(
    [
        "give",
        "take",
        "remove",
        "count",
        "choose",
        "note",
        "duplicate",
        "split",
        "copy",
        "bench",
        "reorder",
    ]
)
"""Changes whose first argument is the number of a model."""
VERBS_OF_WHOLE_SQUADS = frozenset(["undo", "redo", "format", "delete"])
"""Changes that would hit whatever another device changed."""


class ExpectedItem(Model):
    """A model or a card as the browser knew it, and how many equal ones the squad had."""

    item: dict[str, Json]
    copies: int = 1


class ChangeBase(Model):
    """The state of a squad that a browser's change was made against."""

    edition: int | None = None
    """The edition of the page that the browser had stored. None if it cannot be relied on."""
    after: tuple[str, ...] = ()
    """The ids of the browser's own changes since then that the change was made after."""
    items: tuple[ExpectedItem, ...] = ()
    value: Json = None
    """The value that the change replaces: a name, a parameter or notes."""


def load_base(form: Mapping[str, str]) -> ChangeBase | None:
    """Return the state that a form's change was made against. None for a page with a network."""
    text = form.get("base")
    if not text:
        return None
    try:
        return ChangeBase.model_validate_json(text)
    except ValidationError:
        message = _("the change has no readable state of the squad")
        raise UsageError(message, _("Discard it, and make the change again.")) from None


def is_changed_elsewhere(row: SavedSquad, base: ChangeBase) -> bool:
    """Return True if a squad has other changes than the browser's own since the base."""
    if base.edition is None:
        return True
    steps = SquadStep.objects.filter(squad=row).exclude(request="")
    own_steps = set(base.after).intersection(steps.values_list("request", flat=True))
    return row.edition - base.edition != len(own_steps)


def make_conflict_error(subject: str) -> UsageError:
    """Make the error for a change whose subject is not as the browser knew it."""
    message = _(
        "{subject} was changed elsewhere after this browser stored the squad",
        subject=subject,
    )
    hint = _("Open the squad, make the change again if needed, and discard this one.")
    return UsageError(message, hint)


def refuse_newer_notes(row: SavedSquad, base: ChangeBase, notes: str) -> None:
    """Raise UsageError if new notes would replace some that the browser did not know.

    The base has all notes that the browser knew: those of the page, and those it wrote itself.
    """
    known_notes = base.value if isinstance(base.value, list) else []
    known_texts = {
        _normalise(text) for text in [*known_notes, notes] if isinstance(text, str)
    }
    if _normalise(row.notes) not in known_texts:
        raise make_conflict_error(_("the notes"))


@dataclass(frozen=True, slots=True)
class Replay:
    """A waiting change of a squad that was changed elsewhere."""

    view: SquadView
    base: ChangeBase

    @property
    def roster(self) -> Roster:
        """The squad before the change."""
        return require_roster(self.view.result.roster)

    def relocate(
        self, verb: str, words: Sequence[str], form: Mapping[str, str]
    ) -> tuple[list[str], Mapping[str, str]]:
        """Return the arguments and the form of a change with the present numbers of its models.

        Raise UsageError if what it changes is not as the browser knew it.
        """
        new_words = list(words)
        new_form = dict(form.items())
        if verb == "move":
            new_words[0], new_words[4] = self._find_lines(words[0], words[4])
        elif verb == "tie":
            new_words[0], *targets = self._find_lines(words[0], *_list_targets(form))
            if targets:
                new_form["value"] = str(int(targets[0]) - 1)
        elif verb in VERBS_OF_ONE_MODEL or (verb == "rename" and words):
            new_words[0] = self._find_lines(words[0])[0]
        elif verb == "drop":
            new_words[0] = str(self._find(self._list_deck(), int(words[0])))
        elif verb in ("unbench", "forget"):
            bench = list(map(export_entry, load_bench(self.view.row.bench)))
            new_words[0] = str(self._find(bench, int(words[0])))
        else:
            self._check_without_number(verb, words)
        return new_words, new_form

    def _check_without_number(self, verb: str, words: Sequence[str]) -> None:
        """Raise UsageError if a change that names no model would replace a newer value."""
        if verb in VERBS_OF_WHOLE_SQUADS:
            raise make_conflict_error(_("the squad"))
        if verb == "rename" and _normalise(self.roster.name) != _normalise(
            self.base.value
        ):
            raise make_conflict_error(
                _("the name {name}", name=self.roster.name or "–")
            )
        if verb == "param" and str(self.roster.params.get(words[0])) != str(
            self.base.value
        ):
            raise make_conflict_error(self.view.names.name_param(words[0]))
        if verb == "less":
            entries = list(map(export_entry, self.roster.entries))
            items = [*entries, *self._list_deck()]
            copies = [item for item in items if item["card"] == words[0]]
            # The last copy is removed.
            self._find(copies[-1:], 0)

    def _list_deck(self) -> list[dict[str, Json]]:
        return [item.model_dump(mode="json") for item in self.roster.deck]

    def _find_lines(self, *numbers: str) -> list[str]:
        """Return the present numbers of models."""
        entries = list(map(export_entry, self.roster.entries))
        lines: list[int] = []
        for position, number in enumerate(numbers):
            lines.append(self._find(entries, int(number) - 1, position, lines))
        return [str(line + 1) for line in lines]

    def _find(
        self,
        items: Sequence[Mapping[str, Json]],
        index: int,
        position: int = 0,
        used_indexes: Sequence[int] = (),
    ) -> int:
        """Return the index of the item that equals the one of the base.

        Equal items are interchangeable, unless one of them was removed or changed elsewhere.
        """
        if position >= len(self.base.items):
            raise make_conflict_error(_("the squad"))
        expected = self.base.items[position]
        matches = []
        for number, item in enumerate(items):
            if _is_equal(item, expected.item):
                matches.append(number)
        free_indexes = [number for number in matches if number not in used_indexes]
        if len(matches) < expected.copies or not free_indexes:
            card = self.view.names.name_card(str(expected.item.get("card", "")))
            raise make_conflict_error(str(expected.item.get("name") or card))
        return index if index in free_indexes else free_indexes[0]


def _list_targets(form: Mapping[str, str]) -> list[str]:
    """Return the number of the model that a link leads to, if there is one."""
    target = int(form.get("value", "-1"))
    return [str(target + 1)] if target >= 0 else []


def _is_equal(item: Mapping[str, Json], expected_item: Mapping[str, Json]) -> bool:
    """Return True if all that the browser knew of an item still holds.

    A browser that stored the squad with an older version of this program knew less of it.
    """
    return all(
        _normalise(item.get(key)) == _normalise(value)
        for key, value in expected_item.items()
    )


def _normalise(value: Json) -> Json:
    """Return a value as the server would store it: no empty choices, no space around a name."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if item != ""}
    return value
