#!/bin/sh
# Sets up what Squadpress needs on this machine: system libraries (asked for by name, only when absent), a virtual
# environment, the pinned packages, the program itself.   usage: tools/setup.sh LOCKFILE
set -eu
lock=$1
venv=.venv
system=$(uname -s)

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: error: %s\n' "$1" >&2; printf '  %s\n' "$2" >&2; exit 4; }

# The system's own Python. Distributions build theirs with profile-guided optimisation; one built by hand without it sets
# cards a tenth slower.
own_python() { [ "$system" != Linux ] || (PATH=$(getconf PATH 2>/dev/null) && command -v python3); }
is_new() { command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The one that is named, else the first with all it takes, else the first that lacks only its package for venv.
find_python() {
    lacking=
    for candidate in ${PYTHON:-} $(own_python) python3 python3.14 python3.13 python3.12 python3.11; do
        is_new "$candidate" || continue
        if [ "$candidate" = "${PYTHON:-}" ] || has_venv "$candidate"; then
            echo "$candidate"
            return
        fi
        lacking=${lacking:-$candidate}
    done
    [ -n "$lacking" ] && echo "$lacking"
}

# True when the dynamic loader finds the library: asking the loader is what the program itself will do.
loads() { "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" >/dev/null 2>&1; }

absent_on_linux() {
    loads libpango-1.0.so.0 || echo libpango-1.0-0
    loads libpangoft2-1.0.so.0 || echo libpangoft2-1.0-0
    loads libharfbuzz.so.0 || echo libharfbuzz0b
    loads libharfbuzz-subset.so.0 || echo libharfbuzz-subset0
    loads libgobject-2.0.so.0 || echo libglib2.0-0
    loads libfontconfig.so.1 || echo libfontconfig1
    # Print shops want CMYK; this package brings the one general profile that is free.
    [ -e /usr/share/color/icc/ghostscript/default_cmyk.icc ] || echo libgs-common
    # Shops limit the ink; Ghostscript measures it.
    command -v gs >/dev/null || echo ghostscript
    # The tests open our files with other programs too.
    case $lock in
        *-dev.lock)
            command -v qpdf >/dev/null || echo qpdf
            command -v pdffonts >/dev/null || echo poppler-utils
            command -v mutool >/dev/null || echo mupdf-tools
            command -v chromium >/dev/null || echo chromium
            [ -n "$(find /usr/lib/postgresql -name initdb 2>/dev/null)" ] || echo postgresql
            ;;
    esac
    # A Python of the system takes its venv from a package of its own version.
    has_venv "$python" || "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else stop "root is needed to install system packages" "Run as root: $*"
    fi
}

# Another program, such as automatic updates, may hold the lock of the package system for some minutes.
wait_for_lock=DPkg::Lock::Timeout=600
apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends -o "$wait_for_lock" "$@"
}

# Fetches the list of packages only if the machine's own does not know them (a fresh container has none).
apt() {
    command -v apt-get >/dev/null 2>&1 || stop "missing: $*" "Install this with your system's package manager, then run again."
    say "installing $*"
    apt-get install -s -q --no-install-recommends "$@" >/dev/null 2>&1 || as_root apt-get update -q >/dev/null
    # A list that has grown old names files that are gone: fetch it and try once more.
    apt_install "$@" >/dev/null || { as_root apt-get update -q >/dev/null && apt_install "$@" >/dev/null; } ||
        stop "apt-get could not install: $*" "Its messages above say why."
}

brew_install() {
    command -v brew >/dev/null 2>&1 || stop "Homebrew is missing" "Install Homebrew, then run again."
    brew list "$1" >/dev/null 2>&1 || { say "installing $1"; brew install "$1"; }
}

python=$(find_python) || {
    case $system in
        Darwin) brew_install python@3.13 ;;
        *) apt python3 python3-venv ;;
    esac
    python=$(find_python) || stop "no Python 3.11 or newer found" "Install one, or name it: make PYTHON=/path/to/python3"
}

case $system in
    Linux)
        absent=$(absent_on_linux | tr '\n' ' ')
        # shellcheck disable=SC2086
        [ -z "$absent" ] || apt $absent
        ;;
    Darwin) for formula in pango harfbuzz ghostscript; do brew_install "$formula"; done ;;
    *) say "unknown system: Pango and HarfBuzz must be installed by hand" ;;
esac

if ! "$venv/bin/python" -c 'import pip' >/dev/null 2>&1; then
    say "creating $venv"
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi
say "installing the packages of $lock"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --use-pep517 -r "$lock"
"$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
"$venv/bin/python" -m babel.messages.frontend compile --directory builder/locale --domain squadpress 2>/dev/null ||
    stop "the catalogues of translations cannot be compiled" "Run make messages: it says what is wrong."
say "ready"
