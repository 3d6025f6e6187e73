#!/usr/bin/env bash
# Two shards become three, then four, under open-loop TPC-C through two proxies, at 60 % of what a closed loop
# of half a minute reaches before. Keeps the driver's result, the times of the moves and a table of
# throughput, latency and pauses in each part in results/growth-DATE.
#
#   src/test/bench/growth.sh [result directory]
#
# WAREHOUSES (8), TERMINALS (20), WARM_SECONDS (90) that do not count, SECONDS_EACH (90) without a growth
# before, between and after, MOVE_MINS (8) for both, RATE transactions a minute instead of the 60 %. With the
# defaults it takes twenty minutes. Fails if the moves are not over when the run is.
# Needs ./mvnw -B -DskipTests package and PostgreSQL's server programs (PGBIN, default: Debian's).
# The proxies begin with two shards; none is restarted.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

result=$(realpath -m "${1:-$root/results/growth-$(date +%F)}")
: "${WAREHOUSES:=8}" "${TERMINALS:=20}" "${WARM_SECONDS:=90}" "${SECONDS_EACH:=90}" "${MOVE_MINS:=8}" "${RATE:=}"
needs_built driver/target/driver.jar proxy/target/proxy.jar
settings=(wal_level=logical max_prepared_transactions=100 max_connections=200 shared_buffers=256MB max_wal_size=4GB)
shards=()
for n in 1 2 3 4; do
  port=$(free_port)
  start_server "s$n" "$port" "${settings[@]}"
  shards+=("  - {name: s$n, host: 127.0.0.1, port: $port, database: bench, user: bench}")
done

ports=("$(free_port)" "$(free_port)")
configure() { # COUNT: the files of the proxies have so many shards
  for n in 1 2; do
    printf '%s\n' "listen: 127.0.0.1:${ports[n - 1]}" 'auth: trust' 'admin_users: [bench]' 'users:' \
      '  - {name: bench, password: bench}' 'shards:' "${shards[@]:0:$1}" >"$work/proxy$n.yaml"
  done
}
begin_results "$result"
configure 2
for n in 1 2; do
  "$java" -XX:+UseSerialGC -jar "$root/proxy/target/proxy.jar" "$work/proxy$n.yaml" >"$work/proxy$n.log" 2>&1 &
  processes+=("$!")
  wait_for "${ports[n - 1]}" "proxy$n"
done
admin() { "$PGBIN/psql" -X -h 127.0.0.1 -p "${2:-${ports[0]}}" -U bench shardmark -At -c "$1"; }

properties() { # KEY=VALUE ...
  printf '%s\n' db=postgres driver=org.postgresql.Driver user=bench password=bench \
    "conn=jdbc:postgresql://127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/bench?loadBalanceHosts=true" \
    "warehouses=$WAREHOUSES" loadWorkers=2 "terminals=$TERMINALS" terminalWarehouseFixed=false \
    newOrderWeight=45 paymentWeight=43 orderStatusWeight=4 deliveryWeight=4 stockLevelWeight=4 \
    retries=5 failOn=none "$@"
}
driver() { # arguments; in a subshell
  cd "$work"
  exec "$java" -jar "$root/driver/target/driver.jar" "$@"
}
# The tables' partitions on the first two shards: a copy of the scripts, of which one places them by hand.
cp -r "$root"/sql/sql.common "$root"/sql/sql.postgres "$root"/sql/sql.sharded "$work/"
for table in warehouse district customer history oorder new_order order_line stock; do
  table=bmsql_$table
  for r in $(seq 0 15); do
    echo "create table ${table}_$r partition of $table for values with (modulus 16, remainder $r) with (shard = $((r % 2 + 1)));"
  done
done >>"$work/sql.sharded/tableCreates.sql"

properties runMins=0.5 rampupMins=0.5 "resultDirectory=$work/most" >"$work/props.most"
(driver build props.most) >"$out/build.log" 2>&1
(driver props.most) >"$work/most.log" 2>&1
most=$(jq '[.types[].committed] | add * 2' "$work/most/summary.json")
: "${RATE:=$((most * 6 / 10))}"

properties "runMins=$(((WARM_SECONDS + 3 * SECONDS_EACH + 59) / 60 + MOVE_MINS))" "openLoopTxnsPerMin=$RATE" \
  "resultDirectory=$out/run" >"$work/props"
