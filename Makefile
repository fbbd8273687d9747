# `make` lists the targets. On first use they create .venv from requirements.lock; with
# PYTHON=... or an active conda environment they use that interpreter and create nothing.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BASE_PYTHON ?= python3

# A conda environment other than `base` is taken to be the one of environment.yml.
ifndef PYTHON
ifneq ($(filter-out base,$(CONDA_DEFAULT_ENV)),)
PYTHON := python
endif
endif

ifdef PYTHON
READY :=
else
PYTHON := .venv/bin/python
READY := .venv/installed
endif

# Notebook kernels inherit it: they find the package without an install.
export PYTHONPATH := $(CURDIR)

# Which sizes of the experiments (heroacademy/experiments/profiles.toml), and the address of a
# Dask scheduler that is to play the games, DASK=tcp://host:8786; without it they are played here.
PROFILE ?= standard
export HEROACADEMY_DASK := $(DASK)
# How many processes play here; without a number, one for each core.
export HEROACADEMY_PROCESSES := $(PROCESSES)
# What figures/README.md says made its pictures.
figures: export HEROACADEMY_COMMAND := make figures PROFILE=$(PROFILE)

PACKAGE := $(shell find heroacademy -name '*.py' -o -name '*.json' -o -name '*.toml')
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
DATA := $(shell find data/$(PROFILE) -name '*.csv' 2>/dev/null)
EXECUTED := $(NOTEBOOKS:notebooks/%=build/$(PROFILE)/notebooks/%)
FIGURES := $(if $(filter standard,$(PROFILE)),figures,build/$(PROFILE)/figures)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.venv/installed: requirements.lock pyproject.toml
	@$(BASE_PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "heroacademy needs Python 3.11 or newer, $(BASE_PYTHON) is %d.%d: give another one with BASE_PYTHON=..." % v[:2])'
	$(BASE_PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# What the index knows and someone has deleted or changed: then all is made again. The index holds
# lines for sha256sum, so that this needs no Python; macOS has shasum instead.
LOST := $(shell export LC_ALL=C; cd $(FIGURES) 2>/dev/null && grep -oE '[0-9a-f]{64}  [A-Za-z0-9_]+\.[a-z]+' index.json | \
  $$(command -v sha256sum || echo shasum -a 256) --check 2>/dev/null | sed -n 's/: FAILED.*//p')
ifeq ($(wildcard $(FIGURES)/index.json),)
LOST := index.json
endif
ifneq ($(LOST),)
$(EXECUTED): always
always:
endif

# Missing games are played before the notebooks, where one sees how far they are: a notebook's own
# progress goes into its outputs.
PLAYED := build/$(PROFILE)/played
$(PLAYED): $(PACKAGE) $(DATA) $(READY)
	@mkdir -p $(@D)
	$(PYTHON) -m heroacademy games --profile $(PROFILE)
	@touch $@

# A notebook may store games that it played. They concern no other notebook but the claims, which
# read the games of all others and come last; so all are up to date together in the end.
.PHONY: figures
figures: $(EXECUTED) ## execute the notebooks that changed, write figures/ (PROFILE=quick: build/)
	@touch $(EXECUTED)

build/$(PROFILE)/notebooks/%.ipynb: notebooks/%.ipynb $(PACKAGE) $(DATA) $(READY) | $(PLAYED)
	@mkdir -p $(@D)
	$(PYTHON) -m papermill --cwd . --kernel python3 -p profile $(PROFILE) -p figures_dir $(FIGURES) \
	  $< $(@D)/unfinished-$(@F)
	mv $(@D)/unfinished-$(@F) $@

CLAIMS := build/$(PROFILE)/notebooks/09_claims.ipynb
$(CLAIMS): $(filter-out $(CLAIMS),$(EXECUTED))

.PHONY: games
games: $(READY) ## play missing games, of PROFILE=standard, of EXPERIMENTS="table2 ..." or all
	$(PYTHON) -m heroacademy games --profile $(PROFILE) $(EXPERIMENTS)

.PHONY: replay
replay: $(READY) ## play a sample of the stored games of PROFILE again and compare
	$(PYTHON) -m heroacademy replay --profile $(PROFILE)

.PHONY: estimate
estimate: $(READY) ## count the missing games of PROFILE and say how long they take here
	$(PYTHON) -m heroacademy estimate --profile $(PROFILE)

.PHONY: test
test: $(READY) ## run all tests
	$(PYTHON) -m pytest

.PHONY: lab
lab: $(READY) ## open the notebooks in JupyterLab
	$(PYTHON) -m jupyterlab --LabApp.default_url=/lab/tree/notebooks/00_tour.ipynb

.PHONY: bench
bench: $(READY) ## measure the engine's speed
	$(PYTHON) -m heroacademy bench

.PHONY: strength
strength: $(READY) ## play the papers' agents against each other (about half an hour)
	$(PYTHON) -m heroacademy strength

.PHONY: lint
lint: $(READY) ## check style and formatting with ruff
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

.PHONY: lock
lock: ## renew requirements.lock from pyproject.toml
	$(BASE_PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group lock \
	  --no-emit-index-url --upgrade --custom-compile-command 'make lock' \
	  --output-file requirements.lock pyproject.toml

.PHONY: clean
clean: ## remove .venv, build/ and every cache
	rm -rf .venv build .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
