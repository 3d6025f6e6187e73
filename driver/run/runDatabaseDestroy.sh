#!/usr/bin/env bash
# Drops the tables and procedures.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# == 1)) || usage "runDatabaseDestroy.sh PROPS"
require_file "$1"
# -v: the SQL, as BenchmarkSQL shows it.
run_driver destroy -v "$@"
