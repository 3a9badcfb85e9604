"""The door for servers of WSGI: `gunicorn builder.web.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.web.settings")
application = get_wsgi_application()
