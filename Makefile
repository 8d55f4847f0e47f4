# The only doors. On a new machine: make demo, make test.
.DELETE_ON_ERROR:
.PHONY: demo test test-all check format develop attack audit mutants bench watch calibration detector accept schema docs site man pictures setup system wheel clean help

UV_VERSION := 0.13.8
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
export UV_PROJECT_ENVIRONMENT := $(VENV)
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
BUILT := $(VENV)/.built
BYTECODE := $(VENV)/.bytecode
# What compiles it, and what tests need beside.
COMPILER := $(VENV)/.compiler
TOOLS := $(VENV)/.tools
SITE := $(VENV)/.site
# One more process than there are cores: some tests wait for processes that they start. What pytest compiles of the tests
# is kept.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest --numprocesses=$(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --maxprocesses=8 --dist=loadfile --durations=20 --durations-min=5
# Without a group it would install that of developers.
MATURIN := $(BIN)/maturin develop --release --uv --locked --quiet --group build
FAST_CRATES := readers logs kernels stats weighing
INCREMENTAL := --config profile.release.incremental=true \
	$(foreach crate,$(FAST_CRATES),--config profile.release.package.statera-$(crate).codegen-units=64)
# Debian keeps its programs outside of the PATH.
POSTGRESQL := { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1
RUST := $(shell find crates -name '*.rs' -o -name 'Cargo.toml') Cargo.toml Cargo.lock pyproject.toml

help:
	@echo 'make demo    compile, and compare the example results'
	@echo 'make test    set up, and run every check, and the tests that guard a change'
	@echo 'make test-all  the tests that take longer (Spark, browsers, PostgreSQL, all of the docs, long simulations), and make watch'
	@echo "make develop TESTS='tests/formats -k hey'  compile what changed, in seconds, and run these tests"
	@echo 'make check   formatting, lints, types, import contracts'
	@echo 'make system  install by apt what some tests need (as root)'
	@echo 'make bench   statera against its peers, side by side'
	@echo 'make watch   instructions and memory of key commands, against bench/history; RECORD=1 adds them there'
	@echo 'make calibration   simulate, and rewrite the tables of docs/calibration.md'
	@echo 'make detector  simulate histories, and rewrite the tables of docs/detector.md'
	@echo 'make accept  rewrite the expected outputs of tests/cases; read the diff'
	@echo 'make schema      write the JSON Schemas, the tables of keys in docs and the classes of rows, from the fields of rows'
	@echo 'make docs    check that every command of the documentation runs'
	@echo 'make site    write the documentation as pages into site/; it opens from the disk'
	@echo 'make man     show the manual page'
	@echo 'make attack  execute the verbs 20,000 times over hostile files and options'
	@echo 'make mutants  break the source in 200 places, one at a time, and name what the tests do not find'
	@echo 'make audit   licences, sources and known vulnerabilities of the dependencies'
	@echo 'make pictures  draw the pictures of the documentation anew'
	@echo 'make wheel   build the wheel into dist/ and try it in a clean environment'

demo: $(BUILT)
	@$(BIN)/statera compare examples/go-decimal/old examples/go-decimal/new

test: check $(BYTECODE)
	cargo test --release --workspace --locked --tests
	cargo test --release --workspace --locked --doc --quiet
	$(BIN)/python -m compileall -q src/statera
	$(PYTEST) -m 'not later'

# What is left out above.
test-all: $(BYTECODE)
	$(PYTEST) -m later
	$(MAKE) --no-print-directory watch

# Without what makes the release fast and its build slow. The next build of the release links anew.
develop: $(TOOLS) | $(COMPILER)
	cargo build --release --locked --quiet -p statera-runner $(INCREMENTAL)
	install -m 755 target/release/statera-runner src/statera/experiment/
	$(MATURIN) $(INCREMENTAL) > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	@rm -f $(BUILT) target/release/lib_native.so target/release/deps/lib_native.so
	$(if $(TESTS),$(BIN)/pytest -n0 $(TESTS))

check: $(BUILT) $(TOOLS)
	cargo fmt --all --check
	rustfmt --check --edition 2024 crates/readers/src/formats/*.rs
	cargo clippy --release --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

# Cargo does not see the formats: a macro lists their modules.
format: $(TOOLS)
	cargo fmt --all
	rustfmt --edition 2024 crates/readers/src/formats/*.rs
	$(BIN)/ruff format src tests bench

bench: $(BUILT) $(TOOLS)
	$(BIN)/python bench/run.py
	$(BIN)/python bench/reading.py
	$(BIN)/python bench/report.py
	$(BIN)/python bench/history.py
	$(BIN)/python bench/server.py
	$(BIN)/python bench/cluster.py
	$(BIN)/python bench/beside_hyperfine.py

# WATCH='--only PATTERN' counts only some.
watch: $(BUILT) $(TOOLS)
	$(BIN)/python bench/watch.py $(if $(RECORD),--record) $(WATCH)

# CALIBRATION='--nights FOLDER --again OLD NEW' adds results of unchanged builds.
calibration: $(BUILT) $(TOOLS)
	$(BIN)/python bench/calibration.py --write $(CALIBRATION)

# OTAVA_PYTHON=PYTHON names a Python with apache-otava, whose results then stand beside.
detector: $(BUILT) $(TOOLS)
	$(BIN)/python bench/detector.py --write
	$(BIN)/python bench/bisection.py --write

# ATTACK='--seed 7 --count 100000' attacks otherwise; --only NUMBER repeats one execution.
attack: $(BUILT) $(TOOLS)
	$(BIN)/python tests/attack/attack.py $(ATTACK)

# SEED=7 breaks other places, COUNT=50 fewer; ONLY=views/comment.py those in a file; MUTANTS=--record records anew which
# tests execute what.
mutants: $(BUILT) $(TOOLS) $(BYTECODE)
	$(BIN)/python tests/mutation/run.py --seed $(or $(SEED),1) --count $(or $(COUNT),200) --only '$(ONLY)' $(MUTANTS)

audit: $(BUILT) $(TOOLS)
	$(BIN)/python tests/audit.py $(AUDIT)

accept: $(BUILT) $(TOOLS)
	STATERA_ACCEPT=1 $(BIN)/pytest tests/cases tests/views/test_whole_outputs.py tests/history/test_whole_site.py
	git --no-pager diff --stat -- tests

schema: $(BUILT) $(TOOLS)
	$(BIN)/python bench/schema/generate.py

docs: $(BUILT) $(TOOLS)
	$(BIN)/pytest tests/docs

# Without the network of the machine the pages are the same: fonts, icons and the search are files of the site.
site: $(BUILT) $(SITE)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir $(or $(SITE_DIR),site)
	@echo 'open $(or $(SITE_DIR),site)/index.html'

man:
	@man ./docs/statera.1

pictures: $(BUILT) $(TOOLS)
	$(BIN)/python bench/pictures.py

wheel: $(BUILT) $(TOOLS)
	rm -rf dist && $(BIN)/maturin build --release --locked --out dist
	$(BIN)/python tests/wheel.py dist

setup: $(BUILT) $(TOOLS)
	@command -v chromium >/dev/null || echo 'chromium is missing: the browser tests are skipped; on Debian: apt-get install chromium'
	@command -v java >/dev/null || echo 'Java is missing: the tests of Spark are skipped; on Debian: apt-get install openjdk-17-jre-headless'
	@command -v valgrind >/dev/null || echo 'valgrind is missing: make watch counts nothing; on Debian: apt-get install valgrind'
	@test -x /usr/sbin/sshd || echo 'sshd is missing: the tests of --on are skipped; on Debian: apt-get install openssh-server'
	@$(POSTGRESQL) || echo 'PostgreSQL is missing: its tests are skipped; on Debian: apt-get install postgresql'

# What some tests need beside the tools of .venv; without it they say that they were skipped.
system:
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -q -y --no-install-recommends chromium; }
	@command -v java >/dev/null || { apt-get update -q && apt-get install -q -y --no-install-recommends openjdk-17-jre-headless; }
	@command -v valgrind >/dev/null || { apt-get update -q && apt-get install -q -y --no-install-recommends valgrind; }
	@test -x /usr/sbin/sshd || { apt-get update -q && apt-get install -q -y --no-install-recommends openssh-server; }
	@$(POSTGRESQL) || { apt-get update -q && apt-get install -q -y --no-install-recommends postgresql; }

$(TOOLS): uv.lock | $(UV)
	$(UV) sync --frozen --inexact --no-install-project --quiet
	@touch $@

$(SITE): uv.lock | $(UV)
	$(UV) sync --frozen --inexact --no-install-project --no-dev --group docs --quiet
	@touch $@

$(COMPILER): | $(UV)
	@command -v cargo >/dev/null || { echo 'statera: building needs Rust 1.89 or later (https://rustup.rs)'; exit 1; }
	@command -v cc >/dev/null || { echo 'statera: building needs a C compiler (on Debian: apt-get install gcc)'; exit 1; }
	$(UV) sync --frozen --inexact --no-install-project --no-dev --group build --quiet
	@touch $@

# The package itself, compiled and importable from src/.
$(BUILT): $(RUST) | $(COMPILER)
	cargo build --release --locked --quiet -p statera-runner
	install -m 755 target/release/statera-runner src/statera/experiment/
	@# It warns of the build backend, which wraps it, and tells every step; both matter only if it fails.
	$(MATURIN) > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	$(BIN)/python -m compileall -q src/statera
	@touch $@

# Where Python does not write bytecode by itself, every process of the tests would compile all that it imports.
$(BYTECODE): $(BUILT) $(TOOLS)
	$(BIN)/python -m compileall -q -j0 $(VENV)/lib > /dev/null || true
	@touch $@

$(UV):
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'statera: needs Python 3.11 or later as python3'; exit 1; }
	@python3 -m venv $(VENV) || { echo 'statera: python3 has no venv module (on Debian: apt-get install python3-venv)'; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

clean:
	rm -rf target $(VENV) dist site
