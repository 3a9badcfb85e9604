"""Forms that were refused: the error stands next to its field, and all fields keep their values."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from builder.errors import InputUnreadable, PackUnreadable, SquadpressError, UsageError
from builder.messages import gettext as _
from builder.web.templating import translate_text


class FieldError(UsageError):
    """An error of one field of a form."""

    def __init__(self, field_name: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.field_name = field_name


@contextmanager
def blame_field(field_name: str) -> Iterator[None]:
    """Raise FieldError for wrong input in this block, unless it names a field already.

    An unreadable game is no fault of the form.
    """
    try:
        yield
    except (FieldError, PackUnreadable):
        raise
    except (UsageError, InputUnreadable) as error:
        raise FieldError(field_name, error.message, error.remedy) from error


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form as it was sent, with its error. Without values it is a new form.

    A page can have several forms. The others keep their defaults: the form that was sent has none
    of their fields.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    field_name: str = ""
    message: str = ""
    hint: str = ""

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows the form."""
        return 400 if self.message else 200

    def get_value(self, name: str, default: object = "") -> str:
        """Return the value of a field. `default` is that of a form that was not sent."""
        return str(self.values.get(name, default))

    def is_form(self, verb: str) -> bool:
        """Return True if this is the form whose button has the value `verb`."""
        return self.values.get("do") == verb

    def is_checked(self, verb: str, name: str, default: bool) -> bool:
        """Return True if a checkbox of a form is checked.

        Browsers send no field for a checkbox that is not. `default` is the state in a form that
        was not sent.
        """
        return name in self.values if self.is_form(verb) else default


NEW_FORM = SentForm()


def refuse_form(values: Mapping[str, str], error: SquadpressError) -> SentForm:
    """Return a sent form with an error, in the language of the page."""
    field_name = error.field_name if isinstance(error, FieldError) else "do"
    message = translate_text(error.message)
    hint = translate_text(error.remedy)
    return SentForm(values, field_name, message[:1].upper() + message[1:], hint)


def refuse_unknown_verb(verb: str) -> FieldError:
    """Return the error for a button that its page does not have."""
    message = _("{value} is not allowed here", value=verb[:40] or "–")
    return FieldError("do", message, _("Load the page again and use its buttons."))


def check_confirmed(form: Mapping[str, str]) -> None:
    """Raise FieldError if the box that confirms a deletion is not ticked."""
    if form.get("sure") != "1":
        message = _("the deletion is not confirmed")
        raise FieldError("sure", message, _("Tick the box and try again."))


def read_lines(form: Mapping[str, str], name: str) -> str:
    """Return the text of a field with several lines.

    Browsers send two characters for each line break, but count one.
    """
    return form.get(name, "").replace("\r\n", "\n").strip()
