# Everything runs in $(VENV), made on first use. Choose another interpreter with PYTHON=, another place with VENV=.
SUITABLE = import sys; sys.exit(sys.version_info < (3, 11))
CANDIDATES = python3 python3.13 python3.12 python3.11 python3.14 python
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c '$(SUITABLE)' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip -qq --disable-pip-version-check
SAMPLE := examples/sample
INPUTS ?= 2000
TESTS ?= tests
export PYTHONUTF8 := 1
# The suite starts hundreds of processes: none is to compile what another did.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench fuzz lock clean

help:
	@echo "make demo    index the sample library and ask it three questions"
	@echo "make test    run the whole suite on all cores (TESTS=path for a part)"
	@echo "make check   format, lint, types, layering, docs"
	@echo "make format  format the code and mend what the linter can"
	@echo "make bench   quality, speed and localiser figures; needs the public collections (PINCITE_DATA) and an idle machine"
	@echo "make fuzz    property tests with many more examples, INPUTS mutated files of each format, and long texts"
	@echo "make lock    write requirements.lock anew"
	@echo "make clean   remove what was made"

$(PY):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
	  $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(VENV) install --quiet pip; }

$(VENV)/.installed: pyproject.toml | $(PY)
	@echo "Installing pincite into $(VENV) ..." >&2
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(PY)
	@echo "Installing pincite and its development tools into $(VENV) ..." >&2
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.installed

define ask
@printf '\n$$ pincite $(1) "%s" --in $(SAMPLE)$(3)\n' '$(2)'
@$(VENV)/bin/pincite $(1) '$(2)' --in $(SAMPLE)$(3)
endef

demo: $(VENV)/.installed
	@printf '$$ pincite sync $(SAMPLE)\n'
	@$(VENV)/bin/pincite sync $(SAMPLE)
	$(call ask,ask,Can I immerse it right after replacing the battery?)
	$(call ask,ask,更换电池后可以马上下水吗？)
	$(call ask,search,ERR-5021 after firmware update, --k 3)

test: $(VENV)/.dev
	@$(if $(filter tests,$(TESTS)),$(PY) -m pytest tests/test_flash.py)
	@$(PY) -m pytest -n auto $(if $(filter tests,$(TESTS)),--ignore=tests/test_flash.py) $(TESTS)

check: $(VENV)/.dev
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PY) -m pytest tests/unit/test_layering.py tests/unit/test_hygiene.py tests/unit/test_docs.py tests/unit/test_readme.py

format: $(VENV)/.dev
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

bench: $(VENV)/.dev
	@$(PY) bench/quality.py
	@$(PY) bench/speed.py
	@$(PY) bench/faults.py

fuzz: $(VENV)/.dev
	@FUZZ_INPUTS=$(INPUTS) $(PY) -m pytest tests/property -n auto --hypothesis-profile=fuzz --timeout=1800
	@FUZZ_INPUTS=$(INPUTS) $(PY) -m pytest $$(grep -rl assert_linear --include='test_*.py' tests) -n auto --timeout=1800

lock:
	@rm -rf .venv-lock && $(MAKE) --no-print-directory VENV=.venv-lock .venv-lock/.dev
	@.venv-lock/bin/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9._-]+==' > requirements.lock
	@rm -rf .venv-lock && wc -l requirements.lock

clean:
	@rm -rf .venv .venv-ci .venv-lock .mypy_cache .pytest_cache .ruff_cache .hypothesis $(SAMPLE)/.pincite
	@find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} +
