# Everything a newcomer types. Needed beforehand: Python 3.11 and make.
# The newest Python that is there; 3.11 is the oldest that will do.
PYTHON ?= $(firstword $(foreach v,3.11 3.12 3.13,$(if $(shell command -v python$(v)),python$(v))) python3)
UV := uv==0.13.9
BIN := .venv/bin
STAMP := .venv/.ready

.PHONY: help setup demo serve test cover proof crash promises contracts check fix bench fuzz lock regen clean

help: ## show these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) ## a .venv with everything locked in requirements.lock

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Matinee needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv \
	  || { echo "python -m venv failed; on Debian, install python3-venv." >&2; exit 1; }
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --compile-bytecode -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	@touch $@

demo: setup ## the main job on real input: a goal becomes a film on the shelf
	$(BIN)/matinee demo

serve: setup ## the one long-lived process
	$(BIN)/matinee serve

test: setup ## the tests (8 minutes at most)
	@PYTHON=$(BIN)/python scripts/services test
	$(BIN)/python -m pytest -m "not proof" -n 2

cover: setup ## the same tests, with the branches they take; 90 % at least (12 minutes)
	@PYTHON=$(BIN)/python scripts/services test
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -m "not proof" -n 2
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python -m scripts.branch_coverage .coverage.json 90

proof: setup ## the slow proofs: real services, crashes, other people's clients
	@PYTHON=$(BIN)/python scripts/services proof
	$(BIN)/python -m pytest -m proof --timeout 600

crash: setup ## death at every system call, failing disks, broken builds; FULL=1 for all of them
	@PYTHON=$(BIN)/python scripts/services proof
	$(BIN)/python -m tests.crash

promises: setup ## docs/promises.md: what is promised, and what was tried to break it
	@PYTHON=$(BIN)/python scripts/services proof
	@mkdir -p .results && rm -f .results/promises.jsonl
	MATINEE_PROMISES=.results/promises.jsonl $(BIN)/python -m pytest -m promise --timeout 900
	$(BIN)/python -m scripts.promises .results/promises.jsonl

contracts: setup ## docs/reference/downloaders.md: what each download client was seen to do
	@PYTHON=$(BIN)/python scripts/services test
	@mkdir -p .results
	-$(BIN)/python -m pytest --timeout 120 -o junit_family=xunit1 --junitxml .results/contracts.xml \
	  $(addprefix tests/capabilities/adapters/downloader/test_,embedded.py qbittorrent.py transmission_contract.py)
	$(BIN)/python -m scripts.contracts .results/contracts.xml

check: setup ## lint, types, import directions, published schemas
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m scripts.lint_schemas

fix: setup ## format and apply safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup ## the measurements of docs/reference/benchmarks.md
	$(BIN)/python -m bench

bench-%: setup
	$(BIN)/python -m bench $*

regen: setup ## rewrite snapshots and generated reference pages
	$(BIN)/python -m scripts.regen

lock: setup ## resolve requirements.lock anew
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header --group dev --extra keyring pyproject.toml --output-file requirements.lock

clean: ## remove what setup made
	rm -rf .venv dist .ruff_cache .hypothesis .coverage*

FUZZ_S ?= 600
FUZZ := .results/fuzz

fuzz: setup ## texts made to break the reading of names, for FUZZ_S seconds
	@mkdir -p $(FUZZ)/found
	@test -x $(FUZZ)/env/bin/python || $(BIN)/uv venv --quiet --python $(BIN)/python $(FUZZ)/env
	@$(BIN)/uv pip install --quiet --python $(FUZZ)/env/bin/python atheris==3.0.0
	PYTHONPATH=. $(FUZZ)/env/bin/python -m tests.fuzz.names -max_total_time=$(FUZZ_S) -artifact_prefix=$(FUZZ)/found/
