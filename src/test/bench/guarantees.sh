#!/usr/bin/env bash
# Compares one PostgreSQL server with synchronous_commit on and off by TPC-C: what a guarantee costs,
# and whether the comparison says that the two are not equal before it says a ratio.
#
#   src/test/bench/guarantees.sh [terminals] [repetitions] [seconds] [warehouses] [result directory]
#
# The default takes about four minutes. Needs ./mvnw -B -DskipTests package.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

terminals=${1:-4}
repeat=${2:-2}
seconds=${3:-30}
warehouses=${4:-2}
results=$(realpath -m "${5:-$root/results/guarantees-$(date +%F)}")
needs_built driver/target/driver.jar
begin_results "$results"

for commit in on off; do
  sed "s/^conn=.*/&?set.synchronous_commit=$commit/" "$root/config/props.single" >"$work/props.$commit"
done
cd "$out"
command=(sweep synchronous="$work/props.on" asynchronous="$work/props.off" --terminals "$terminals" --repeat "$repeat"
  --settle 2s --output sweep warehouses "$warehouses" rampupMins "$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 180 }')"
  runMins "$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')" resultRows none osCollector false)
"$java" -jar "$root/driver/target/driver.jar" "${command[@]}" >sweep.log
mv sweep/{synchronous,asynchronous} .
rm -r sweep sweep.log .jTPCC_run_seq*
"$java" -jar "$root/driver/target/driver.jar" compare --output compare.html --title "synchronous_commit off against on" \
  synchronous=synchronous asynchronous=asynchronous >compare.log
grep -n -m1 '^- \*\*Not equal' compare.md >"$work/unequal" || { echo "guarantees.sh: the comparison does not say that they are not equal" >&2; exit 1; }
grep -n -m1 '^- \*\*Result' compare.md >"$work/result"
[ "$(cut -d: -f1 "$work/unequal")" -lt "$(cut -d: -f1 "$work/result")" ] || { echo "guarantees.sh: the ratio comes first" >&2; exit 1; }
rm -r synchronous asynchronous
{
  echo "# Unequal guarantees in one comparison"
  echo
  echo "$(machine), $(java_version). One embedded PostgreSQL server with \`synchronous_commit\` on, and one with it off: the second acknowledges"
  echo "transactions that the kill of a server process loses. Warehouses: $warehouses, terminals: $terminals, without keying or think times, $seconds s measured after"
  echo "$((seconds / 3)) s, $repeat times each, in turns. The comparison says so in this order:"
  echo
  cut -d: -f2- "$work/unequal" "$work/result"
  echo
  echo "Repeat: \`src/test/bench/guarantees.sh $terminals $repeat $seconds $warehouses\`. \`compare.html\`, \`compare.md\` and \`compare.json\` are the comparison."
} >README.md
cd "$root"
keep_results "$results"
cat "$results/README.md"
