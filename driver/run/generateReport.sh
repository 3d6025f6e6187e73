#!/usr/bin/env bash
# Writes report.html into a result directory, ours or BenchmarkSQL's.
set -euo pipefail
# shellcheck source=funcs.sh
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/funcs.sh"

(($# == 1 || $# == 2)) || usage "generateReport.sh RESULT_DIR [SKIP_MINUTES]"
if [[ ${2:-0} != 0 ]]; then
  echo "SKIP_MINUTES=$2 is not applied: the figures are of the whole measurement interval; rampupMins keeps a start out of it" >&2
fi
run_driver report "$1"
