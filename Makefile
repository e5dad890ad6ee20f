# make serve   set everything up, build, serve on 127.0.0.1 and open the page
# make test    set everything up, run all tests
# make check   format, lint, types, import contracts, docstrings
# make bench   compare with other ways to run the same model
# make interop open the exports in transformers, TransformerLens, ONNX Runtime, LibreOffice and Jupyter
# make soak    train 1,000 seeds; every one has to solve 100 of 100
# make dist    the page as a static folder, dist/, to host anywhere
# make clean   remove everything that was built
#
# Needs Python 3.11 or newer and make; the make of macOS (3.81) will do.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)

PACKAGE := src/attention_by_hand
BUILT := $(PACKAGE)/_built
RUN := .venv/bin/python
BUILD := $(RUN) -m attention_by_hand.build

# Stamps: files that say when a step was last done.
SERVE := .venv/.serve
TEST := .venv/.test
INTEROP := .venv/.interop
NPM := web/node_modules/.installed

KERNEL := $(BUILT)/kernel.wasm
PAGE := $(BUILT)/page/index.html
SETUP := tools/environment.py pyproject.toml constraints.txt

KERNEL_SOURCES := $(PACKAGE)/task.py $(PACKAGE)/tokens.py $(PACKAGE)/build/compiler.py $(PACKAGE)/build/glue.py \
	$(PACKAGE)/build/kernel.py \
	$(shell find $(PACKAGE)/kernels $(PACKAGE)/model $(PACKAGE)/ledger -name '*.py' 2>/dev/null)
PAGE_SOURCES := $(shell find content web/src -type f 2>/dev/null) web/vite.config.ts web/tsconfig.json \
	$(PACKAGE)/serve.py $(PACKAGE)/build/places.py $(PACKAGE)/build/page.py $(PACKAGE)/build/content.py \
	$(PACKAGE)/build/policy.py $(PACKAGE)/build/node.py

# The tests of a file share what they set up, so each file stays in one process. ARGS="-n 0" runs all in this one.
PARALLEL := -n logical --maxprocesses 4 --dist loadfile

.PHONY: serve test check bench interop soak dist clean

serve: $(PAGE)
	@.venv/bin/attention-by-hand $(ARGS)

test: $(TEST) $(PAGE)
	@CHROMIUM="$$($(RUN) tools/chromium.py)" || exit 2; FIREFOX="$$($(RUN) tools/firefox.py)" || exit 2; \
		export CHROMIUM FIREFOX; $(RUN) -m pytest $(PARALLEL) $(ARGS)

check: $(TEST) $(PAGE)
	@$(RUN) tools/check.py

bench: $(TEST) $(PAGE)
	@$(RUN) benchmarks $(ARGS)

interop: $(INTEROP) $(KERNEL)
	@OFFICE="$$($(RUN) tools/office.py)" || exit 2; export OFFICE; $(RUN) -m pytest tests/interop $(ARGS)

soak: $(TEST) $(KERNEL)
	@$(RUN) tests/soak.py $(ARGS)

dist: $(PAGE)
	@rm -rf dist && cp -R $(BUILT)/page dist && echo "dist/ holds the page: host it under any path"

clean:
	rm -rf .venv .build dist web/node_modules $(BUILT)

$(SERVE): $(SETUP)
	@test -n "$(PYTHON)" || { echo "attention-by-hand: Python 3.11 or newer is needed and none was found on PATH" >&2; exit 2; }
	@$(PYTHON) tools/environment.py serve
	@touch $@

$(TEST): $(SETUP) $(SERVE)
	@$(RUN) tools/environment.py test
	@touch $@

$(INTEROP): $(SETUP) $(TEST)
	@$(PYTHON) tools/environment.py interop
	@touch $@

$(NPM): web/package.json web/package-lock.json $(SERVE)
	@echo "installing the page's npm packages …" >&2
	@$(BUILD) npm ci --loglevel error
	@touch $@

$(KERNEL): $(KERNEL_SOURCES) $(SERVE)
	@echo "compiling the kernels to WebAssembly …" >&2
	@$(BUILD) kernel
	@touch -c $@

$(PAGE): $(KERNEL) $(NPM) $(PAGE_SOURCES)
	@echo "building the page …" >&2
	@$(BUILD) page
