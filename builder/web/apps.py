"""The application as Django knows it."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Squads kept in a database."""

    name = "builder.web"
    label = "squadpress"
    default_auto_field = "django.db.models.BigAutoField"
