# Every target makes the virtual environment it needs, from pinned and hashed requirements; nothing else has to be installed but Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Four workers keep two cores busy, as the tests wait for servers and disks; a whole file stays on one, so that its fixtures are made once.
PYTEST_WORKERS ?= 4
# Failovers that `make failover` shows.
ROUNDS ?= 20

PIP := $(BIN)/python -m pip --disable-pip-version-check --require-virtualenv
INSTALL := $(PIP) install --quiet --no-compile --require-hashes
# Bytecode of packages is written once after an install. Some hold files that are not Python.
COMPILE := $(BIN)/python -m compileall -qq -j 2 $(VENV)/lib || true

# What Python compiles is kept, whatever the shell says: each start of a server would compile everything again. And its
# output is buffered, as it is where people run it.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONUNBUFFERED :=

DIST := dist
CHOSEN := --durations 20
# What `make quick` runs; name others, as in: make quick QUICK=tests/service/releases
QUICK ?= tests/core/accounting tests/core/samplers tests/service/schemas tests/service/channels tests/test_private_lint.py

.DEFAULT_GOAL := help
.PHONY: help client demo serve quick test fast-tests test-long mutants failover generators check bench openapi papers requirements release clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

client: $(VENV)/client ## `posterior` and the Python client, in the virtual environment of the service

demo: $(VENV)/client ## the whole service at work in a minute: admin, owner and analyst over HTTP, on real tables
	@$(BIN)/private-posterior demo

serve: $(VENV)/runtime ## a service that stays up, on a SQLite file under data/
	@$(BIN)/private-posterior migrate
	@exec $(BIN)/private-posterior serve

test: $(VENV)/dev ## all checks and the fast tests, on SQLite and on a real PostgreSQL
	@$(MAKE) --no-print-directory --jobs 2 check fast-tests

# Where Debian has HAProxy, nginx and PgBouncer.
test-long failover bench: export PATH := $(PATH):/usr/sbin

# Beside the checks, which keep one core busy if mypy has no cache.
fast-tests: $(VENV)/dev
	@echo "== tests"
	@exec $(BIN)/python -m pytest -m "not long" --numprocesses $(PYTEST_WORKERS) --dist loadfile --no-loadscope-reorder $(CHOSEN)

quick: $(VENV)/dev ## while you change something: the checks, and fast tests on SQLite; QUICK=tests/... names other tests
	@$(MAKE) --no-print-directory --jobs 2 check fast-tests PYTEST_WORKERS=3 CHOSEN='-q -k "not postgresql" $(QUICK)'
	@echo "== left out: PostgreSQL, the long tests, and all tests outside $(QUICK)"

test-long: $(VENV)/dev ## the statistical, crash and load tests; PARTS="draws ledger" runs some of the fifteen parts
	@$(BIN)/python -m tests.long $(PARTS)

mutants: $(VENV)/dev ## breaks each guarantee of CONTRIBUTING.md on purpose, and names the fast test that fails; MUTANTS="..." names some
	@$(BIN)/python -m tests.mutants $(MUTANTS)

failover: $(VENV)/dev ## a primary that fails under load, again and again, behind a load balancer: what callers see of it
	@$(BIN)/python -m tests.harness.failover --rounds $(ROUNDS)

generators: $(VENV)/dev ## what the long tests generate clients with, run pages with, and count with; Node, Java and R have to be there
	@npm install --prefix tests/clients
	@$(PIP) install --quiet openapi-generator-cli==7.26.0 "ibis-framework[duckdb]==12.0.0" pyspark==4.0.5 arviz==0.23.4 preliz==0.24.0 "pytensor<3" "matplotlib<3.11"

check: $(VENV)/dev ## lint, formatting, types, import contracts
	@echo "== lint"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo "== types"
	@$(BIN)/mypy
	@echo "== import contracts"
	@$(BIN)/lint-imports --no-logo

bench: $(VENV)/dev ## benchmarks, ten minutes each at most; each prints ratios against a baseline measured in the same run
	@$(BIN)/python -m benchmarks

openapi: $(VENV)/dev ## write docs/openapi.json and the models of the client, and say of each difference whether it breaks callers
	@$(BIN)/python -m tests.harness.api_changes
	@cd client && ../$(BIN)/datamodel-codegen

requirements: $(VENV)/dev ## resolve the pinned requirements again
	@$(PIP) install --quiet uv
	@for what in "requirements/build.in -o requirements/build.txt" "pyproject.toml --extra postgresql -o requirements/runtime.txt" \
	  "pyproject.toml --extra postgresql --extra dev -c requirements/runtime.txt -o requirements/dev.txt"; do \
	  $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url \
	    --custom-compile-command "make requirements" $$what || exit 1; \
	done

papers: $(VENV)/dev ## the experiments of the papers, run again: docs/explanation/papers.md and its pictures
	@OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.papers

release: $(VENV)/dev ## the files of a release, in dist/: the wheel of the client, and the SBOM of the server (CycloneDX)
	@mkdir -p $(DIST)
	@$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir $(DIST) ./client
	@$(PYTHON) -m venv --clear build/server
	@build/server/bin/python -m pip --disable-pip-version-check install --quiet --no-compile --require-hashes -r requirements/runtime.txt
	@build/server/bin/python -m pip uninstall --quiet --yes pip setuptools
	@$(PIP) install --quiet cyclonedx-bom==7.5.0
	@$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file $(DIST)/private-posterior.cdx.json build/server
	@ls $(DIST)

clean: ## remove the virtual environment and the caches; data/ stays
	rm -rf $(VENV) build dist *.egg-info client/build client/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis .import_linter_cache

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is not a Python 3.11 or newer: name one, as in: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "== virtual environment in $(VENV), $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV) || { echo "$(PYTHON) cannot make a virtual environment; on Debian: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/runtime: $(VENV)/python requirements/build.txt requirements/runtime.txt pyproject.toml
	@echo "== what the service needs: $$(grep -c '^[a-z]' requirements/runtime.txt) pinned packages, about half a minute"
	@$(INSTALL) -r requirements/build.txt -r requirements/runtime.txt
	@$(PIP) install --quiet --no-compile --no-deps --no-build-isolation --editable .
	@$(COMPILE)
	@touch $@

# What the client needs is among what the service needs.
$(VENV)/client: $(VENV)/runtime client/pyproject.toml
	@$(PIP) install --quiet --no-compile --no-deps --no-build-isolation --editable client
	@touch $@

$(VENV)/dev: $(VENV)/client requirements/dev.txt
	@echo "== what the checks and tests need: $$(grep -c '^[a-z]' requirements/dev.txt) pinned packages, about a minute"
	@$(INSTALL) -r requirements/dev.txt
	@$(COMPILE)
	@touch $@
