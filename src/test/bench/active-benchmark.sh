#!/usr/bin/env bash
# As many connections as this machine carries, all of which make transactions: the published test of
# 100,800 connections (docs/tpcb.md). Two PostgreSQL servers, a proxy and a driver for every 16,800
# connections, each driver through its own proxy; the drivers are one run. Before it fewer connections
# for a minute each, through as many proxies.
#   src/test/bench/active-benchmark.sh [connections] [minutes] [fewer connections...]
#   src/test/bench/active-benchmark.sh 20000 2 1000       # fewer and shorter
# By default 100,800 connections for ten minutes, after 1,008, 10,080 and 50,400.
# Leaves results/active-<date>/: README.md, and summary.json and report.html of the most that were carried.
set -euo pipefail
connections=${1:-100800}
minutes=${2:-10}
[ $# -gt 2 ] || set -- "$connections" "$minutes" 1008 10080 50400
# shellcheck source=servers.sh
source "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
driver_jar=$root/driver/target/driver.jar
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq

each=16800 # connections of a process, which has a handle for each
parts=$(((connections + each - 1) / each))
[ "$parts" -gt 1 ] || parts=2
ulimit -n "$((each + 2000))" 2>/dev/null || { echo "ulimit -n: a process needs $((each + 2000)) handles" >&2; exit 1; }
pids=$(cat /proc/sys/kernel/pid_max) # a driver has a thread for each connection
[ "$pids" -gt $((connections + 2000)) ] || { echo "kernel.pid_max is $pids: expected more than $((connections + 2000))" >&2; exit 1; }
results=$root/results/active-$(date +%F)
begin_results "$results"

settings=("max_connections=$((parts * 40 + 100))" "max_prepared_transactions=$((parts * 40 + 100))" max_wal_size=8GB checkpoint_timeout=30min)
a=$(free_port)
start_server a "$a" "${settings[@]}"
b=$(free_port)
start_server b "$b" "${settings[@]}"
ports=()
for ((part = 0; part < parts; part++)); do
  port=$(free_port)
  ports+=("$port")
  cat >"$work/proxy$part.yaml" <<END
listen: 127.0.0.1:$port
auth: trust
pool_size: 4
pool_wait_timeout: 10min
shards:
  - {name: s1, host: 127.0.0.1, port: $a, database: bench, user: bench}
  - {name: s2, host: 127.0.0.1, port: $b, database: bench, user: bench}
users:
  - {name: bench, password: bench}
END
  "$java" -XX:+UseSerialGC -Xmx512m -jar "$root/proxy/target/proxy.jar" "$work/proxy$part.yaml" >"$work/proxy$part.log" 2>&1 &
  processes+=("$!")
  wait_for "$port" "proxy$part"
done

properties() { # CONNECTIONS MINUTES
  cat <<END
workload=tpcb
db=postgres
driver=org.postgresql.Driver
conn=jdbc:postgresql://127.0.0.1:${ports[0]}/bench
user=bench
password=bench
rowsPerTable=100000
tpcbTables=bigint
transactions=no-history
statements=pipelined
loadWorkers=2
drivers=$parts
driverWaitSecs=900
terminals=$1
connections=$1
limitTxnsPerMin=0
retries=10
rampupMins=1.5
runMins=$2
resultRows=none
resultDirectory=$work/run-$1
END
}
driver() { # ARGUMENTS
  "$java" -jar "$driver_jar" "$@" >"$work/driver.log" 2>&1 || {
    tail -n 5 "$work/driver.log" >&2
    exit 1
  }
}
measure() { # CONNECTIONS MINUTES
  local part drivers=() failed=
  properties "$1" "$2" >"$work/props"
  for ((part = 0; part < parts; part++)); do
    # A small young generation would be collected often, and each time all threads' stacks are read. A heap or
    # a metaspace that grows is collected whole, for a minute beside so many processes.
    # shellcheck disable=SC2086 # the flags are words
    "$java" $driver_flags -Xmn256m -Xms2g -Xmx2g -XX:MetaspaceSize=64m -jar "$driver_jar" run "$work/props" driverIndex "$part" \
      conn "jdbc:postgresql://127.0.0.1:${ports[$part]}/bench" >"$work/driver$part.log" 2>&1 &
    drivers+=("$!")
    processes+=("$!")
  done
  for part in "${!drivers[@]}"; do
    wait "${drivers[$part]}" || failed+=" $part"
  done
  if [ -n "$failed" ]; then
    for part in $failed; do grep ERROR "$work/driver$part.log" | sed "s/^/$1 connections, driver $part: /" >&2; done
    echo "| $1 | $2 | not carried: $(grep -h ERROR "$work"/driver*.log | sed 's/.*Term-00, //' | head -n 1) |" >>"$work/rows"
    return
  fi
  driver verify "$work/props" drivers 1
  most=$1
  jq -r --arg connections "$1" --arg minutes "$2" '.types[0] as $all | $all.latencyMillis.all.service as $ms |
    "| \($connections) | \($minutes) | \($all.committed) | \($all.committed / .interval.seconds | . * 10 | round / 10) |"
    + " \($ms.p50) | \($ms.p99) | \($ms.max) | \($all.errors) |"' \
    "$work/run-$1/summary.json" >>"$work/rows"
}

properties "$connections" "$minutes" >"$work/props"
driver build "$work/props" drivers 1
most=
for fewer in "${@:3}"; do
  measure "$fewer" 1
done
measure "$connections" "$minutes"
[ -n "$most" ] || { echo "no number of connections was carried" >&2; exit 1; }
driver report "$work/run-$most"
cp "$work/run-$most/summary.json" "$work/run-$most/report.html" "$out/"
{
  cat <<END
# Connections, all of which make transactions

$(machine); $(java_version); PostgreSQL $(postgres_version). $parts drivers, $parts proxies with 4 server
connections to each of two servers, all on the same processors. The data was verified after each run.

Repeat: \`src/test/bench/active-benchmark.sh $*\`.

| connections | minutes | transactions | a second | p50, ms | p99, ms | longest, ms | errors |
|---:|---:|---:|---:|---:|---:|---:|---:|
END
  cat "$work/rows"
} >"$out/README.md"
keep_results "$results"
cat "$results/README.md"
