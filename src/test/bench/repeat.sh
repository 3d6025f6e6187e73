#!/usr/bin/env bash
# The published tests, each by its own command and in its small size: what `repeat` makes of them here.
# Over half an hour on two processors; as root, or where user namespaces are allowed (two of them shape links).
#   src/test/bench/repeat.sh [SEED...]
# Leaves results/repeat-<date>/: README.md, and of each test the page and its tables.
set -euo pipefail
[ $# -gt 0 ] || set -- klustron bmt replication sysbench infinisql
# shellcheck source=servers.sh
source "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
needs_built driver/target/driver.jar
results=$root/results/repeat-$(date +%F)
begin_results "$results"

failed=
for seed; do
  began=$SECONDS
  status=0
  "$java" -jar "$root/driver/target/driver.jar" repeat "$seed" --small --output "$work/$seed" >"$work/$seed.log" 2>&1 || status=$?
  [ "$status" = 0 ] || failed+=" $seed"
  echo "| [$seed]($seed.md) | $((SECONDS - began)) | $status |" | tee -a "$work/rows"
  grep -E '^(ERROR|WARNING)' "$work/$seed.log" >&2 || true # none is usual
  for kind in html md; do
    [ ! -e "$work/$seed/repeat.$kind" ] || cp "$work/$seed/repeat.$kind" "$out/$seed.$kind"
  done
done
{
  cat <<END
# The published tests in their small sizes

$(machine); $(java_version); embedded PostgreSQL. Driver, proxies and servers shared the processors, so the
figures are not those of the sources' machines: what the pages compare is ratios and courses.

Repeat: \`src/test/bench/repeat.sh $*\`.

| test | seconds | exit status |
|---|---:|---:|
END
  cat "$work/rows"
} >"$out/README.md"
keep_results "$results"
cat "$results/README.md"
[ -z "$failed" ] || { echo "not whole:$failed" >&2; exit 1; }
