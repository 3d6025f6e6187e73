#!/usr/bin/env bash
# The round of config/props.demo.adversity twice, each with new servers, and both compared: how alike are depth and
# length of the dips of two rounds? Keeps summaries, reports and the comparison in results/adversity-DATE.
#
#   src/test/bench/adversity-benchmark.sh [result directory] [KEY VALUE ...]
#
# Takes 22 minutes; with the keys of the short form in docs/adversity.md 12. Needs ./mvnw -B -DskipTests package.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

target=${1:-results/adversity-$(date +%F)}
needs_built driver/target/driver.jar proxy/target/proxy.jar
cd "$root"
begin_results "$target"

for round in 1 2; do
  "$java" -jar driver/target/driver.jar config/props.demo.adversity "${@:2}" resultDirectory "$work/round$round" >"$out/round$round.log" 2>&1
  mkdir "$out/round$round"
  mv "$work/round$round/summary.json" "$work/round$round/report.html" "$work/round$round/run.properties" "$out/round$round"
  mkdir "$out/round$round/data"
  mv "$work/round$round/data/per_second.csv" "$out/round$round/data"
done
(cd "$out" && "$java" -jar "$root/driver/target/driver.jar" compare -o compare.html first=round1 second=round2 >compare.log)
{
  echo "# Adversity"
  echo
  echo "$(machine), $(java_version). Two embedded PostgreSQL servers with the sharding proxy, two rounds of the same events."
  echo
  python3 - "$out" <<'EOF'
import json, sys
rounds = []
for number in "12":
    with open(f"{sys.argv[1]}/round{number}/summary.json") as file:
        rounds.append(json.load(file)["adversity"]["events"])
def cell(event):
    if "dipPercent" not in event:
        return f'unknown (no seconds before it), {event["failed"]} failed, {event["wrong"]} wrong'
    back = f'{event["backAfterSeconds"]:.0f} s' if "backAfterSeconds" in event else "never"
    return f'{event["dipPercent"]:.0f} %, {event["dipSeconds"]:.0f} s, back after {back}, {event["failed"]} failed, {event["wrong"]} wrong'
print("| event | first round: depth and length of the dip | second round |\n|---|---|---|")
for first, second in zip(*rounds):
    print(f'| {first["label"]} | {cell(first)} | {cell(second)} |')
EOF
  echo
  echo "Repeat: \`src/test/bench/adversity-benchmark.sh\`${*:2}"
} >"$out/README.md"
keep_results "$target"
cat "$target/README.md"