(driver props) >"$out/console.log" 2>&1 &
run=$!
processes+=("$run")
say() { echo "$(date +%s.%N) $1" >>"$out/moves.txt"; }
move_all() { # SHARD COUNT: COUNT partitions of the shards that have most go to SHARD
  local i row
  for ((i = 0; i < $2; i++)); do
    row=$(admin "SHOW SHARD MAP" | grep "bmsql_warehouse|" | awk -F'|' -v to="$1" '
      { n[$9]++; last[$9] = $6 } END { for (s in n) if (s != to && n[s] > most) { most = n[s]; r = last[s] } print r }')
    admin "MOVE PARTITION bmsql_warehouse_$row TO $1" >/dev/null 2>&1
    until ! admin "SHOW MOVES" | cut -d'|' -f5 | grep -qvE '^(done|undone)$'; do sleep 0.5; done
  done
}
add() { # SHARD: has it count on both proxies
  configure "${1#s}"
  for port in "${ports[@]}"; do admin RELOAD "$port" >/dev/null; done
  until admin "ADD SHARD $1" >/dev/null 2>&1; do sleep 1; done
  for port in "${ports[@]}"; do
    until admin "SHOW SHARDS" "$port" | grep -q "|$1|.*|up|"; do sleep 0.1; done
  done
}
until [ -e "$out/run/data/per_second.csv" ]; do sleep 0.2; done
sleep "$((WARM_SECONDS + SECONDS_EACH))"
for shard in s3 s4; do
  say "$shard is added"
  add "$shard"
  say "partitions move to $shard"
  move_all "$shard" "$((16 / ${shard#s}))"
  say "$shard has its share"
  [ "$shard" = s4 ] || sleep "$SECONDS_EACH"
done
kill -0 "$run" 2>/dev/null || { echo "MOVE_MINS=$MOVE_MINS is too short: the run ended before the moves" >&2; exit 1; }
wait "$run"
admin "SHOW MOVES" >"$out/SHOW_MOVES.txt"
verified="\`verify\` passes"
(driver verify props) >"$out/verify.log" 2>&1 || verified="\`verify\` **fails**"
{
  echo "# TPC-C while two shards become four"
  echo
  echo "\`src/test/bench/growth.sh\`: $(machine), PostgreSQL $(postgres_version), $(java_version)."
  echo "Four servers, two proxies and the driver share the machine. $WAREHOUSES warehouses, $TERMINALS terminals."
  echo "$RATE transactions a minute are asked for through two proxies; a closed loop reached $most before. Afterwards $verified."
  echo
  python3 - "$out" "$WARM_SECONDS" <<'EOF'
import csv, datetime, json, sys
out, warm = sys.argv[1], int(sys.argv[2])
run = json.load(open(f"{out}/run/summary.json"))
start = datetime.datetime.fromisoformat(run["run"]["sessionStart"][:26]).replace(tzinfo=datetime.timezone.utc).timestamp()
end = run["interval"]["seconds"]
cuts = [(warm, "two shards")]
for line in open(f"{out}/moves.txt"):
    at, what = line.rstrip("\n").split(" ", 1)
    cuts.append((float(at) - start, what))
with open(f"{out}/run/data/result.csv") as file:
    rows = sorted((int(r["elapsed"]) / 1000, int(r["latency"]), r["error"] != "0") for r in csv.DictReader(file))
print("| from, s | part | transactions a second | failed | p50, ms | p99, ms | longest, ms | longest time in which none ended, ms |")
print("|---:|---|---:|---:|---:|---:|---:|---:|")
for (begin, what), (until, _) in zip(cuts, cuts[1:] + [(end, "")]):
    part = [row for row in rows if begin <= row[0] < until]
    times = sorted(latency for _, latency, _ in part) or [0]
    ends = [begin] + [at for at, _, _ in part] + [min(until, part[-1][0] if part else until)]
    gap = max(b - a for a, b in zip(ends, ends[1:]))
    print(f"| {begin:.0f} | {what} | {len(part) / (until - begin):.1f} | {sum(bad for _, _, bad in part)} | "
          f"{times[len(times) // 2]} | {times[int(len(times) * 0.99)]} | {times[-1]} | {gap * 1000:.0f} |")
print()
retried = sum(one["retriedTransactions"] for one in run["types"])
failed = sum(one["errors"] for one in run["types"])
print(f"{failed} transactions failed, {retried} were tried again.")
print(f"The driver's verdict: {run['verdict']['sentence']}")
EOF
} >"$out/README.md"
rm -f "$out"/run/data/{result.csv,latency.hlog} "$out/build.log"
keep_results "$result"
cat "$result/README.md"
