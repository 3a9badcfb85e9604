"""The project as Django knows it."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Static files, commands, shared templates, and migrations from before the app split.

    Its label is the prefix of all tables.
    """

    name = "builder.web"
    label = "squadpress"
