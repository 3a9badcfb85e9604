#!/bin/sh
# Sets up what Squadpress needs on this machine: system libraries (asked for by name, only when absent), a virtual
# environment, the pinned packages, the program itself.   usage: tools/setup.sh LOCKFILE
set -eu
lock=$1
venv=.venv

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: error: %s\n' "$1" >&2; printf '  %s\n' "$2" >&2; exit 4; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# True when the dynamic loader finds the library: asking the loader is what the program itself will do.
loads() { "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" >/dev/null 2>&1; }
has_venv() { "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; }

absent_on_linux() {
    loads libpango-1.0.so.0 || echo libpango-1.0-0
    loads libpangoft2-1.0.so.0 || echo libpangoft2-1.0-0
    loads libharfbuzz.so.0 || echo libharfbuzz0b
    loads libharfbuzz-subset.so.0 || echo libharfbuzz-subset0
    loads libgobject-2.0.so.0 || echo libglib2.0-0
    loads libfontconfig.so.1 || echo libfontconfig1
    # Only the system's own Python takes its venv from a system package.
    has_venv || echo python3-venv
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else stop "root is needed to install system packages" "Run as root: $*"
    fi
}

install_linux() {
    absent=$(absent_on_linux | tr '\n' ' ')
    [ -n "$absent" ] || return 0
    command -v apt-get >/dev/null 2>&1 ||
        stop "these libraries are missing: $absent" "Install them with your system's package manager, then run again."
    say "installing $absent"
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $absent >/dev/null 2>&1 || {
        as_root apt-get update -q >/dev/null
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $absent >/dev/null
    }
}

install_mac() {
    for formula in pango harfbuzz; do
        command -v brew >/dev/null 2>&1 || stop "Homebrew is missing" "Install Homebrew, then run again."
        brew list "$formula" >/dev/null 2>&1 || { say "installing $formula"; brew install "$formula"; }
    done
}

python=$(find_python) || {
    command -v apt-get >/dev/null 2>&1 || stop "no Python 3.11 or newer found" "Install one, or name it: make PYTHON=/path/to/python3"
    say "installing python3"
    as_root apt-get update -q >/dev/null
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3 python3-venv >/dev/null
    python=$(find_python) || stop "the system's Python is older than 3.11" "Install a newer one, or name it: make PYTHON=..."
}

case $(uname -s) in
    Linux) install_linux ;;
    Darwin) install_mac ;;
    *) say "unknown system: Pango and HarfBuzz must be installed by hand" ;;
esac

if ! "$venv/bin/python" -c '' >/dev/null 2>&1; then
    say "creating $venv"
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
say "installing the packages of $lock"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --use-pep517 -r "$lock"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
say "ready"
