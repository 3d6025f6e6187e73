#!/usr/bin/env bash
# Loads the rows into existing tables, or into CSV files.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# >= 1)) || usage "runLoader.sh PROPS_FILE [ARGS]"
require_file "$1"
run_driver load "$@"
