"""Which engines a pack may choose between."""

from typing import Literal, TypeAlias, get_args

EngineName: TypeAlias = Literal["weasyprint", "plutoprint"]
"""The names that pack.yaml and `--engine` know; the first sets a pack that names none."""

ENGINE_NAMES: tuple[EngineName, ...] = get_args(EngineName)
