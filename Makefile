# Everything one does with this repository. Set-up lives in the checkout:
# .venv/ (Python packages, commands), .toolchain/ (ocloc, llvm-spirv, iga64,
# Intel's driver for tests), build/ (C++). A fresh machine needs Linux on x86-64,
# Python 3.11+, g++ 12+ and make; cmake, ninja and ccache come as wheels.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup toolchain triton build test sanitize demo lint format bench docs clean distclean
MAKEFLAGS += --no-print-directory

ROOT := $(CURDIR)
VENV := $(ROOT)/.venv
BIN := $(VENV)/bin
PY := $(BIN)/python
BUILD := $(ROOT)/build
SANITIZED := $(ROOT)/build-sanitized
REQUIREMENTS := $(wildcard requirements/*.txt)
# Stamps: the requirements are installed, the package is installed.
INSTALLED := $(VENV)/.mltc-requirements
EDITABLE := $(VENV)/.mltc-editable

JOBS ?= $(shell nproc)
# Which FileCheck the lit suite runs with: `pypi` (the port) or `llvm` (LLVM's).
FILECHECK ?= pypi
LITFLAGS ?= -sv
# A worker may hold a compiler of several GB, so there are at most eight.
PYTESTFLAGS ?= -n $(JOBS) --maxprocesses 8 --dist worksteal
# Non-empty: never use the network to complete .toolchain/.
OFFLINE ?=

export PATH := $(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help: ## Show what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "  FILECHECK=llvm|pypi   which FileCheck 'make test' uses ($(FILECHECK))"
	@echo "  JOBS=N                parallel compilations and tests ($(JOBS))"
	@echo "  OFFLINE=1             use no network for .toolchain/"
	@echo "  PYTHON=python3.12     the Python that .venv/ is made from"
	@echo "  MLTC_TOOLCHAIN=DIR    take ocloc, llvm-spirv and iga64 from DIR"

setup: $(INSTALLED) toolchain ## Create .venv/ and .toolchain/, pinned and complete

# The first Python 3.11 or later of this machine. On Debian a Python without the
# package python3-venv cannot make an environment with pip in it; root adds it.
$(PY):
	@command -v g++ >/dev/null || { echo "error: no g++ found; install g++ 12 or later (apt-get install g++)" >&2; exit 1; }
	@python=$${PYTHON:-}; \
	for candidate in python3 python3.14 python3.13 python3.12 python3.11; do \
	  [ -n "$$python" ] && break; \
	  "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && python=$$candidate || true; \
	done; \
	[ -n "$$python" ] || { echo "error: no Python 3.11 or later found; set PYTHON" >&2; exit 1; }; \
	if ! "$$python" -c 'import ensurepip' 2>/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv; \
	fi; \
	rm -rf $(VENV); \
	"$$python" -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "error: $$python cannot create an environment; on Debian: apt-get install python3-venv" >&2; exit 1; }

# Wheels of LLVM's tools may come without their run bits.
$(INSTALLED): $(REQUIREMENTS) | $(PY)
	$(PY) -m pip install -q $(addprefix -r ,$(REQUIREMENTS))
	@site=$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	chmod +x "$$site"/llvm/bin/* "$$site"/mlir/bin/*
	@touch $@

# Cheap when complete. A user's own toolchain makes it unnecessary.
toolchain: | $(PY)
	@if [ -z "$${MLTC_TOOLCHAIN:-}" ]; then \
	  $(PY) -m mltc.toolchain.install --prefix $(ROOT)/.toolchain $(if $(OFFLINE),--offline); \
	fi

# One old and one new Triton for tests, each in a directory of its own: two releases cannot
# share an environment, and mltc itself does not need one. Block pointers end with 3.7.
TRITONS := 3.5.1 3.9.0
triton: $(TRITONS:%=.triton/%/.complete) ## Bring the Triton releases that tests use
.triton/%/.complete: | $(PY)
	@rm -rf $(@D)
	$(PY) -m pip install -q --no-deps --target $(@D) triton==$*
	@touch $@

# Configuring again after new wheels came; CMake itself sees to its own files.
$(BUILD)/build.ninja $(SANITIZED)/build.ninja: $(INSTALLED)
	@site=$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
	cmake -S $(ROOT) -B $(@D) -G Ninja -DCMAKE_BUILD_TYPE=Release \
	  -DCMAKE_MAKE_PROGRAM=$(BIN)/ninja $(CMAKEFLAGS) \
	  -DMLIR_DIR="$$site/mlir/lib/cmake/mlir" -DLLVM_DIR="$$site/llvm/lib/cmake/llvm"
	@touch $@

# The Python package in editable form, without building the C++ a second time.
$(EDITABLE): pyproject.toml $(INSTALLED)
	SKBUILD_WHEEL_CMAKE=false $(PY) -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

build: setup $(BUILD)/build.ninja $(EDITABLE) ## Build mlt-opt and its companions, install mltc into .venv/bin
	cmake --build $(BUILD) -j $(JOBS)
	@for tool in mlt-opt mlt-translate mlt-lsp-server mlt-reduce; do ln -sfn ../../build/bin/$$tool $(BIN)/$$tool; done

# All suites run even when one fails; pytest's summary is the last line.
test: build ## Run the whole test suite (lit, then pytest)
	@$(MAKE) triton || echo "no Triton could be installed: the tests that need one are skipped" >&2
	@status=0; \
	MLTC_FILECHECK=$(FILECHECK) lit $(LITFLAGS) $(BUILD)/test || status=1; \
	$(PY) -m pytest $(PYTESTFLAGS) $(wildcard test/python test/execution) || status=1; \
	exit $$status

# What a build without it may hide: memory that is read after its end. LLVM itself is not
# instrumented, so neither its pools nor its containers can tell what they hold.
sanitize: CMAKEFLAGS = -DLLVM_USE_SANITIZER=Address -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g1"
sanitize: setup $(SANITIZED)/build.ninja $(EDITABLE) ## Run the lit suite with AddressSanitizer
	cmake --build $(SANITIZED) -j $(JOBS)
	ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0 \
	MLTC_FILECHECK=$(FILECHECK) lit $(LITFLAGS) $(SANITIZED)/test

demo: build ## Build a GEMM to build/matmul.zebin, run it on the CPU, compare with NumPy
	@$(PY) examples/gemm/demo.py

CXX_FILES = $$(git ls-files -- '*.cpp' '*.h')

lint: $(INSTALLED) ## Check style and types (ruff, mypy, clang-format)
	@status=0; \
	ruff check . || status=1; \
	ruff format --check . || status=1; \
	mypy mltc || status=1; \
	files="$(CXX_FILES)"; \
	[ -z "$$files" ] || clang-format --dry-run -Werror $$files || status=1; \
	exit $$status

format: $(INSTALLED) ## Format all sources in place
	ruff check --fix-only -q .
	ruff format -q .
	@files="$(CXX_FILES)"; [ -z "$$files" ] || clang-format -i $$files

bench: build ## Measure: instruction counts, build times
	@$(PY) bench/run.py

docs: build ## Generate the reference documentation
	@$(PY) docs/generate.py

clean: ## Remove build/ and caches; keep .venv/ and .toolchain/
	rm -rf $(BUILD) $(SANITIZED) .mypy_cache .ruff_cache .pytest_cache .hypothesis .toolchain.*
	find mltc test bench docs examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## Remove everything set up, .venv/, .toolchain/ and .triton/ too
	rm -rf $(VENV) .toolchain .triton
