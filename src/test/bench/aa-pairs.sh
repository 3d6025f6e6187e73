#!/usr/bin/env bash
# Counts false differences: pairs of runs of one embedded PostgreSQL server with one file, in turns,
# each pair compared as if it were of two systems. An interval that excludes a ratio of 1 is false.
#
#   src/test/bench/aa-pairs.sh [pairs] [seconds] [result directory]
#
# The default, 200 pairs of 10 s, takes about two hours. At most 5 in 100 may be false. If it is
# broken off, the same command goes on where it stopped. Needs ./mvnw -B -DskipTests package.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

pairs=${1:-200}
seconds=${2:-10}
results=${3:-results/aa-$(date +%F)}
needs_built driver/target/driver.jar
cd "$root"

data=$(mktemp -d)
chmod 755 "$data" # the server may run as another user
trap 'rm -rf "$data"' EXIT
printf '%s\n' db=postgres "conn=embedded:postgres?data=$data/server&port=${AA_PORT:-28417}" user=benchmarksql password=aa \
  warehouses=1 terminals=2 "runMins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')" rampupMins=0.03 retries=3 \
  resultRows=none failOn=none >"$data/props.aa"
run() { "$java" -jar driver/target/driver.jar "$@"; }

run build "$data/props.aa" >"$data/build.log"
mkdir -p "$results"
done_pairs=$(find "$results" -name compare.json | wc -l)
for pair in $(seq $((done_pairs + 1)) "$pairs"); do
  for side in $([ $((pair % 2)) = 0 ] && echo a b || echo b a); do
    run run "$data/props.aa" resultDirectory "$data/$pair-$side" >"$data/run.log" 2>&1
  done
  run compare -o "$data/$pair.html" a="$data/$pair-a" b="$data/$pair-b" >"$data/compare.log"
  mkdir -p "$results/$pair"
  mv "$data/$pair.json" "$results/$pair/compare.json"
  rm -rf "$data/$pair-a" "$data/$pair-b" "$data/$pair.html" "$data/$pair.md"
done
{
  echo "# Pairs of equal runs"
  echo
  echo "$(machine), $(java_version). One embedded PostgreSQL server, one warehouse, 2 terminals, $seconds s measured."
  echo
  python3 - "$results" <<'EOF'
import glob, json, sys
pairs = false = unknown = 0
for name in glob.glob(sys.argv[1] + "/*/compare.json"):
    with open(name) as file:
        ratios = [point["ratios"] for point in json.load(file)["ratios"] if "ratios" in point]
    ratio = next((of["tpmC"] for of in ratios if "tpmC" in of), {})
    pairs += 1
    if "low" not in ratio:
        unknown += 1
    elif ratio["low"] > 1 or ratio["high"] < 1:
        false += 1
print(f"{pairs} pairs, {false} with a difference of tpmC that is none ({100 * false / max(1, pairs):.1f} %, at most 5 % are right), {unknown} without an interval.")
EOF
  echo
  echo "Repeat: \`src/test/bench/aa-pairs.sh $pairs $seconds\`"
} >"$results/README.md"
cat "$results/README.md"
