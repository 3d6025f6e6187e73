#!/usr/bin/env bash
# Runs the benchmark: runBenchmark.sh as published guides spell it. Where case does not count, one of
# them is there.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# == 1)) || usage "runBenchMark.sh PROPS_FILE"
require_file "$1"
run_driver run "$@"
