# The only list of commands. `toolchain/just RECIPE` sets up what they need and works from any directory.

set shell := ["bash", "-euo", "pipefail", "-c"]

root := justfile_directory()
wisp := root / "target/release/wisp"
# Selected together, their dependencies are built once, with the features that all of them ask for. No test asks for more
# features of them (toolchain/check-deps), so that the tests build only what they add.
packages := "-p wisp-cli -p wisp-fuse"
# Crates of the host that need no engine: checked and tested in seconds.
pure := "-p wisp-api -p wisp-diff -p wisp-policy -p wisp-spelling -p wisp-vfs -p wisp-process -p wisp-net -p wisp-world"
# The guests as they are shipped and measured, beside those for development: toolchain/lib/guests.py. `WISP_GUESTS=optimised
# toolchain/just RECIPE` has any recipe use them, as CI does for the tests of guests.
shipped := root / "target/components-optimised"
optimised := "env WISP_GUESTS=optimised WISP_COMPONENTS_DIR=" + quote(shipped)
export CARGO_TARGET_DIR := root / "target"
export RUSTDOCFLAGS := "-D warnings"

# list the recipes
default:
    @just --justfile {{justfile()}} --list --unsorted

# what shows most mistakes within a minute, and builds nothing: format, Python, the pure crates, the guests for wasm, the host
check:
    cargo fmt --all --check
    cd components && cargo fmt --all --check
    cd toolchain/public-items && cargo fmt --check
    toolchain/check-tree
    toolchain/check-python
    cargo check --release --quiet {{pure}}
    cd components && CARGO_TARGET_DIR="{{root}}/target/guests" RUSTC="${WISP_GUEST_RUSTC:-rustc}" \
        cargo check --release --quiet --target wasm32-wasip2 --workspace --exclude wisp-codecs --exclude wisp-sqlite --exclude wisp-threads
    cargo check --release --quiet {{packages}}

# build the components (those for development) and the binary that carries them
build:
    toolchain/build-components --host
    cargo build --release {{packages}} --bin wisp

# run the binary: `just run -- sh -c 'echo hi'` (paths are relative to where you are)
[no-cd]
[positional-arguments]
run *ARGS: build
    exec "{{wisp}}" run "$@"

# what wisp is for: shell, tools and Python together over this repository; ends in a page that they made
demo: build
    "{{wisp}}" run --mount "{{root}}:/mnt/input:read" --output target/demo --force -- sh /mnt/input/tests/demo/demo.sh
    @echo "the page: $PWD/target/demo/report.html"

# every test; FILTER is a part of their names
[positional-arguments]
test *FILTER: build
    toolchain/run-tests "$@"

# public suites against wisp: `conformance [WORD…] [--list] [--all]`; `conformance python [WORD…] [--list]`, numpy's and pandas' own; see tests/conformance
[positional-arguments]
conformance *ARGS: build
    #!/usr/bin/env bash
    set -euo pipefail
    [ "${1:-}" != python ] || exec toolchain/python-suites "${@:2}"
    toolchain/suites
    cargo build --release --quiet {{packages}} -p wisp-conformance --bins
    target/release/wisp-conformance "$@"

# wisp's Python package: builds the module and runs tests/python; `python [WORD…] [--wheel | --source]`; `--tools`: type checkers, Jupyter, uvloop and pytest look at it; `--bless` writes its pages of the guide
[positional-arguments]
python *ARGS: build
    toolchain/python "$@"

# clients of MCP and coding agents that others publish against wisp: `doors [python] [conformance] [inspector] [install] [codex] [hooks]`; `doors --bench`: how long calls take; see tests/doors
[positional-arguments]
doors *ARGS: build
    toolchain/doors "$@"

# wisp in frameworks of others, by their own tests, in an environment for each: `adapters [NAME…] [--ci] [-- PYTEST…]`; see tests/adapters
[positional-arguments]
adapters *ARGS: build
    toolchain/python --build
    toolchain/adapters "$@"

