#!/usr/bin/env bash
# Dumps two shards as of one moment with pg_dump -j 4, while TPC-C runs through the proxy, restores both
# into one plain server, and verifies TPC-C's conditions there; as often as asked for.
#
#   src/test/bench/dump.sh [times] [result directory]
#
# WAREHOUSES (2), RATE transactions a minute (600) by TERMINALS (10). The directory, results/dump-DATE by
# default, gets README.md, the logs and the driver's result. Fails if a condition does not hold.
#
# Needs ./mvnw -B -DskipTests package and PostgreSQL's programs (PGBIN, default: Debian's).
# PROXY_COMMAND is another command that starts the proxy.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

times=${1:-10}
result=$(realpath -m "${2:-$root/results/dump-$(date +%F)}")
: "${WAREHOUSES:=2}" "${RATE:=600}" "${TERMINALS:=10}"
read -ra proxy_command <<<"${PROXY_COMMAND:-$java -jar $root/proxy/target/proxy.jar}"
needs_built driver/target/driver.jar
declare -A port=([s1]=$(free_port) [s2]=$(free_port) [plain]=$(free_port))
proxy=$(free_port)

sql() { "$PGBIN/psql" -X -q -A -t -h 127.0.0.1 -p "$1" -U bench bench -c "$2"; }
driver() { # arguments; in a subshell
  cd "$work"
  exec "$java" -jar "$root/driver/target/driver.jar" "$@"
}
properties() { # port
  cat <<END
db=postgres
driver=org.postgresql.Driver
conn=jdbc:postgresql://127.0.0.1:$1/bench
user=bench
password=bench
warehouses=$WAREHOUSES
loadWorkers=2
terminals=$TERMINALS
runTxnsPerTerminal=0
runMins=60
openLoopTxnsPerMin=$RATE
limitTxnsPerMin=0
terminalWarehouseFixed=false
newOrderWeight=45
paymentWeight=43
orderStatusWeight=4
deliveryWeight=4
stockLevelWeight=4
retries=5
resultDirectory=$out/run
END
}
dump() { # shard, snapshot, more arguments
  PGOPTIONS="-c shardmark.shard=$1" "$PGBIN/pg_dump" -h 127.0.0.1 -p "$proxy" -U bench \
    --snapshot="$2" -Fd -j 4 -f "$work/dump/$1" "${@:3}" bench
}

restore() { # shard, more arguments
  "$PGBIN/pg_restore" -h 127.0.0.1 -p "${port[plain]}" -U bench -d bench -j 2 "${@:2}" "$work/dump/$1"
}

for shard in s1 s2; do
  start_server "$shard" "${port[$shard]}" max_prepared_transactions=100 max_connections=200 \
    shared_buffers=256MB
done
start_server plain "${port[plain]}" fsync=off shared_buffers=256MB max_wal_size=2GB
cat >"$work/proxy.yaml" <<END
listen: 127.0.0.1:$proxy
auth: trust
cross_shard_isolation: snapshot
shards:
  - {name: s1, host: 127.0.0.1, port: ${port[s1]}, database: bench, user: bench}
  - {name: s2, host: 127.0.0.1, port: ${port[s2]}, database: bench, user: bench}
users:
  - {name: bench, password: bench}
END
"${proxy_command[@]}" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
wait_for "$proxy" proxy
begin_results "$result"
properties "$proxy" >"$work/props"
properties "${port[plain]}" >"$work/props.plain"
(driver build props) >"$out/build.log" 2>&1 || { cat "$out/build.log" >&2; exit 1; }
driver props >"$out/console.log" 2>&1 &
run=$!
processes+=("$run")
until grep -q . "$out/console.log"; do sleep 0.5; done
sleep 5
mapfile -t partitions < <(sql "${port[s2]}" "select '-tpublic.' || relname from pg_class
  where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace")

printf '# Dumps of two shards under TPC-C\n\n`src/test/bench/dump.sh %s`: %s, PostgreSQL %s.\n%s\n\n' "$times" \
  "$(machine)" "$(postgres_version)" "$WAREHOUSES warehouses, $RATE transactions a minute through the proxy." >"$out/README.md"
failures=0
for time in $(seq "$times"); do
  rm -rf "$work/dump"
  mkdir "$work/dump"
  begun=$SECONDS
  coproc exporter { "$PGBIN/psql" -X -q -A -t -h 127.0.0.1 -p "$proxy" -U bench bench; }
  exporter_pid=$!
  echo "begin isolation level repeatable read; select pg_export_snapshot();" >&"${exporter[1]}"
  read -r snapshot <&"${exporter[0]}"
  dump s1 "$snapshot" -N shardmark
  dump s2 "$snapshot" "${partitions[@]}"
  echo 'commit; \q' >&"${exporter[1]}"
  wait "$exporter_pid"
  dumped=$SECONDS
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "${port[plain]}" -U bench postgres \
    -c "drop database if exists bench" -c "create database bench"
  # A partitioned table has its key when all partitions have theirs: foreign keys come last.
  for shard in s1 s2; do
    "$PGBIN/pg_restore" -l "$work/dump/$shard" >"$work/dump/all"
    grep -v 'FK CONSTRAINT' "$work/dump/all" >"$work/dump/$shard.list"
    grep 'FK CONSTRAINT' "$work/dump/all" >"$work/dump/$shard.keys" || true
  done
  for section in pre-data data post-data; do
    for shard in s1 s2; do restore "$shard" --section="$section" -L "$work/dump/$shard.list"; done
  done
  for shard in s1 s2; do restore "$shard" -L "$work/dump/$shard.keys"; done
  verdict="verify passes"
  if ! (driver verify props.plain) >"$out/verify-$time.log" 2>&1; then
    verdict="verify FAILS"
    failures=$((failures + 1))
  fi
  echo "- dump $time: $((dumped - begun)) s, $(du -sm "$work/dump" | cut -f1) MB," \
    "$(sql "${port[plain]}" "select count(*) from bmsql_oorder") orders, $verdict" | tee -a "$out/README.md"
done
kill "$run" # ends the measurement; the figures are kept
wait "$run" || echo "the driver ended with status $?" >>"$out/console.log"
tail -20 "$out/console.log" | grep -i 'tpm' >>"$out/README.md" || true
cp "$work/proxy.log" "$out/"
keep_results "$result"
exit $((failures > 0))
