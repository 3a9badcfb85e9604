"""How close a squad is to each rule, what would mend it with the fewest changes, and what its attacks do."""

import re
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from builder.report.stats_report import make_blocks
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.explain import explain_roster
from builder.usecases.roster.stats_files import list_words
from builder.web.accounts.rate_limits import count_request
from builder.web.cards.library import choose_card_language, get_library
from builder.web.squads.squad_view import SquadSight, judged_text
from builder.web.squads.views.squad import own_squad, refuse_search, squad_page

LINE = re.compile(r"\s+(?:- )?([\w:-]+) (?=\()")
"""The beginning of a line about a rule: its id, before its title in brackets."""


@require_GET
def rules(request: HttpRequest, key: UUID) -> HttpResponse:
    """The squad in numbers; what the cheapest repairs of one that is not legal are, once they are asked for."""
    sight = own_squad(request, key)
    row, spoken = sight.row, choose_card_language(sight.pack, sight.lang)
    judged = judged_text(row.text, str(row.id), spoken, sight.day)
    sheet = calculate_statistics(judged, load_stat_forms(get_library().packs, sight.pack.id))
    called = list_words(sight.lang)
    attacks = (
        [(attack, list(make_blocks(attack, called))) for attack in sheet.attacks] if sheet else []
    )
    legal, asked = sight.judged.legal, request.GET.get("ask") == "1"
    if asked and not legal:
        refuse_search(sight)
        count_request(request, "complete", max_count=300)
    told = explain_roster(sight.judged, every=True) if legal or asked else []
    lines = [_titled(line, sight) for line in told]
    return squad_page(
        request,
        sight,
        "rules",
        lines=lines,
        asked=asked,
        sheet=sheet,
        attacks=attacks,
        models=called["models"],
    )


def _titled(line: str, sight: SquadSight) -> tuple[str, str]:
    """A line by the rule that it is of, called by its title instead of its id, and the rest; no rule for any other."""
    found = LINE.match(line)
    rule = next((one for one in sight.pack.rules.rules if found and one.id == found[1]), None)
    if rule is None or found is None:
        return "", line
    title = sight.names.of(rule.title, rule.id)
    return title, line[found.end() :].removeprefix(f"({title})").removeprefix(": ")
