"""Find a code of errors and warnings, and its example."""

import importlib
import json
import pkgutil
from collections.abc import Mapping

from ruamel.yaml import YAML

import builder
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.codes import CODES, Code, Example
from builder.model.words import find_nearest
from builder.packs.project import EXAMPLES_OF_CODES, FORMER_CODES


def load_codes() -> Mapping[str, Code]:
    """Return all codes of errors and warnings, sorted by name.

    Importing a module registers its codes. They are in modules whose names end in "codes", and in
    the modules of checks.
    """
    for module in pkgutil.walk_packages(builder.__path__, "builder."):
        parts = module.name.split(".")
        if not module.ispkg and (parts[-1].endswith("codes") or parts[1] == "checks"):
            importlib.import_module(module.name)
    return dict(sorted(CODES.items()))


def find_code(name: str) -> Code:
    """Return a code by its full name, the part after the slash, or a former name.

    Raise UsageError with a suggestion if there is none.
    """
    codes = load_codes()
    current_names = {code: code for code in codes}
    current_names |= json.loads(FORMER_CODES.read_text("utf-8"))
    if name in current_names:
        return codes[current_names[name]]
    matches: set[str] = set()
    for listed_name, current_name in current_names.items():
        if listed_name.endswith(f"/{name}"):
            matches.add(current_name)
    if len(matches) == 1:
        return codes[matches.pop()]
    groups = sorted({code.partition("/")[0] for code in codes})
    form = _("List all codes with `squadpress explain`. Groups: {listed}.")
    hint = _(form, listed=", ".join(groups))
    nearest = find_nearest(name, current_names)
    # The name of a group is near some code of the group, but more likely all are wanted.
    if nearest and name not in groups:
        hint = _("Did you mean {word}?", word=current_names[nearest])
    raise UsageError(_("there is no code {code}", code=name), hint)


def read_example(code: Code) -> Example:
    """Read the example of a code from examples.yaml."""
    example = YAML(typ="safe").load(EXAMPLES_OF_CODES.read_text("utf-8"))[code.code]
    return Example(example["in"], example["before"], example["after"])
