"""What commands that set cards tell besides findings, in Russian."""

from __future__ import annotations

from collections.abc import Mapping

SCREENS: Mapping[str, str] = {
    # What had to shrink.
    "{pack}: {shrunk} of {many} blocks had to shrink": "{pack}: блоков пришлось уменьшить: {shrunk} из {many}",
    "  {lang}: {shrunk} of {many}, {last} of them at their smallest size": (
        "  {lang}: {shrunk} из {many}, из них с наименьшим кеглем: {last}"
    ),
    "Shrunk, worst first": "Уменьшены, начиная с худших",
    "Emptiest": "Самые пустые",
    "  {size}  {block}  {fill:.0%} full": "  {size}  {block}  заполнен на {fill:.0%}",
    "  {fill:4.0%} full at {size:g} pt  {block}": "  заполнен на {fill:4.0%} при {size:g} пт  {block}",
    "{size:5.4g} pt{mark} ({most:g} to {least:g})": "{size:5.4g} пт{mark} (от {most:g} до {least:g})",
    # The page of a watched pack.
    "{pack} is at {address} (Ctrl-C ends)": "{pack}: {address} (Ctrl-C — конец)",
    "ended": "конец",
    "watching": "слежу",
    "squadpress watch does not answer; the page is as it was last": (
        "squadpress watch не отвечает; страница осталась прежней"
    ),
    "No card to show yet: save one.": "Показывать пока нечего: сохраните какую-нибудь карту.",
    "no card": "карты нет",
    "as it was before": "прежний вид",
    "as it was before: the last save could not be set": "прежний вид: то, что сохранено последним, не набирается",
    "front": "лицо",
    "back": "оборот",
    "{many} ms": "{many} мс",
    "and {many} more in the terminal": "и ещё {many} — в терминале",
    "port {port} of this machine cannot be used: {reason}": "порт {port} этой машины занять нельзя: {reason}",
    "Name another with --port, or let the system choose with --port 0.": (
        "Назовите другой: --port — или дайте системе выбрать: --port 0."
    ),
}
"""English form -> Russian form."""
