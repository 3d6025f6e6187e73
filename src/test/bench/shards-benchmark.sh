#!/usr/bin/env bash
# Distributed TPC-B (docs/tpcb.md) over 1, 2, 4, 8 and 12 PostgreSQL servers behind the proxy, and on one
# without it: throughput, and the processor time that a transaction takes in driver, proxy and servers
# when more of it is distributed. From these docs/tpcb.md reckons what machines of their own would do.
#
#   src/test/bench/shards-benchmark.sh [seconds] [rounds] [terminals] [rows] [result directory]
#
# SHARDS="1 2" measures these alone. Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs
# (PGBIN, default: Debian's) and jq.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

seconds=${1:-20}
rounds=${2:-3}
terminals=${3:-16}
rows=${4:-100000}
results=$(realpath -m "${5:-$root/results/shards-$(date +%F)}")
shards=${SHARDS:-1 2 4 8 12}
driver_jar=$root/driver/target/driver.jar
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq
begin_results "$results"
cd "$out" # so that results name no directory of this machine

minutes() { awk -v s="$1" 'BEGIN { printf "%.4f", s / 60 }'; }
drive() { # verb, properties
  "$java" -XX:+UseSerialGC -Xmn64m -Xss512k -jar "$driver_jar" "$1" "$2" >"$work/drive.log" 2>&1 || {
    tail -n 5 "$work/drive.log" >&2
    exit 1
  }
}
properties() { # file, port, lines to add
  printf '%s\n' workload=tpcb db=postgres driver=org.postgresql.Driver "conn=jdbc:postgresql://127.0.0.1:$2/bench" \
    user=bench password=bench "rowsPerTable=$rows" transactions=no-history statements=pipelined loadWorkers=2 \
    "terminals=$terminals" limitTxnsPerMin=0 retries=10 resultRows=none "rampupMins=$(minutes "$((seconds / 2))")" \
    "runMins=$(minutes "$seconds")" "${@:3}" >"$work/$1"
}

# All systems are up all the time, so that they can be measured in turns; idle ones cost memory only.
declare -A port_of proxy_of servers_of
system() { # name, number of servers, proxy or -
  local name=$1 one ports=()
  for one in $(seq "$2"); do
    ports+=("$(free_port)")
    servers_of[$name]+=" $name-$one"
    start_server "$name-$one" "${ports[-1]}" "max_connections=$((terminals + 30))" "max_prepared_transactions=$((terminals * 2 + 10))" \
      "shared_buffers=$((960 / $2))MB" max_wal_size=4GB checkpoint_timeout=30min
  done
  port_of[$name]=${ports[0]}
  [ "$3" = proxy ] || return 0
  port_of[$name]=$(free_port)
  {
    printf '%s\n' "listen: 127.0.0.1:${port_of[$name]}" "auth: trust" "shards:"
    for one in $(seq "$2"); do
      echo "  - {name: s$one, host: 127.0.0.1, port: ${ports[one - 1]}, database: bench, user: bench}"
    done
    printf '%s\n' "users:" "  - {name: bench, password: bench}"
  } >"$work/$name.yaml"
  "$java" -XX:+UseSerialGC -XX:+UseTransparentHugePages -Xmn32m -Xmx256m -jar "$root/proxy/target/proxy.jar" "$work/$name.yaml" >"$work/$name.log" 2>&1 &
  proxy_of[$name]=$!
  processes+=("$!")
  wait_for "${port_of[$name]}" "$name"
}
names=(direct)
system direct 1 -
for n in $shards; do
  system "shards-$n" "$n" proxy
  names+=("shards-$n")
done
for name in "${names[@]}"; do
  properties build "${port_of[$name]}"
  drive build "$work/build"
  # Once before the rounds, for the proxy's JIT compilers.
  properties warm-up "${port_of[$name]}" "resultDirectory=$work/unmeasured"
  drive run "$work/warm-up"
  rm -rf "$work/unmeasured"
done

server_micros() { # name
  local one sum=0
  for one in ${servers_of[$1]}; do sum="$sum + $(server_cpu "$one")"; done
  awk "BEGIN { printf \"%d\", ($sum) * 1000000 }"
}
proxy_micros() { [ -z "${proxy_of[$1]:-}" ] && echo 0 || cpu_micros "${proxy_of[$1]}"; }
printf 'system\tround\ttps\tp50-ms\tp99-ms\tdriver-us\tproxy-us\tservers-us\tsum-us\terrors\tbusy-%%\n'
for round in $(seq "$rounds"); do
  for name in "${names[@]}"; do
    properties run "${port_of[$name]}" osCollector=local "resultDirectory=$name-$round"
    proxy_before=$(proxy_micros "$name")
    servers_before=$(server_micros "$name")
    drive run "$work/run"
    jq -r --arg name "$name" --arg round "$round" --argjson proxy "$(($(proxy_micros "$name") - proxy_before))" \
      --argjson servers "$(($(server_micros "$name") - servers_before))" '
      (.rates.transactionCount + .interval.transactionsOutside) as $all
      | (.client.coresUsed * .interval.seconds * 1e6 / .rates.transactionCount) as $driver
      | [$name, $round, (.rates.transactionCount / .interval.seconds | round),
         .latencyMillis.all.due.p50, .latencyMillis.all.due.p99, ($driver | round),
         ($proxy / $all | round), ($servers / $all | round), ($driver + ($proxy + $servers) / $all | round),
         ([.types[].errors] | add), ((.client.machineBusyShare // 0) * 100 | round)] | @tsv' \
      "$name-$round/summary.json" | tee -a "$work/rows"
  done
done
for name in "${names[@]}"; do
  properties verify "${port_of[$name]}"
  drive verify "$work/verify"
  tail -n 1 "$work/drive.log" | sed "s/^/$name: /" | tee -a "$work/verified"
done

runs=()
for name in "${names[@]}"; do
  for round in $(seq "$rounds"); do runs+=("$name=$name-$round"); done
done
"$java" -jar "$driver_jar" compare -o compare.html "${runs[@]}" >/dev/null
sort -t$'\t' -k1,1V -k3,3n "$work/rows" | awk -F'\t' -v OFS='\t' '
  # The round in the middle, by its throughput.
  function show() { if (n) print row[int((n + 1) / 2)] }
  $1 != last { show(); n = 0; last = $1 }
  { row[++n] = $0 }
  END { show() }' >"$work/medians"
table() {
  echo "| system | round | transactions/s | p50 ms | p99 ms | driver CPU us/transaction | proxy CPU | servers CPU | sum | errors | machine busy % |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  sed 's/\t/ | /g; s/^/| /; s/$/ |/' "$1"
}
{
  echo "# Distributed TPC-B over 1 to 12 shards on one machine"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version) with fsync, $(java_version); $rows rows a table, \`transactions=no-history\`, \`statements=pipelined\`, $terminals terminals, $seconds s a run after $((seconds / 2)) s, in turns, after a run of each that is not counted."
  echo "Driver, proxy and all servers on the same processors: read the processor time of a transaction, not how throughput falls."
  echo
  echo "Repeat: \`src/test/bench/shards-benchmark.sh $seconds $rounds $terminals $rows\`. [tpcb.md](../../docs/tpcb.md) says what follows for machines of their own."
  echo
  echo "Of $rounds rounds the one in the middle:"
  echo
  table "$work/medians"
  echo
  echo "All rounds:"
  echo
  table <(sort -t$'\t' -k1,1V -k2,2n "$work/rows")
  echo
  echo "After all runs:"
  echo
  sed 's/^/- /' "$work/verified"
} >README.md
keep_results "$results"
cat "$results/README.md"
