#!/usr/bin/env bash
# Sums over three shards through two proxies, while clients of both move money between the shards:
# simple, prepared, gathered on one server, in transactions, two in a Query, pipelined, by cursors, in
# REPEATABLE READ. Fails if a sum was never true; with scatter_reads: fast they are counted.
#
#   src/test/bench/sums.sh [sums in all, of each] [result directory]      default: 100000
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"
sums=${1:-100000}
result=$(realpath -m "${2:-$root/results/sums-$(date +%F)}")
# Eight ways of reading, twelve readers of each of two proxies.
each=$(((sums + 191) / 192 * 12))
begin_results "$result"
cd "$root"
./mvnw -q -B -pl proxy -am test -Dtest='CommonSnapshotTest#sumsAreWhole*+fastSumsAreNot*' \
  -Dsurefire.failIfNoSpecifiedTests=false -Dshardmark.sums="$each" -Dshardmark.sums.kept="$out/sums.csv"
{
  printf '# Sums while money moves\n\n`src/test/bench/sums.sh %s`: %s.\n' "$sums" "$(machine)"
  cat <<'END'
Three shards, two proxies with twelve readers each, four clients that move money between shards (two
UPDATEs and a COMMIT). A sum is wrong if it is not what all accounts have together.

| scatter_reads | read | sums | wrong | transfers meanwhile |
|---|---|---:|---:|---:|
END
  awk -F, '{ key = $1 " | " tolower($2); gsub("_", " ", key); sums[key] += $3; wrong[key] += $4; moved[key] += $5
      sums[$1] += $3; wrong[$1] += $4; moved[$1] += $5; of[$1] = 1 }
    END { for (key in sums) if (!(key in of)) print "| " key " | " sums[key] " | " wrong[key] " | " moved[key] " |"
      for (key in of) print "| " key " | (all) | " sums[key] " | " wrong[key] " | " moved[key] " |" }' "$out/sums.csv" | sort
} >"$out/README.md"
keep_results "$result"
cat "$result/README.md"