# rewrite the expected outputs of script cases and documents; look at the diff before you commit it. `bless work` writes the table of
# what starts and forks do, with WISP_BECAUSE='…' as the reason
bless FILTER="":
    #!/usr/bin/env bash
    set -euo pipefail
    # Two tables are about the guests as they are shipped: work.txt, and the imports and sizes in components/README.md.
    case "{{FILTER}}" in "" | components | work) export WISP_GUESTS=optimised WISP_COMPONENTS_DIR="{{shipped}}" ;; esac
    toolchain/just build
    if [ "{{FILTER}}" = work ]; then WISP_BLESS=1 cargo test --release {{packages}} -p wisp --lib -- work_tests; \
    else WISP_BLESS=1 cargo test --release {{packages}} -p wisp-tests --test cases --test tree -- {{FILTER}}; fi
    case "{{FILTER}}" in "" | api) toolchain/public-api --bless ;; esac

# the benchmarks beside their peers, with the guests as they are shipped: `bench [NAME] [ROW]`, such as `bench start fork`; `bench sdk [ROW]`: the Python package beside others; QUICK=1: fewer runs
[positional-arguments]
bench *ARGS:
    {{optimised}} toolchain/build-components --host
    {{optimised}} cargo build --release {{packages}} --bin wisp
    {{optimised}} toolchain/bench "$@"

# coverage-guided fuzzing of one target for SECONDS; needs a nightly Rust. The bounded form is among the tests.
fuzz TARGET SECONDS="60":
    toolchain/fuzz {{TARGET}} {{SECONDS}}

# the data image (`[tools] python = "data"`): numpy, pandas, scipy, matplotlib; minutes and 1 GB once, with `wisp prepare --image data`, which comes next
python-data:
    toolchain/python-data

# the tests of the data image, which are not among `test`: builds and compiles it first; FILTER is a part of their names. What only
# policies that count instructions need takes 3 minutes more: with a FILTER, a test that needs it compiles it.
[positional-arguments]
test-data *FILTER: build python-data
    "{{wisp}}" prepare --image data $([ $# -gt 0 ] || echo --instructions)
    cargo test --release {{packages}} -p wisp-tests --features wisp-tests/data-image --no-fail-fast --test data -- "$@"

# what fails fast comes first; toolchain/README.md says why there is each of the passes that compile:
# format, the tree itself, vendored WIT, Python, dependencies, the guide; the pure crates for wasm, lints, documentation and the public interface
lint:
    cargo fmt --all --check
    cd components && cargo fmt --all --check
    cd toolchain/public-items && cargo fmt --check
    toolchain/check-tree
    toolchain/vendor-wit --check
    toolchain/check-python
    toolchain/check-deps
    toolchain/guide
    CARGO_TARGET_DIR="{{root}}/target/guests" RUSTC="${WISP_GUEST_RUSTC:-rustc}" cargo check --release --target wasm32-wasip2 -p wisp-api -p wisp-diff -p wisp-policy -p wisp-spelling -p wisp-vfs -p wisp-process -p wisp-world
    cargo clippy --release --workspace --all-targets --features wisp-tests/data-image -- -D warnings
    toolchain/public-api
    toolchain/lint-guests

# security advisories of the crates in the lock files and of the Python packages, as far as they can be looked up from here;
# `--database FOLDER`: a clone of RustSec's database, where it cannot be fetched
[positional-arguments]
advisories *ARGS:
    toolchain/advisories "$@"

# the guide as web pages: target/guide/index.html
guide:
    toolchain/guide

# build python3 once more, in another folder and environment: the bytes must be the same
reproducible: build
    toolchain/build-components --again

# the binary to ship, it and its guests optimised across crates, and beside it its machine code: target/dist/wisp and target/dist/wisp.code
dist:
    {{optimised}} toolchain/build-components
    SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "{{root}}" log -1 --format=%ct)}" {{optimised}} cargo build --profile dist -p wisp-cli
    rm -rf "{{root}}/target/dist/wisp.code"
    for policy in offline minimal fetch; do \
        "{{root}}/target/dist/wisp" prepare --policy "$policy" --instructions --into "{{root}}/target/dist/wisp.code"; \
    done

# what CI runs
ci:
    .ci/run
