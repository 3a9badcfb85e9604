"""The project as Django knows it."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The Django app with static files, commands, templates and the first migrations.

    Its label is the prefix of all tables.
    """

    name = "builder.web"
    label = "squadpress"
