#!/usr/bin/env bash
# Compares one PostgreSQL server with two behind the proxy at several numbers of terminals, all of
# them embedded: the verb sweep, start to end, and its comparison.
#
#   src/test/bench/sweep-benchmark.sh [terminals] [repetitions] [seconds] [warehouses] [result directory]
#
# The default takes about 18 minutes. If it is broken off, the same command goes on where it stopped.
# Needs ./mvnw -B -DskipTests package.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

terminals=${1:-5,10,20}
repeat=${2:-2}
seconds=${3:-45}
warehouses=${4:-6}
results=${5:-results/sweep-$(date +%F)}
needs_built driver/target/driver.jar proxy/target/proxy.jar

cd "$root"
command=(sweep config/props.single config/props.demo --terminals "$terminals" --repeat "$repeat" --settle 10s
  --output "$results" warehouses "$warehouses" rampupMins "$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 180 }')"
  runMins "$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')" resultRows none)
"$java" -jar driver/target/driver.jar "${command[@]}"

# What is kept is the comparison; logs name directories of this machine.
rm -rf "$results"/{single,demo,logs}
{
  echo "# One server and two behind the proxy, from few terminals to many"
  echo
  echo "$(machine), $(java_version)."
  echo "\`single\` is one embedded PostgreSQL server, \`demo\` are two with the proxy in front, with the same memory in sum. Driver, proxy and servers"
  echo "share the processors, so the proxy and the second server's work take from the same ones: this shows what they cost, not what more machines bring."
  echo "$warehouses warehouses, no keying or think times, $seconds s measured after $((seconds / 3)) s, data verified after each run, in turns."
  echo
  echo "Repeat: \`src/test/bench/sweep-benchmark.sh $terminals $repeat $seconds $warehouses\`, which is \`java -jar driver/target/driver.jar ${command[*]}\`"
  echo
  echo "\`compare.html\`, \`compare.md\` and \`compare.json\` are the comparison that the sweep ended in, \`sweep.json\` its plan with the figures of every point, in its order."
} >"$results/README.md"
cat "$results/README.md"
