#!/usr/bin/env bash
# Compares systems by TPC-C: one PostgreSQL server, two behind the proxy and, if there is one, a Citus.
# From few terminals to many, in the default statement profile and the batched one: tpmC, response
# times, and what a New-Order costs each process in processor time. The figures stand beside a
# published comparison.
#
#   [CITUS=jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD] \
#     src/test/bench/systems-benchmark.sh [terminals] [seconds] [warm-up seconds] [repetitions] [warehouses] [result directory]
#
# The default takes about half an hour with Citus. CITUS is the URL of the coordinator of a cluster
# that is running; TPC-C's tables in that database are dropped and made anew. To be like the servers of
# this script its workers need shared_buffers=256MB, max_wal_size=8GB, checkpoint_timeout=30min. The
# processor time of its nodes is known if they run on this machine and root or their user runs this.
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs (PGBIN, default: Debian's) and jq.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

terminals=${1:-5,10,20}
seconds=${2:-48}
warm_up=${3:-24}
repeat=${4:-1}
warehouses=${5:-10}
results=$(realpath -m "${6:-$root/results/systems-$(date +%F)}")
citus=${CITUS:-}
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq
flags=$driver_flags
begin_results "$results"

start_one_and_two 512MB 256MB

minutes() { awk -v s="$1" 'BEGIN { printf "%.4f", s / 60 }'; }
properties() { # name of the system, URL
  printf '%s\n' db=postgres driver=org.postgresql.Driver "conn=$2" user=bench password=bench \
    "warehouses=$warehouses" loadWorkers=2 limitTxnsPerMin=0 terminalWarehouseFixed=true seed=20261123 \
    newOrderWeight=45 paymentWeight=43 orderStatusWeight=4 deliveryWeight=4 stockLevelWeight=4 \
    "runMins=$(minutes "$seconds")" "rampupMins=$(minutes "$warm_up")" resultRows=none osCollector=false \
    >"$work/props.$1"
}
systems=(postgres proxy)
properties postgres "jdbc:postgresql://127.0.0.1:$one/bench"
properties proxy "jdbc:postgresql://127.0.0.1:$proxy/bench"
if [ -n "$citus" ]; then
  systems+=(citus)
  properties citus "$citus"
fi

cd "$out"
driver() { # shellcheck disable=SC2086 # the flags are words
  "$java" $flags -jar "$root/driver/target/driver.jar" "$@"
}
failed=
sweep=(sweep "${systems[@]/#/$work/props.}" --terminals "$terminals" --repeat "$repeat" --settle 5s)
# Points that fail are named there, and set aside; the others stand.
driver "${sweep[@]}" --build first --output default statementProfile benchmarksql || failed="not all points could be measured"
driver "${sweep[@]}" --build never --output batched statementProfile batched || failed="not all points could be measured"
rm -rf {default,batched}/{logs,compare.*}
find . -name report.html -delete

named=()
for profile in default batched; do
  for system in "${systems[@]}"; do named+=("$system $profile=$profile/$system"); done
done
driver compare --output compare.html --title "One PostgreSQL, two behind the proxy${citus:+, Citus}" \
  "${named[@]}" "$root/results/published-klustron-2023"

# Of each point what compare.json says, and the processor time of all its runs by their New-Orders.
point() { # profile, system, terminals
  jq -r --arg profile "$1" --arg system "$2" --argjson terminals "$3" --slurpfile runs <(cat "$1/$2/t$(printf %04d "$3")"-r*/summary.json) '
    def point($name): .systems[] | select(.name == $name) | .points[] | select(.terminals == $terminals);
    def micros: . * 1e6 / ([$runs[].rates.headlineCount] | add) | round;
    point("\($system) \($profile)") as $point | point("postgres \($profile)").tpmC as $one
    | [$runs[] | .interval.seconds as $s | {who: "driver", used: (.client.coresUsed * $s)},
        (.serverProcesses[] | {who: "\(.role) \(.address)", used: (if .userSeconds then .userSeconds + .systemSeconds else null end)})]
    | group_by(.who) | map({who: .[0].who, used: (if any(.[]; .used == null) then null else map(.used) | add end)}) as $parts
    | [$profile, $system, $terminals, ($point.tpmC | round), ($point.tpmC / $one * 1000 | round / 1000),
       ($point.latencyMillis.NEW_ORDER.p95 * 10 | round / 10),
       (if any($parts[]; .used == null) then "not known" else ($parts | map(.used) | add | micros) end),
       ($parts | map("\(.who) \(if .used == null then "not known" else (.used | micros) end)") | join(", ")),
       ([$point.runs[].failed] | add)] | @tsv' compare.json
}
for profile in default batched; do
  for number in ${terminals//,/ }; do
    for system in "${systems[@]}"; do
      if ls "$profile/$system/t$(printf %04d "$number")"-r*/summary.json >/dev/null 2>&1; then
        point "$profile" "$system" "$number"
      fi
    done
  done
done >"$work/rows"
{
  echo "# One PostgreSQL server, two behind the proxy${citus:+, and Citus}"
  echo
  echo "$(machine), $(java_version)."
  echo "PostgreSQL $(postgres_version): \`postgres\` is one server with shared_buffers=512MB, \`proxy\` two with 256MB each and the proxy (\`$proxy_flags\`) in front."
  if [ -n "$citus" ]; then
    jq -r '.database | "`citus` was running already: Citus \(.citus) on \(.product) \(.version), \(.citusNodes) nodes with data, \(.citusShardsOfTable) shards for each table."' \
      "$(find default/citus -name summary.json | head -1)"
  fi
  echo "All are on the same processors as the driver (\`$flags\`): this shows what each costs, not what more machines bring."
  echo "$warehouses warehouses, no keying or think times, $seconds s measured after $warm_up s, in turns, each $repeat times, data verified after each run${failed:+; $failed}."
  echo
  echo "Repeat: \`${citus:+CITUS=URL }src/test/bench/systems-benchmark.sh $terminals $seconds $warm_up $repeat $warehouses\`, which is, with properties files that it writes,"
  for profile in default batched; do
    build=never
    [ "$profile" = batched ] || build=first
    echo "\`java -jar driver.jar sweep ${systems[*]/#/props.} --terminals $terminals --repeat $repeat --settle 5s --build $build statementProfile ${profile/default/benchmarksql}\`"
  done
  echo
  echo "| profile | system | terminals | tpmC | by that of postgres | p95 New-Order, ms | processor time per New-Order, us | of it | failed |"
  echo "|---|---|---|---|---|---|---|---|---|"
  sed 's/\t/ | /g; s/^/| /; s/$/ |/' "$work/rows"
  echo
  echo "Processor time is that of all transactions, by the New-Orders that were committed. \`compare.html\`, \`compare.md\` and \`compare.json\` have the figures beside those of"
  echo "[published-klustron-2023](../published-klustron-2023/README.md), which others measured with more warehouses on other machines. \`sweep.json\` in \`default\` and \`batched\` has each run in its order."
} >README.md
cd "$root"
keep_results "$results"
cat "$results/README.md"
