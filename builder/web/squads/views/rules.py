"""How close a squad is to each rule, its cheapest repairs, and the statistics of its attacks."""

import re
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.report.stats_report import make_stat_blocks
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.explain import explain_roster
from builder.usecases.roster.stats_files import list_statistic_labels
from builder.web.accounts.rate_limits import count_request
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.squad_view import SquadView, check_text
from builder.web.squads.views.squad import load_own_squad, render_squad, require_small

RULE_LINE = re.compile(r"\s+(?:- )?([\w:-]+) (?=\()")
"""The beginning of a line about a rule: its id, before its title in brackets."""
MAX_SEARCHES_PER_HOUR = 300


@require_GET
def show_rules(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the costs, statistics and rules of a squad.

    The cheapest repairs of an illegal one are searched for with `ask=1`.
    """
    view = load_own_squad(request, key)
    card_lang = choose_card_language(view.pack, view.lang)
    result = check_text(view.row.text, str(view.row.id), card_lang, view.day)
    sheet = calculate_statistics(
        result, load_stat_forms(get_library().packs, view.pack.id)
    )
    words = list_statistic_labels(view.lang)
    attacks = []
    if sheet is not None:
        attacks = [
            (attack, list(make_stat_blocks(attack, words))) for attack in sheet.attacks
        ]
    is_legal = view.result.legal
    is_asked = request.GET.get("ask") == "1"
    if is_asked and not is_legal:
        require_small(view)
        count_request(request, "complete", MAX_SEARCHES_PER_HOUR)
    lines = explain_roster(view.result, every=True) if is_legal or is_asked else []
    return render_squad(
        request,
        view,
        "rules",
        lines=[_split_line(line, view) for line in lines],
        asked=is_asked,
        sheet=sheet,
        attacks=attacks,
        models=words["models"],
    )


def _split_line(line: str, view: SquadView) -> tuple[str, str]:
    """Return the title of the rule that a line is about, and the line without the rule's id.

    The title of other lines is empty.
    """
    match = RULE_LINE.match(line)
    for rule in view.pack.rules.rules if match else ():
        if match and rule.id == match[1]:
            title = view.names.choose_name(rule.title, rule.id)
            return title, line[match.end() :].removeprefix(f"({title})").removeprefix(
                ": "
            )
    return "", line
