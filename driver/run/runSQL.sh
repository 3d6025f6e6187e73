#!/usr/bin/env bash
# Runs a SQL file, or a step such as tableCreates.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# == 2)) || usage "runSQL.sh PROPS_FILE SQL_FILE"
require_file "$1"
run_driver sql "$@"
