"""The addresses of events."""

from django.urls import path

from builder.web.events.views import messages, organisers, players, rounds

urlpatterns = [
    path("events", organisers.show_events, name="events"),
    path("events/new/<slug:pack>", organisers.make_event, name="event-new"),
    path("events/<uuid:event>", organisers.show_event, name="event"),
    path("events/<uuid:event>/lists.csv", organisers.export_table, name="event-csv"),
    path("events/<uuid:event>/print", organisers.print_sheets, name="event-print"),
    path(
        "events/<uuid:event>/receipts",
        organisers.show_receipt_of_number,
        name="event-receipts",
    ),
    path("events/<uuid:event>/rounds", rounds.show_rounds, name="event-rounds"),
    path(
        "events/<uuid:event>/rounds/<int:number>",
        rounds.show_round,
        name="event-round",
    ),
    path("events/<uuid:event>/messages", messages.show_messages, name="event-messages"),
    path("events/<uuid:event>/recheck", messages.show_recheck, name="event-recheck"),
    path("at/<uuid:code>", players.show_event_to_players, name="hand-in"),
    path("at/<uuid:code>/lists/<uuid:list_id>", players.show_list, name="handed"),
    path(
        "at/<uuid:code>/lists/<uuid:list_id>.yaml",
        players.export_list,
        name="handed-file",
    ),
    path(
        "at/<uuid:code>/receipts/<uuid:receipt>", players.show_receipt, name="receipt"
    ),
    path(
        "at/<uuid:code>/receipts/<uuid:receipt>.yaml",
        players.export_receipt,
        name="receipt-file",
    ),
    path("at/<uuid:code>/rounds/<int:number>", rounds.show_pairings, name="pairings"),
    path("at/<uuid:code>/standings", rounds.show_standings, name="standings"),
]
