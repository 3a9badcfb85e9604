# `make cards`: from nothing to printable cards. `make test`: from nothing to a verdict. `make help` lists the rest.
SHELL := /bin/sh
PY := .venv/bin/python
ifeq ($(shell uname -s),Darwin)
# Apple's loader does not look where Homebrew installs. Stated at each call: /bin/sh drops it from its environment.
PY := DYLD_FALLBACK_LIBRARY_PATH=$(shell brew --prefix 2>/dev/null)/lib:/usr/local/lib:/usr/lib .venv/bin/python
endif
RUN := $(PY) -m builder
PYBABEL := $(PY) -m babel.messages.frontend
PACKS := $(notdir $(patsubst %/pack.yaml,%,$(wildcard cards/*/pack.yaml)))
SET_UP := tools/setup.sh pyproject.toml

# Whoever asks Python to keep no bytecode asks each process of the tests to compile the program and all tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help cards packs serve docs test quick-test laws lint check-types release-check bench fuzz schemas goldens messages picture lock clean
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 18

cards: .venv/.ready ## set up, then build the first pack in all its languages: output/hydrophilia/
	$(RUN) build --pack hydrophilia --lang all

packs: .venv/.ready ## set up, then build every pack
	@set -e; for pack in $(PACKS); do $(RUN) build --pack $$pack --lang all; done

serve: .venv/.ready ## set up, then build squads in a browser: http://127.0.0.1:8000/
	$(RUN) serve

test: .venv/.ready-dev lint check-types ## set up, then linters, types, import contracts, all tests
	$(PY) -m pytest -n 2 --dist worksteal

quick-test: .venv/.ready-dev ## all tests with the engine that auto chooses and one database, and nothing else
	$(PY) -m pytest -n 2 --dist worksteal -m "not second"

release-check: .venv/.ready-dev ## what a release of the program needs besides the tests: every message translated
	SQUADPRESS_RELEASE_CHECK=1 $(PY) -m pytest tests/messages

laws: .venv/.ready-dev ## try the property tests on examples that no run has tried before
	$(PY) -m pytest -n 2 --dist worksteal -m hypothesis --hypothesis-profile afresh

lint: .venv/.ready-dev ## style, complexity and import contracts
	$(PY) -m ruff check builder tests tools
	$(PY) -m ruff format --check builder tests tools
	.venv/bin/complexipy --quiet
	.venv/bin/lint-imports

check-types: .venv/.ready-dev ## static types
	$(PY) -m mypy builder tools/core_schemas.py
	$(PY) -m mypy --explicit-package-bases tests

fuzz: .venv/.ready-dev ## spoil every kind of file for SECONDS (600), going on where the last run ended
	$(PY) -m tests.fuzz --seconds $(or $(SECONDS),600)

bench: .venv/.ready-dev ## measure, and print what was measured
	$(PY) -m tests.bench

schemas: .venv/.ready ## write schemas/core from the models, and the tables of keys in docs from these
	$(PY) -m tools.core_schemas
	$(PY) -m tools.doc_keys

goldens: .venv/.ready-dev ## accept what the pages look like now
	SQUADPRESS_UPDATE_GOLDENS=1 $(PY) -m pytest -q -k golden

picture: .venv/.ready-dev ## draw docs/architecture.svg from the imports
	$(PY) tools/architecture.py

docs: .venv/.ready-dev ## build the documentation as a website with a search box: output/docs/
	$(PY) -m tools.docs_site

messages: .venv/.ready-dev ## bring the catalogues of translations up to date with the program, and compile them
	$(PYBABEL) -q extract -F pyproject.toml -k pgettext:1c,2 --no-location --sort-output --omit-header -o builder/locale/squadpress.pot \
		. $$($(PY) -c "import click; print(click.__path__[0])")
	$(PYBABEL) -q update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date -w 110 -D squadpress -i builder/locale/squadpress.pot -d builder/locale
	$(PYBABEL) -q compile -D squadpress -d builder/locale

lock: .venv/.ready-dev ## choose and pin newer packages
	sh tools/lock.sh

clean: ## remove everything generated, the environment too
	[ ! -d output ] || find output -mindepth 1 ! -path output/.gitignore -delete
	rm -rf .venv .cache .complexipy_cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .grimp_cache .hypothesis dist

.venv/.ready: requirements.lock $(SET_UP)
	tools/setup.sh requirements.lock
	@touch $@

.venv/.ready-dev: requirements-dev.lock $(SET_UP)
	tools/setup.sh requirements-dev.lock
	@touch $@ .venv/.ready
