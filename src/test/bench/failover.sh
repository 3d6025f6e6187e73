#!/usr/bin/env bash
# Kills the primary of a shard, or switches it over, again and again, while clients insert rows through
# the proxy. Counts what was acknowledged and is lost, what failed, and how long nothing was acknowledged.
#
#   src/test/bench/failover.sh [kills] [switchovers] [switchovers in a PAUSE] [result directory]
#   TPCC=2 src/test/bench/failover.sh
#
# With TPCC the driver makes transactions of TPC-C in the same time, on that many warehouses, and verifies
# TPC-C's conditions afterwards. RATE transactions a minute (600) by TERMINALS (10). No event begins after
# SECONDS_MOST (600). The directory, results/failover-DATE by default, gets README.md, a line for each
# event in events.csv and the driver's result.
#
# Needs ./mvnw -B -DskipTests package and PostgreSQL's server programs (PGBIN, default: Debian's).
# PROXY_COMMAND is another command that starts the proxy. The standby is synchronous (remote_apply).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

kills=${1:-20}
switchovers=${2:-20}
paused=${3:-20}
result=$(realpath -m "${4:-$root/results/failover-$(date +%F)}")
: "${TPCC:=0}" "${RATE:=600}" "${TERMINALS:=10}" "${SECONDS_MOST:=600}"
clients=4
read -ra proxy_command <<<"${PROXY_COMMAND:-$java -jar $root/proxy/target/proxy.jar}"
declare -A port=([a]=$(free_port) [b]=$(free_port))
proxy=$(free_port)
settings=(max_prepared_transactions=50 synchronous_commit=remote_apply wal_level=replica
  max_wal_size=512MB wal_keep_size=512MB)

sql() { "$PGBIN/psql" -X -q -A -t -h 127.0.0.1 -p "$1" -U bench -d "$2" -c "$3"; }
now() { date +%s.%N; }

copy() { # standby, primary: makes it anew
  rm -rf "${work:?}/$1"
  as_server "$PGBIN/pg_basebackup" -D "$work/$1" -h 127.0.0.1 -p "${port[$2]}" -U bench -R -c fast
}
rejoin() { # standby, primary: a primary that was stopped follows the one after it
  as_server touch "$work/$1/standby.signal"
  as_server tee -a "$work/$1/postgresql.auto.conf" \
    <<<"primary_conninfo = 'host=127.0.0.1 port=${port[$2]} user=bench'" >/dev/null
}
follow() { # standby, primary: starts it, and waits until the primary waits for it
  # A server that is promoted has no standby yet.
  as_server tee -a "$work/$1/postgresql.auto.conf" <<<"synchronous_standby_names = ''" >/dev/null
  as_server "$PGBIN/pg_ctl" -D "$work/$1" -l "$work/$1.log" -w -o "-p ${port[$1]} \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$work \
    $(printf -- '-c %s ' "${settings[@]}")" start >/dev/null
  sql "${port[$2]}" bench "alter system set synchronous_standby_names = '*'"
  sql "${port[$2]}" bench "select pg_reload_conf()" >/dev/null
  until [ "$(sql "${port[$2]}" bench \
    "select count(*) from pg_stat_replication where sync_state = 'sync'")" = 1 ]; do sleep 0.1; done
}
insert() { # client: as long as the test goes on; one line for each acknowledged row
  local n=0
  {
    echo '\set VERBOSITY sqlstate'
    while [ ! -e "$work/over" ]; do
      n=$((n + 1))
      echo "insert into acknowledged values ($1, $n) returning '$1 $n ' || extract(epoch from clock_timestamp());"
    done
  } | "$PGBIN/psql" -X -q -A -t -h 127.0.0.1 -p "$proxy" -U bench bench \
    >"$work/client-$1.out" 2>"$work/client-$1.err" || echo "client $1 has ended" >>"$work/client-$1.err"
}
failures() { cat "$work"/client-*.err | grep -c ERROR || true; }
event() { # kind: the other host becomes the primary
  local begun promoted failed
  failed=$(failures)
  begun=$(now)
  case $1 in
    kill) kill -9 "$(head -1 "$work/$primary/postmaster.pid")" ;;
    paused)
      sql "$proxy" shardmark PAUSE
      as_server "$PGBIN/pg_ctl" -D "$work/$primary" -m fast -w stop >/dev/null
      ;;
    switchover) as_server "$PGBIN/pg_ctl" -D "$work/$primary" -m fast -w stop >/dev/null ;;
  esac
  as_server "$PGBIN/pg_ctl" -D "$work/$standby" -w promote >/dev/null
  promoted=$(now)
  [ "$1" != paused ] || sql "$proxy" shardmark RESUME
  local before=$standby
  standby=$primary
  primary=$before
  sleep 2
  echo "$1 $begun $promoted $(now) $(($(failures) - failed))" >>"$work/events"
  if [ "$1" = kill ]; then copy "$standby" "$primary"; else rejoin "$standby" "$primary"; fi
  follow "$standby" "$primary"
}
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
warehouses=$TPCC
loadWorkers=2
terminals=$TERMINALS
runTxnsPerTerminal=0
runMins=$((SECONDS_MOST / 60 + 5))
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
tpcc_result() { # of the driver's files; then whether the data is right
  python3 - "$out/run" "$work/events" <<'END'
import csv, datetime, json, sys
run = json.load(open(f"{sys.argv[1]}/summary.json"))
total = lambda key: sum(one[key] for one in run["types"])
print(f"- TPC-C: {total('committed')} committed, {total('errors')} failed, {total('retriedTransactions')} tried again")
start = datetime.datetime.fromisoformat(run["run"]["sessionStart"][:26]).replace(tzinfo=datetime.timezone.utc).timestamp()
events = [line.split() for line in open(sys.argv[2])]
failed = {}
for row in csv.DictReader(open(f"{sys.argv[1]}/data/errors.csv")):
    if row["retried"] == "0":
        at = start + int(row["second"])
        kind = [event[0] for event in events if float(event[1]) <= at + 1]
        key = f"{row['ttype']} {row['disposition']} {row['sqlstate']}, {'after a ' + kind[-1] if kind else 'before any event'}"
        failed[key] = failed.get(key, 0) + int(row["count"])
for key, count in failed.items():
    print(f"- TPC-C, failed: {count} {key}")
END
  echo "- $verified"
}

