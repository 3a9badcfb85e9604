"""The addresses of events."""

from django.urls import path

from builder.web.events.views import organisers, players

urlpatterns = [
    path("events", organisers.events, name="events"),
    path("events/new/<slug:pack>", organisers.new, name="event-new"),
    path("events/<uuid:event>", organisers.event, name="event"),
    path("events/<uuid:event>/lists.csv", organisers.csv, name="event-csv"),
    path("events/<uuid:event>/print", organisers.sheets, name="event-print"),
    path("at/<uuid:code>", players.event, name="hand-in"),
    path("at/<uuid:code>/lists/<uuid:one>", players.handed, name="handed"),
    path("at/<uuid:code>/lists/<uuid:one>.yaml", players.handed_file, name="handed-file"),
]
