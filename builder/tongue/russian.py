"""What the program says in Russian: each English form with its Russian one, by what it is about."""

from __future__ import annotations

from collections.abc import Mapping

from builder.tongue.russian_cards import CARDS
from builder.tongue.russian_cluster import CLUSTER
from builder.tongue.russian_commands import COMMANDS
from builder.tongue.russian_files import FILES, SYSTEM
from builder.tongue.russian_fonts import FONTS
from builder.tongue.russian_models import MODELS
from builder.tongue.russian_orders import ORDERS
from builder.tongue.russian_preflight import PREFLIGHT
from builder.tongue.russian_print_remedies import PRINT_REMEDIES
from builder.tongue.russian_proposals import PROPOSALS
from builder.tongue.russian_releases import RELEASES
from builder.tongue.russian_remedies import REMEDIES
from builder.tongue.russian_rosters import ROSTERS
from builder.tongue.russian_screens import SCREENS
from builder.tongue.russian_setting import SETTING
from builder.tongue.russian_yaml import SCANNER, YAML

TABLES: tuple[Mapping[str, str], ...] = (
    FILES,
    SYSTEM,
    YAML,
    SCANNER,
    ROSTERS,
    CARDS,
    FONTS,
    MODELS,
    COMMANDS,
    RELEASES,
    REMEDIES,
    PREFLIGHT,
    ORDERS,
    SCREENS,
    SETTING,
    PROPOSALS,
    CLUSTER,
    PRINT_REMEDIES,
)

FORMS: Mapping[str, str] = {english: russian for table in TABLES for english, russian in table.items()}
"""English form -> Russian form with the same gaps."""
