#!/bin/sh
# Pins every package into requirements.lock (to do all that the README shows on one machine) and requirements-dev.lock (to test as well). The files name
# no host and no path; they hold versions, not hashes, because one lock serves every platform and every mirror of the
# package index, and a wheel rebuilt by a mirror has another hash.
set -eu
python=${PYTHON:-.venv/bin/python}
"$python" -m piptools --version >/dev/null 2>&1 || "$python" -m pip install -q pip-tools
compile() { CUSTOM_COMPILE_COMMAND="make lock" "$python" -m piptools compile --quiet --strip-extras --allow-unsafe \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options "$@"; }
compile --extra catalogues --extra press --extra share --extra solve --extra web --all-build-deps --output-file requirements.lock pyproject.toml
compile --all-extras --all-build-deps --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
