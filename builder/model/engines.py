"""The engines that a pack may choose between."""

from typing import Literal, TypeAlias, get_args

EngineName: TypeAlias = Literal["weasyprint", "plutoprint"]
EngineRequest: TypeAlias = Literal["auto", "weasyprint", "plutoprint"]
"""What pack.yaml may say: an engine, or that each build chooses one."""

AUTO: Literal["auto"] = "auto"
ENGINE_NAMES: tuple[EngineName, ...] = get_args(EngineName)
