#!/usr/bin/env bash
# Creates the tables, loads them, and builds keys and indexes.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# >= 1)) || usage "runDatabaseBuild.sh PROPS [OPT VAL [...]]"
require_file "$1"
# -v: the SQL and the loader's lines, as BenchmarkSQL shows them.
run_driver build -v "$@"
