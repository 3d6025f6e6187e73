#!/usr/bin/env bash
# Counts false differences: pairs of runs on one PostgreSQL server with one file, in turns, each pair
# compared as if it were of two systems. An interval that excludes a ratio of 1 is false.
#
#   src/test/bench/aa-pairs.sh [pairs] [seconds] [result directory]
#
# The default, 200 pairs of 6 s, takes about an hour on a quiet machine (70 pairs 20 minutes). At most 5 in 100 may be
# false. If it is broken off, the same command goes on where it stopped. Needs ./mvnw -B -DskipTests package.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

pairs=${1:-200}
seconds=${2:-6}
results=${3:-results/aa-$(date +%F)}
needs_built driver/target/driver.jar
needs_programs jq
cd "$root"

port=$(free_port)
start_server one "$port" shared_buffers=256MB max_wal_size=8GB checkpoint_timeout=30min
printf '%s\n' db=postgres driver=org.postgresql.Driver "conn=jdbc:postgresql://127.0.0.1:$port/bench" user=bench password=aa \
  warehouses=1 terminals=2 "runMins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')" rampupMins=0.015 retries=3 \
  resultRows=none failOn=none >"$work/props.aa"
run() { "$java" -XX:+UseSerialGC -jar driver/target/driver.jar "$@"; }

run build "$work/props.aa" >"$work/build.log"
mkdir -p "$results"
kept=$results/pairs.csv # a line for each pair: its ratio of tpmC and the bounds of the interval
[ -f "$kept" ] || echo pair,ratio,low,high >"$kept"
for pair in $(seq "$(wc -l <"$kept")" "$pairs"); do
  for side in $([ $((pair % 2)) = 0 ] && echo a b || echo b a); do
    run run "$work/props.aa" resultDirectory "$work/$pair-$side" >"$work/run.log" 2>&1
  done
  run compare -o "$work/$pair.html" a="$work/$pair-a" b="$work/$pair-b" >"$work/compare.log"
  jq -r --arg pair "$pair" 'first(.ratios[].ratios.tpmC // empty) | "\($pair),\(.value),\(.low),\(.high)"' \
    "$work/$pair.json" >"$work/line"
  [ -s "$work/line" ] || { echo "pair $pair has no ratio" >&2; exit 1; }
  cat "$work/line" >>"$kept"
  rm -rf "$work/$pair"[-.]*
done
{
  echo "# Pairs of equal runs"
  echo
  echo "$(machine), $(java_version). One PostgreSQL server ($("$PGBIN/postgres" --version)), one warehouse, 2 terminals, $seconds s measured."
  echo
  awk -F, 'NR > 1 { pairs++; if ($3 == "null") unknown++; else if ($3 > 1 || $4 < 1) wrong++ }
    END { printf "%d pairs, %d with a difference of tpmC that is none (%.1f %%, at most 5 %% are right), %d without an interval.\n",
      pairs, wrong, 100 * wrong / pairs, unknown }' "$kept"
  echo
  echo "Repeat: \`src/test/bench/aa-pairs.sh $pairs $seconds\`"
} >"$results/README.md"
cat "$results/README.md"
