"""`squadpress roster seal`, `reveal` and `verify`: what can be proved of a squad and of its judgement."""

import json
from functools import partial
from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, files_argument, lang_option
from builder.errors import UsageError
from builder.messages import gettext as _, translate
from builder.store.exchange import read_json
from builder.store.project import Project
from builder.usecases.files import PackFiles, write_json
from builder.usecases.roster.files import judge_files
from builder.usecases.roster.seal import disclose, remedy, reveal as prove, seal as close, shown_copy
from builder.usecases.roster.sealing import REASONS
from builder.usecases.roster.share import as_text
from builder.usecases.roster.verdict import REMEDY, verify as repeat


@click.command()
@file_argument
@lang_option
@project_option
def seal(file: Path, lang: str | None, project: Project) -> int:
    """Write NAME.sealed.json, the opponent's copy of the legal squad in FILE, and NAME.key.json, which you keep.

    The copy shows the models; what they carry and the deck are sealed, each on its own. Its fingerprint is for both
    players to write down: who has it can tell a copy that was exchanged later.
    """
    (judged,) = judge_files(project, (file,), lang)
    sealed = close(judged)
    copy, key = file.with_name(f"{file.stem}.sealed.json"), file.with_name(f"{file.stem}.key.json")
    if key.exists():
        remedy = _("Move it away first: without it the earlier seal proves nothing.")
        raise UsageError(_("{file} is there already", file=key), remedy)
    write_json(key, sealed.key)
    write_json(copy, sealed.copy)
    echo(_("written: {file} (for your opponent)", file=copy), judged.lang)
    echo(_("written: {file} (keep it to yourself)", file=key), judged.lang)
    echo(_("fingerprint of the copy: {mark}", mark=sealed.fingerprint), judged.lang)
    return 0


@click.command()
@file_argument
@click.option("--open", "names", multiple=True, metavar="NAME", help="From a key: disclose this secret (#1.2, deck.1).")
@click.option("--proof", type=PATH, metavar="PROOF", help="Prove a copy by this disclosure.")
@lang_option
@project_option
def reveal(file: Path, names: tuple[str, ...], proof: Path | None, lang: str | None, project: Project) -> int:
    """With a key FILE: print the disclosure of the named secrets, of the whole squad if none is named.

    With a sealed FILE: print the models it shows; with --proof as well: say of each disclosed secret whether it is what
    was sealed, and that with these models. Ends with 1 if not.
    """
    packs = PackFiles(project)
    value = read_json(file, remedy("key" if proof is None else "sealed copy"))
    shown = shown_copy(packs, value, str(file), lang) if proof is None and not names else None
    if shown is not None:
        write(as_text(shown[0]), nl=False)
        echo(_("fingerprint of the copy: {mark}", mark=shown[1]), shown[0].lang)
        return 0
    if proof is None:
        write(json.dumps(disclose(value, names or ("whole",), str(file)), ensure_ascii=False, indent=1))
        return 0
    found = prove(packs, value, read_json(proof, remedy("disclosure")), (str(file), str(proof)), lang)
    say = partial(translate, lang=lang or found.lang)
    for item in found.secrets:
        content = say(_("the whole squad")) if item.name == "whole" else found.told(item.value)
        told = say(_("nothing")) if item.value is None else content
        proved = say(_("NOT PROVED") if item.wrong else _("as sealed "))
        write(f"{proved} {item.name}: {told}")
        if item.wrong:
            write(f"  {say(_(REASONS[item.wrong], places=item.places))}")
    if found.squad is not None:
        write(as_text(found.squad), nl=False)
    write(say(_("fingerprint of the copy: {mark}", mark=found.fingerprint)))
    return 0 if found.secrets and not any(item.wrong for item in found.secrets) else 1


@click.command()
@files_argument
@lang_option
@project_option
def verify(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Judge again what a verdict FILE (NAME.verdict.json) holds, and say whether it is confirmed.

    Ends with 1 if anything differs.
    """
    fine, say = True, partial(translate, lang=lang or "en")
    for file in files:
        again = repeat(PackFiles(project), read_json(file, REMEDY), str(file))
        fine = fine and not again.differences
        by = f"{again.pack} {again.release}" if again.release else again.pack
        word = say(_("REFUTED  ") if again.differences else _("confirmed"))
        stated = say(_("legal") if again.legal else _("ILLEGAL"))
        write(f"{word} {file}: {stated}, {by}")
        for told in again.differences:
            write(f"  {say(told)}")
    return 0 if fine else 1
