#!/usr/bin/env bash
# Sums over three shards through two proxies, beside clients of both that move money between the shards:
# simple, prepared, pipelined, in transactions, by cursors. Fails if a sum was never true.
#
#   src/test/bench/sums.sh [sums in all]      default: 100000
set -euo pipefail
cd "$(dirname "$0")/../../.."
sums=${1:-100000}
each=$(((sums + 11) / 12)) # six ways of reading, through two proxies
start=$SECONDS
./mvnw -q -B -pl config,sql,proxy test -Dtest='CommonSnapshotTest#sumsAreWhole*' \
  -Dsurefire.failIfNoSpecifiedTests=false -Dshardmark.sums="$each"
echo "$((12 * each)) sums and 400 in REPEATABLE READ, none wrong, in $((SECONDS - start)) s"
