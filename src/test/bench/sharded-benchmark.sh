#!/usr/bin/env bash
# Measures TPC-C on one PostgreSQL server and on two behind the proxy, with the same memory in sum, the
# same warehouses and terminals, in turns: tpmC, response times of transactions on one shard and over
# both, what the proxy costs.
#
#   src/test/bench/sharded-benchmark.sh [warehouses] [terminals] [rounds] [seconds] [result directory]
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs (PGBIN, default: Debian's) and jq.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

warehouses=${1:-6}
terminals=${2:-20}
rounds=${3:-2}
seconds=${4:-40}
results=${5:-$root/results/sharded-$(date +%F)}
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq
driver_jar=$root/driver/target/driver.jar
begin_results "$results"

start_one_and_two 1GB 512MB

properties() { # file, port, lines to add
  {
    printf '%s\n' db=postgres driver=org.postgresql.Driver "conn=jdbc:postgresql://127.0.0.1:$2/bench" user=bench \
      password=bench "warehouses=$warehouses" loadWorkers=2 "terminals=$terminals" limitTxnsPerMin=0 \
      terminalWarehouseFixed=true newOrderWeight=45 paymentWeight=43 orderStatusWeight=4 deliveryWeight=4 \
      stockLevelWeight=4 seed=20261121 "${@:3}"
  } >"$work/$1"
}
drive() { # arguments of the driver
  (cd "$work" && "$java" -XX:+UseSerialGC -Xmn64m -Xss512k -jar "$driver_jar" "$@" >"$work/out" 2>&1) || {
    tail -n 20 "$work/out" >&2
    tail -n 20 "$work/proxy.log" >&2
    exit 1
  }
}

for where in one:$one sharded:$proxy; do
  properties "${where%%:*}.build" "${where#*:}"
  started=$(date +%s%N)
  drive build "${where%%:*}.build"
  printf '%s\t%s\n' "${where%%:*}" "$((($(date +%s%N) - started) / 1000000))" | tee -a "$work/loads"
done

run_mins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')
ramp_mins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 120 }')
echo "where profile round tpmC tx/s proxy-us/tx single-p50 single-p99 crossing-p50 crossing-p99 crossing-% errors"
for round in $(seq "$rounds"); do
  for profile in benchmarksql batched; do
    for where in one:$one sharded:$proxy; do
      name=${where%%:*}
      rm -rf "$work/result"
      properties run "${where#*:}" "runMins=$run_mins" "rampupMins=$ramp_mins" "statementProfile=$profile" \
        "resultDirectory=$work/result"
      before=$(cpu_micros "$proxy_pid")
      drive run run
      after=$(cpu_micros "$proxy_pid")
      jq -r --arg where "$name" --arg profile "$profile" --arg round "$round" --argjson cpu "$((after - before))" '
        (.rates.transactionCount) as $n
        | ($n + .interval.transactionsOutside) as $all
        | (.types[] | select(.name == "NEW_ORDER")) as $no
        | [$where, $profile, $round, (.rates.tpmC | floor), ($n / .interval.seconds | floor),
           (if $where == "one" then "-" else ($cpu / $all | floor) end),
           $no.latencyMillis.local.due.p50, $no.latencyMillis.local.due.p99,
           $no.latencyMillis.distributed.due.p50, $no.latencyMillis.distributed.due.p99,
           (100 * $no.latencyMillis.distributed.due.count / $no.latencyMillis.all.due.count * 10 | floor / 10),
           ([.types[].errors] | add)] | @tsv' "$work/result/summary.json" | tee -a "$work/rows"
    done
  done
done
for where in one sharded; do
  port=$one
  [ "$where" = one ] || port=$proxy
  properties verify "$port"
  (cd "$work" && "$java" -jar "$driver_jar" verify verify) | tail -1 | sed "s/^/$where: /" | tee -a "$work/verified"
done
for port in "$a" "$b"; do
  left=$("$PGBIN/psql" -X -At -h 127.0.0.1 -p "$port" -U bench -c "select count(*) from pg_prepared_xacts" bench)
  [ "$left" = 0 ] || { echo "$left prepared transactions are left" >&2; exit 1; }
done
{
  echo "# One server against two behind the proxy"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version): one with shared_buffers=1GB, two with 512MB each; driver, proxy and servers on the same processors, so"
  echo "the proxy and the second commit take from the same two processors: this shows what they cost, not what more machines bring."
  echo "$warehouses warehouses, $terminals terminals, no keying or think times, $seconds s measured after $((seconds / 2)) s, in turns. $(java_version)."
  echo
  echo "Repeat: \`src/test/bench/sharded-benchmark.sh $warehouses $terminals $rounds $seconds\`"
  echo
  echo "| servers | profile | round | tpmC | tx/s | proxy CPU us/tx | New-Order p50 one shard | p99 | p50 crossing | p99 | crossing % | errors |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
  sort -k2,2 -k1,1 -s "$work/rows" | sed 's/\t/ | /g; s/^/| /; s/$/ |/'
  echo
  echo "Response times in ms. On one server, \"crossing\" are orders with a remote warehouse, which there are as local as the others."
  echo
  awk -F'\t' '{ printf "Build %s: %.1f s.\n\n", $1, $2 / 1000 }' "$work/loads"
  echo "After all runs:"
  echo
  sed 's/^/- /' "$work/verified"
} >"$out/README.md"
sed 's/\t/,/g' "$work/rows" >"$out/runs.csv"
keep_results "$results"
cat "$results/README.md"
