#!/usr/bin/env bash
# Runs the benchmark.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# == 1)) || usage "runBenchmark.sh PROPS_FILE"
require_file "$1"
run_driver run "$@"
