#!/usr/bin/env bash
# As many connections as this machine carries, all of which make transactions: the published test of
# 100,800 connections (docs/tpcb.md). Two PostgreSQL servers, a proxy and a driver for every 16,800
# connections, each driver through its own proxy; the drivers are one run.
#   src/test/bench/active-benchmark.sh               # 100,800 connections, 10 minutes
#   src/test/bench/active-benchmark.sh 20000 2       # fewer and shorter
# Leaves results/active-<date>-<connections>/: summary.json, report.html, README.md.
set -euo pipefail
connections=${1:-100800}
minutes=${2:-10}
# shellcheck source=servers.sh
source "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
driver_jar=$root/driver/target/driver.jar
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq

each=16800 # connections of a process, which has a handle for each
parts=$(((connections + each - 1) / each))
[ "$parts" -gt 1 ] || parts=2
ulimit -n "$((each + 2000))" 2>/dev/null || { echo "ulimit -n: a process needs $((each + 2000)) handles" >&2; exit 1; }
most=$(cat /proc/sys/kernel/pid_max) # a driver has a thread for each connection
[ "$most" -gt $((connections + 2000)) ] || { echo "kernel.pid_max is $most: expected more than $((connections + 2000))" >&2; exit 1; }
results=$root/results/active-$(date +%F)-$connections
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
pool_size: 32
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

cat >"$work/props" <<END
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
terminals=$connections
connections=$connections
limitTxnsPerMin=0
retries=10
rampupMins=0.5
runMins=$minutes
resultRows=none
resultDirectory=$work/run
END
"$java" -jar "$driver_jar" build "$work/props" drivers 1 >"$work/build.log" 2>&1 || {
  tail -n 5 "$work/build.log" >&2
  exit 1
}
drivers=()
for ((part = 0; part < parts; part++)); do
  # shellcheck disable=SC2086 # the flags are words
  "$java" $driver_flags -Xmx2g -jar "$driver_jar" run "$work/props" driverIndex "$part" \
    conn "jdbc:postgresql://127.0.0.1:${ports[$part]}/bench" >"$work/driver$part.log" 2>&1 &
  drivers+=("$!")
done
failed=
for part in "${!drivers[@]}"; do
  wait "${drivers[$part]}" || failed+=" $part"
done
if [ -n "$failed" ]; then
  for part in $failed; do grep ERROR "$work/driver$part.log" | sed "s/^/driver $part: /" >&2; done
  exit 1
fi
"$java" -jar "$driver_jar" verify "$work/props" drivers 1 >"$work/verify.log" 2>&1 || {
  tail -n 5 "$work/verify.log" >&2
  exit 1
}
"$java" -jar "$driver_jar" report "$work/run" >/dev/null
cp "$work/run/summary.json" "$work/run/report.html" "$out/"
{
  echo "# $connections connections, all of which make transactions"
  echo
  echo "$(machine); $(java_version); PostgreSQL $(postgres_version). $parts drivers, $parts proxies and two servers on the same processors, $minutes minutes; the data was verified."
  echo
  echo "Repeat: \`src/test/bench/active-benchmark.sh $connections $minutes\`."
  echo
  jq -r '"| figure | |", "|---|---|", (.metrics | if type == "array" then .[] else empty end | "| \(.name) | \(.value) |")' "$out/summary.json"
} >"$out/README.md"
keep_results "$results"
cat "$results/README.md"