start_server a "${port[a]}" "${settings[@]}"
servers+=(b)
sql "${port[a]}" bench "create table acknowledged (client int, n int, primary key (client, n))"
primary=a
standby=b
copy b a
follow b a
cat >"$work/proxy.yaml" <<END
listen: 127.0.0.1:$proxy
auth: trust
shards:
  - {name: s1, hosts: [127.0.0.1:${port[a]}, 127.0.0.1:${port[b]}], database: bench, user: bench}
users:
  - {name: bench, password: bench}
admin_users: [bench]
END
"${proxy_command[@]}" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
wait_for "$proxy" proxy
begin_results "$result"
if [ "$TPCC" != 0 ]; then
  properties "${port[a]}" >"$work/props.build"
  properties "$proxy" >"$work/props"
  (driver build props.build) >"$out/build.log" 2>&1 || { cat "$out/build.log" >&2; exit 1; }
  driver props >"$out/console.log" 2>&1 &
  run=$!
  processes+=("$run")
  until grep -q . "$out/console.log"; do sleep 0.5; done
  sleep 5
fi
inserting=()
for client in $(seq $clients); do
  insert "$client" &
  inserting+=("$!")
done
sleep 2
for kind in kill:"$kills" switchover:"$switchovers" paused:"$paused"; do
  for _ in $(seq "${kind#*:}"); do
    [ "$SECONDS" -ge "$SECONDS_MOST" ] || event "${kind%:*}"
  done
done
touch "$work/over"
wait "${inserting[@]}"
verified=
if [ "$TPCC" != 0 ]; then
  kill "$run" # ends the measurement; the figures are kept
  wait "$run" || echo "the driver ended with status $?" >>"$out/console.log"
  verified="verify passes"
  properties "${port[$primary]}" >"$work/props.verify"
  (driver verify props.verify) >"$out/verify.log" 2>&1 || verified="verify FAILS"
fi

sort -k3,3 "$work"/client-*.out >"$work/acknowledged"
sql "${port[$primary]}" bench "select client || ' ' || n from acknowledged" | sort >"$work/found"
{
  echo "# A shard's primary, killed and switched over"
  echo
  echo "\`${TPCC:+TPCC=$TPCC }src/test/bench/failover.sh $kills $switchovers $paused\`: $(machine), PostgreSQL $(postgres_version), $(java_version)."
  echo "$clients clients insert one row after the other through the proxy. The standby is synchronous (remote_apply)."
  echo "A switchover stops the primary and promotes the standby; *paused* does so between PAUSE and RESUME."
  echo
  echo "| event | times | statements failed | no acknowledgement, mean s | longest s | of it after the promotion, mean s | longest s |"
  echo "|---|---:|---:|---:|---:|---:|---:|"
  # The longest time without an acknowledgement around each event, and how much of it after the promotion.
  awk 'FNR == NR { t[++n] = $3; next }
    { gap = 0; after = 0
      for (i = 2; i <= n; i++) if (t[i] > $2 && t[i - 1] < $4 && t[i] - t[i - 1] > gap) {
        gap = t[i] - t[i - 1]; after = t[i] - $3 }
      count[$1]++; sum[$1] += gap; rest[$1] += after; failed[$1] += $5
      if (gap > most[$1]) most[$1] = gap; if (after > longest[$1]) longest[$1] = after }
    END { for (kind in count)
      printf "| %s | %d | %d | %.2f | %.2f | %.2f | %.2f |\n", kind, count[kind], failed[kind],
        sum[kind] / count[kind], most[kind], rest[kind] / count[kind], longest[kind] }' \
    "$work/acknowledged" "$work/events"
  echo
  echo "- acknowledged: $(wc -l <"$work/acknowledged")"
  echo "- acknowledged and lost: $(cut -d' ' -f1,2 "$work/acknowledged" | sort | comm -23 - "$work/found" | wc -l)"
  echo "- clients whose connection was lost: $(cat "$work"/client-*.err | grep -c 'has ended' || true)"
  echo "- failed, by SQLSTATE: $(sed -n 's/.*ERROR:  //p' "$work"/client-*.err | sort | uniq -c | xargs)"
  [ "$TPCC" = 0 ] || tpcc_result
} >"$out/README.md"
{ echo "kind,begun,promoted,end,failed"; tr ' ' , <"$work/events"; } >"$out/events.csv"
cp "$work/proxy.log" "$out/"
keep_results "$result"
cat "$result/README.md"
