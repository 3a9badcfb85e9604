"""The page that asks before something is done that cannot be undone."""

from django.http import HttpRequest, HttpResponse

from builder.web.events.models import Event
from builder.web.templating import render_page, translate_text


def is_confirmed(request: HttpRequest) -> bool:
    """Return True if a form was sent with its tick, or from the page that asks."""
    return request.POST.get("sure") == "1"


def ask_to_confirm(
    request: HttpRequest, event: Event, question: str, consequence: str, button: str
) -> HttpResponse:
    """Show a question. Its button sends the same form again, confirmed."""
    return render_page(
        request,
        "events/confirm",
        event=event,
        question=translate_text(question),
        consequence=translate_text(consequence),
        button=translate_text(button),
        verb=request.POST.get("do", ""),
        address=request.path,
    )
