#!/usr/bin/env bash
# Two shards become three, then four, under open-loop TPC-C through two proxies: SECONDS_EACH before the first
# growth, SECONDS_EACH after the first, and to the end of RUN_MINS (SECONDS_EACH three times, and four minutes for
# the moves). Keeps the driver's result, the times of the moves and the longest pauses in results/growth-DATE.
# With the defaults it takes less than twelve minutes.
#
#   RATE=600 WAREHOUSES=8 SECONDS_EACH=90 src/test/bench/growth.sh
#
# Needs driver.jar and proxy.jar (./mvnw -DskipTests package) and PostgreSQL's programs in PGBIN. The servers, all
# on this machine, end with the script. The proxies begin with two shards; none is restarted.
set -euo pipefail
cd "$(dirname "$0")/../../.."
: "${PGBIN:=/usr/lib/postgresql/15/bin}" "${RATE:=600}" "${WAREHOUSES:=8}" "${SECONDS_EACH:=90}" "${TERMINALS:=20}"
: "${DRIVER:=driver/target/driver.jar}" "${PROXY:=proxy/target/proxy.jar}"
out=${OUT:-results/growth-$(date +%F)}
mkdir -p "$out"
work=$(mktemp -d)
chmod 755 "$work"
pids=()
as() { if [ "$(id -u)" = 0 ]; then chown -R postgres "$work"; su postgres -c "$*"; else bash -c "$*"; fi; }
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for n in 1 2 3 4; do as "$PGBIN/pg_ctl -D $work/s$n -m immediate stop" >/dev/null 2>&1 || true; done
  rm -rf "$work"
}
trap stop EXIT
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

shards=()
for n in 1 2 3 4; do
  port=$(free)
  as "$PGBIN/initdb -D $work/s$n -U bench -A trust" >/dev/null
  cat >>"$work/s$n/postgresql.conf" <<CONF
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$work'
wal_level = logical
max_prepared_transactions = 100
shared_buffers = 256MB
max_wal_size = 4GB
CONF
  as "$PGBIN/pg_ctl -D $work/s$n -l $work/s$n.log -w start" >/dev/null
  "$PGBIN/createdb" -h 127.0.0.1 -p "$port" -U bench bench
  shards+=("  - {name: s$n, port: $port, database: bench}")
done

ports=()
configure() { # COUNT: the files of the proxies have so many shards
  for n in 1 2; do
    cat >"$work/proxy$n.yaml" <<CONF
listen: 127.0.0.1:${ports[n - 1]}
auth: trust
admin_users: [bench]
shards:
$(printf '%s\n' "${shards[@]:0:$1}")
users:
  - {name: bench, password: bench}
CONF
  done
}
ports=("$(free)" "$(free)")
configure 2
for n in 1 2; do
  java -XX:+UseSerialGC -jar "$PROXY" "$work/proxy$n.yaml" >"$out/proxy$n.log" 2>&1 &
  pids+=($!)
done
for n in 1 2; do
  until grep -q listening "$out/proxy$n.log"; do sleep 0.2; done
done
admin() { "$PGBIN/psql" -X -h 127.0.0.1 -p "${2:-${ports[0]}}" -U bench shardmark -At -c "$1"; }
moved() { ! admin "SHOW MOVES" | cut -d'|' -f5 | grep -qvE '^(done|undone)$'; }

cat >"$work/props" <<CONF
db=postgres
driver=org.postgresql.Driver
conn=jdbc:postgresql://127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/bench?loadBalanceHosts=true
user=bench
password=bench
warehouses=$WAREHOUSES
loadWorkers=2
terminals=$TERMINALS
runTxnsPerTerminal=0
runMins=${RUN_MINS:-$(((3 * SECONDS_EACH + 299) / 60))}
openLoopTxnsPerMin=$RATE
limitTxnsPerMin=0
terminalWarehouseFixed=false
newOrderWeight=45
paymentWeight=43
orderStatusWeight=4
deliveryWeight=4
stockLevelWeight=4
retries=5
console=plain
resultDirectory=$PWD/$out/run
CONF
# The tables' partitions on the first two shards: a copy of the scripts, of which one places them by hand.
cp -r sql/sql.common sql/sql.postgres sql/sql.sharded "$work/"
for table in $(grep -oE '^create table bmsql_[a-z_]+' sql/sql.sharded/tableCreates.sql | cut -d' ' -f3); do
  case $table in bmsql_config | bmsql_item) continue ;; esac
  for r in $(seq 0 15); do
    echo "create table ${table}_$r partition of $table for values with (modulus 16, remainder $r) with (shard = $((r % 2 + 1)));"
  done
done >>"$work/sql.sharded/tableCreates.sql"
driver=$PWD/$DRIVER
(cd "$work" && java -jar "$driver" build props) >"$out/build.log" 2>&1

(cd "$work" && java -jar "$driver" props) >"$out/console.log" 2>&1 &
run=$!
pids+=("$run")
: >"$out/moves.txt"
grow() { # SHARD COUNT: COUNT partitions of the shards that have most go to SHARD
  for ((i = 0; i < $2; i++)); do
    row=$(admin "SHOW SHARD MAP" | grep "bmsql_warehouse|" | awk -F'|' -v to="$1" '
      { n[$9]++; last[$9] = $6 } END { for (s in n) if (s != to && n[s] > most) { most = n[s]; r = last[s] } print r }')
    admin "MOVE PARTITION bmsql_warehouse_$row TO $1" 2>>"$out/moves.txt" >/dev/null
    until moved; do sleep 0.5; done
  done
}
add() { # SHARD: has it count on both proxies
  configure "${1#s}"
  for port in "${ports[@]}"; do admin RELOAD "$port" >/dev/null; done
  until admin "ADD SHARD $1" 2>>"$out/moves.txt" >/dev/null; do sleep 1; done
  for port in "${ports[@]}"; do
    until admin "SHOW SHARDS" "$port" | grep -q "|$1|.*|up|"; do sleep 0.1; done
  done
}
sleep "$SECONDS_EACH"
for shard in s3 s4; do
  echo "$(date +%T) $shard begins" >>"$out/moves.txt"
  add "$shard"
  echo "$(date +%T) $shard counts" >>"$out/moves.txt"
  grow "$shard" $([ "$shard" = s3 ] && echo 5 || echo 4)
  echo "$(date +%T) $shard has its share" >>"$out/moves.txt"
  [ "$shard" = s4 ] || sleep "$SECONDS_EACH"
done
wait "$run" || echo "the driver ended with status $?" >>"$out/moves.txt"
admin "SHOW MOVES" >>"$out/moves.txt"
sort -t, -k2n "$out/run/data/result.csv" | awk -F, '
  $2 + 0 > 0 { gap = $2 - last > gap ? $2 - last : gap; last = $2; most = $4 > most ? $4 : most }
  END { printf "longest transaction %d ms, longest time in which none ended %d ms\n", most, gap }' >>"$out/moves.txt"
(cd "$work" && java -jar "$driver" verify props) >"$out/verify.log" 2>&1 && echo "verify passes" || echo "verify FAILS"
cat "$out/moves.txt"
