"""`squadpress roster reveal`."""

import json
from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, lang_option
from builder.messages import gettext as _, translate
from builder.packs.exchange import read_json
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.seal import (
    DisclosureCheck,
    check_disclosure,
    make_disclosure,
    read_copy,
    suggest_command,
)
from builder.usecases.roster.sealing import REASONS
from builder.usecases.roster.share import format_text


@click.command()
@file_argument
@click.option(
    "--open",
    "names",
    multiple=True,
    metavar="NAME",
    help="With a key: disclose this secret (#1.2, deck.1). Can be repeated.",
)
@click.option(
    "--proof", type=PATH, metavar="PROOF", help="Verify the copy with this disclosure."
)
@lang_option
@project_option
def reveal(
    file: Path,
    names: tuple[str, ...],
    proof: Path | None,
    lang: str | None,
    project: Project,
) -> int:
    """With a key FILE: print the disclosure of the given secrets, or of the whole squad.

    With a sealed FILE: print the models it shows. With --proof, also report whether each
    disclosed secret is the sealed one and belongs to these models. Exit code: 1 if not.
    """
    packs = PackFiles(project)
    if proof is not None:
        copy = read_json(file, suggest_command("sealed copy"))
        disclosure = read_json(proof, suggest_command("disclosure"))
        result = check_disclosure(
            packs, copy, disclosure, (str(file), str(proof)), lang
        )
        return _print_disclosure(result, lang or result.lang)
    value = read_json(file, suggest_command("key"))
    sealed_copy = None if names else read_copy(packs, value, str(file), lang)
    if sealed_copy is not None:
        squad, fingerprint = sealed_copy
        write(format_text(squad), nl=False)
        echo(_("fingerprint of the copy: {mark}", mark=fingerprint), squad.lang)
    else:
        disclosed_values = make_disclosure(value, names or ("whole",), str(file))
        write(json.dumps(disclosed_values, ensure_ascii=False, indent=1))
    return 0


def _print_disclosure(disclosure: DisclosureCheck, lang: str) -> int:
    """Print disclosed secrets and the squad. Return 0 if all secrets are proved, else 1."""
    for item in disclosure.secrets:
        content = disclosure.format_value(item.value)
        if item.value is None:
            content = translate(_("nothing"), lang)
        elif item.name == "whole":
            content = translate(_("the whole squad"), lang)
        proof = translate(_("NOT PROVED") if item.flaw else _("as sealed "), lang)
        write(f"{proof} {item.name}: {content}")
        if item.flaw:
            write(f"  {translate(_(REASONS[item.flaw], places=item.places), lang)}")
    if disclosure.squad is not None:
        write(format_text(disclosure.squad), nl=False)
    write(
        translate(
            _("fingerprint of the copy: {mark}", mark=disclosure.fingerprint), lang
        )
    )
    is_proved = disclosure.secrets and not any(item.flaw for item in disclosure.secrets)
    return 0 if is_proved else 1
