"""A command line that cannot be understood, told in the language that it asks for."""

from __future__ import annotations

import click

from builder.messages import Message, catalogue, translate
from builder.messages import gettext as _


def show(error: click.ClickException, lang: str) -> None:
    """Print the usage of the command that was meant, and what is wrong, to standard error."""
    if not catalogue(lang):
        error.show()
        return
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is not None:
        hint = _("Try '{command} {option}' for help.", command=ctx.command_path, option="--help")
        click.echo(f"{ctx.get_usage()}\n{translate(hint, lang)}\n", err=True)
    click.echo(translate(_("Error: {message}", message=_message(error)), lang), err=True)


def _message(error: click.ClickException) -> Message:
    """What is wrong, as far as click tells its parts."""
    if isinstance(error, click.NoSuchOption):
        near = _("Did you mean {word}?", word=", ".join(error.possibilities)) if error.possibilities else ""
        return _("no such option: {name}. {advice}" if near else "no such option: {name}", name=error.option_name,
                    advice=near)  # fmt: skip
    if isinstance(error, click.MissingParameter):
        option = error.param is not None and error.param.param_type_name == "option"
        return _("missing option {name}" if option else "missing argument {name}", name=_name(error))
    if isinstance(error, click.BadParameter):
        sort = error.param.type if error.param is not None else None
        if isinstance(sort, click.Choice):
            return _("{name} may only be: {listed}", name=_name(error), listed=", ".join(map(str, sort.choices)))
        if isinstance(sort, click.IntRange) and sort.min is not None and sort.max is not None:
            return _("{name} must be from {least} to {most}", name=_name(error), least=sort.min, most=sort.max)
        return _("invalid value for {name}: {reason}", name=_name(error), reason=error.message)
    if isinstance(error, click.BadOptionUsage):
        return _("{name}: {reason}", name=error.option_name, reason=error.message)
    return error.message if isinstance(error.message, Message) else _(error.format_message())


def _name(error: click.BadParameter) -> str:
    """The option or argument that is meant, as its help writes it."""
    return error.param.get_error_hint(error.ctx) if error.param is not None else ""
