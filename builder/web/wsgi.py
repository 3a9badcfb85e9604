"""The door for servers of WSGI: `gunicorn builder.web.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.web.settings")
application = get_wsgi_application()

from builder.web.server import prepare  # noqa: E402 (what it imports wants the settings)

prepare()
