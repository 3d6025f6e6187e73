#!/usr/bin/env bash
# Measures what the proxy costs, beside PgBouncer and a direct connection, in turns on private servers:
# processor time for each transaction, throughput, latency of a lone client, memory of idle clients,
# logins, TPC-C by the driver, transactions over two shards by the share of them that cross.
#
#   src/test/bench/proxy-benchmark.sh [seconds] [rounds] [result directory]
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs and pgbench (PGBIN, default:
# Debian's), pgbouncer and jq. JAVA_HOME chooses the JDK, PROXY_FLAGS the proxy's JVM flags, TRANSPORT its
# transport (auto, io_uring, epoll, nio). Before its runs each load goes on until the proxy's JIT
# compilers are through with it: some minutes in all. WARM_UP=n loads for n seconds instead.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

seconds=${1:-8}
rounds=${2:-3}
warm_up=${WARM_UP:-}
results=${3:-$root/results/proxy-$(date +%F)}
proxy_flags=${PROXY_FLAGS:--XX:+UseSerialGC -XX:+UseTransparentHugePages -Xmn32m -Xmx256m}
transport=${TRANSPORT:-auto}
classes=$root/src/test/target/test-classes
driver_jar=$root/driver/target/driver.jar
needs_built proxy/target/proxy.jar driver/target/driver.jar src/test/target/test-classes/io/shardmark/bench/ClientSwarm.class
needs_programs pgbouncer jq
ulimit -n "$(ulimit -Hn)"
begin_results "$results"

settings=(max_connections=200 max_prepared_transactions=200 shared_buffers=512MB max_wal_size=4GB checkpoint_timeout=30min)
port_a=$(free_port)
port_b=$(free_port)
start_server a "$port_a" "${settings[@]}"
start_server b "$port_b" "${settings[@]}"

pgbouncer_config() { # file, port, mode
  cat >"$work/$1" <<END
[databases]
bench = host=127.0.0.1 port=$port_a dbname=bench user=bench
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $2
unix_socket_dir =
auth_type = any
pool_mode = $3
default_pool_size = 20
max_client_conn = 20000
ignore_startup_parameters = extra_float_digits
logfile = $work/$1.log
pidfile = $work/$1.pid
END
}
start_pgbouncer() { # file, port, mode; sets pid
  pgbouncer_config "$1" "$2" "$3"
  as_server pgbouncer -q -d "$work/$1"
  wait_for "$2" "$1"
  pid=$(cat "$work/$1.pid")
  processes+=("$pid")
}
start_proxy() { # file, port, the shards' lines; sets pid
  {
    echo "listen: 127.0.0.1:$2"
    echo "auth: trust"
    echo "event_loops: 1"
    echo "transport: $transport"
    echo "busy_poll: ${busy_poll:-0}"
    echo "pool_size: 20"
    echo "max_clients: 20000"
    echo "shards:"
    printf '%s\n' "${@:3}"
    echo "users:"
    echo "  - {name: bench, password: bench}"
  } >"$work/$1"
  # shellcheck disable=SC2086 # the flags are words
  "$java" $proxy_flags -jar "$root/proxy/target/proxy.jar" "$work/$1" >"$work/$1.log" 2>&1 &
  pid=$!
  processes+=("$pid")
  wait_for "$2" "$1"
}
shard_a="  - {name: s1, host: 127.0.0.1, port: $port_a, database: bench, user: bench}"
shard_b="  - {name: s2, host: 127.0.0.1, port: $port_b, database: bench, user: bench}"

# --- one shard ---
"$PGBIN/pgbench" -i -q -s 10 -h 127.0.0.1 -p "$port_a" -U bench bench >/dev/null 2>&1
bouncer_session=$(free_port)
start_pgbouncer session.ini "$bouncer_session" session
bouncer_session_pid=$pid
bouncer_transaction=$(free_port)
start_pgbouncer transaction.ini "$bouncer_transaction" transaction
bouncer_transaction_pid=$pid
one=$(free_port)
start_proxy one.yaml "$one" "$shard_a"
one_pid=$pid

polling=$(free_port)
busy_poll=50us start_proxy polling.yaml "$polling" "$shard_a"
polling_pid=$pid

# One pgbench run: prints tps, latency in us, processor time of the process in us for each transaction.
bench() { # test, name, port, pid or -, pgbench arguments
  local test=$1 name=$2 port=$3 process=$4 before=0 after=0 out
  shift 4
  [ "$process" = - ] || before=$(cpu_micros "$process")
  out=$("$PGBIN/pgbench" -n -T "$seconds" -h 127.0.0.1 -p "$port" -U bench "$@" bench 2>"$work/pgbench.err") || {
    cat "$work/pgbench.err" >&2
    exit 1
  }
  [ "$process" = - ] || after=$(cpu_micros "$process")
  awk -v test="$test" -v name="$name" -v cpu="$((after - before))" '
    /transactions actually processed/ { sub("/.*", "", $6); n = $6 }
    /number of failed transactions/ { failed = $5 }
    /latency average/ { latency = $4 * 1000 }
    /^tps/ { tps = $3 }
    END { printf "%s\t%s\t%.0f\t%.1f\t%.2f\t%d\n", test, name, tps, latency, cpu / n, failed }' <<<"$out" | tee -a "$work/rows"
}
echo "test	through	tps	latency-us	cpu-us/tx	failed"
# A steady state is measured: a load runs in slices until in two of them hardly any of the proxy's
# processor time was that of other threads than its loop, so its JIT compilers are done. Two minutes at
# most.
loop_micros() { # process; user and system time of its loop
  cat /proc/"$1"/task/*/stat 2>/dev/null | grep -F '(shardmark-loop' |
    sed 's/.*) //' | awk -v hz="$hz" '{ s += $12 + $13 } END { printf "%d", s * 1000000 / hz }'
}
slice=5
until_steady() { # process, command that loads it for a slice
  local process=$1 before loop total quiet=0
  shift
  for _ in $(seq $((120 / slice))); do
    before=$(cpu_micros "$process") loop=$(loop_micros "$process")
    "$@" >/dev/null 2>&1
    [ -z "$warm_up" ] || return 0
    total=$(($(cpu_micros "$process") - before)) loop=$(($(loop_micros "$process") - loop))
    quiet=$((100 * (total - loop) > 5 * total ? 0 : quiet + 1))
    [ "$quiet" -lt 2 ] || return 0
  done
}
warm_up() { # port, process, pgbench arguments
  local port=$1 process=$2
  shift 2
  until_steady "$process" "$PGBIN/pgbench" -n -c 16 -T "${warm_up:-$slice}" -h 127.0.0.1 -p "$port" -U bench "$@" bench
}
for load in "-S -M prepared" "-S -M simple" "-M prepared"; do
  # shellcheck disable=SC2086 # the arguments are words
  warm_up "$one" "$one_pid" $load
done
warm_up "$polling" "$polling_pid" -S -M prepared
for _ in $(seq "$rounds"); do
  for what in "select-prepared:-S -M prepared -c 16" "select-prepared-1:-S -M prepared -c 1" "tpcb-prepared:-M prepared -c 16"; do
    # shellcheck disable=SC2086 # the arguments are words
    {
      bench "${what%%:*}" direct "$port_a" - ${what#*:}
      bench "${what%%:*}" pgbouncer "$bouncer_session" "$bouncer_session_pid" ${what#*:}
      bench "${what%%:*}" proxy "$one" "$one_pid" ${what#*:}
    }
  done
  bench select-prepared-1 proxy-busy-poll "$polling" "$polling_pid" -S -M prepared -c 1
  bench select-simple direct "$port_a" - -S -M simple -c 16
  bench select-simple pgbouncer "$bouncer_transaction" "$bouncer_transaction_pid" -S -M simple -c 16
  bench select-simple proxy "$one" "$one_pid" -S -M simple -c 16
done

# --- TPC-C, over one shard and over two of which each has half the warehouses ---
for port in "$port_a" "$port_b"; do
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "$port" -U bench -c "create database spread" postgres
done
spread=$(free_port)
start_proxy spread.yaml "$spread" "${shard_a/database: bench/database: spread}" "${shard_b/database: bench/database: spread}"
spread_pid=$pid
properties() { # port, profile, seconds, [database]
  printf '%s\n' db=postgres driver=org.postgresql.Driver "conn=jdbc:postgresql://127.0.0.1:$1/${4:-bench}" user=bench \
    password=bench warehouses=4 loadWorkers=2 terminals=8 limitTxnsPerMin=0 terminalWarehouseFixed=true \
    newOrderWeight=45 paymentWeight=43 orderStatusWeight=4 deliveryWeight=4 stockLevelWeight=4 seed=20261122 \
    "statementProfile=$2" "runMins=$(awk -v s="$3" 'BEGIN { printf "%.4f", s / 60 }')" \
    "resultDirectory=$work/tpcc" >"$work/tpcc.properties"
}
drive() { # verb
  rm -rf "$work/tpcc"
  "$java" -XX:+UseSerialGC -Xmn64m -Xss512k -jar "$driver_jar" "$1" "$work/tpcc.properties" >"$work/drive.log" 2>&1 || {
    tail -n 20 "$work/drive.log" >&2
    exit 1
  }
}
tpcc() { # profile, name, port, process, [database]
  local before after
  properties "$3" "$1" "$seconds" "${5:-bench}"
  before=$(cpu_micros "$4")
  drive run
  after=$(cpu_micros "$4")
  jq -r --arg test "tpcc-$1" --arg name "$2" --argjson cpu "$((after - before))" '
    (.rates.transactionCount + .interval.transactionsOutside) as $all
    | [$test, $name, (.rates.transactionCount / .interval.seconds | floor),
       ((.types[] | select(.name == "NEW_ORDER")).latencyMillis.all.due.p50 * 1000),
       ($cpu / $all * 100 | floor / 100), ([.types[].errors] | add)] | @tsv' "$work/tpcc/summary.json" | tee -a "$work/rows"
}
properties "$port_a" benchmarksql "$seconds"
drive build
properties "$spread" benchmarksql "$seconds" spread
drive build
for profile in benchmarksql batched; do
  properties "$one" "$profile" "${warm_up:-$slice}"
  until_steady "$one_pid" drive run
  properties "$spread" "$profile" "${warm_up:-$slice}" spread
  until_steady "$spread_pid" drive run
  for _ in $(seq "$rounds"); do
    tpcc "$profile" pgbouncer "$bouncer_session" "$bouncer_session_pid"
    tpcc "$profile" proxy "$one" "$one_pid"
    tpcc "$profile" proxy-two-shards "$spread" "$spread_pid" spread
  done
done
properties "$port_a" benchmarksql "$seconds"
drive destroy

# --- idle clients, on a fresh proxy ---
rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
idle() { # name, port, pid, clients
  local before after
  before=$(rss_kb "$3")
  mkfifo "$work/hold.$1"
  "$java" -Xmx512m -cp "$classes" io.shardmark.bench.ClientSwarm "$2" "$4" bench bench <"$work/hold.$1" >"$work/swarm.$1" &
  local swarm=$!
  exec 9>"$work/hold.$1"
  until [ -s "$work/swarm.$1" ] || ! kill -0 "$swarm" 2>/dev/null; do sleep 0.2; done
  [ -s "$work/swarm.$1" ] || { echo "the clients could not log in to $1" >&2; exit 1; }
  after=$(rss_kb "$3")
  printf 'idle-%s\t%s\t%s\t%s\t%s\t%s\n' "$4" "$1" "$(sed 's/.*: //; s/ .*//' "$work/swarm.$1")" \
    "$before" "$after" "$(awk -v a="$after" -v b="$before" -v n="$4" 'BEGIN { printf "%.2f", (a - b) / n }')" | tee -a "$work/idle"
}
release() { exec 9>&-; wait -n 2>/dev/null || true; rm -f "$work/hold.$1"; }
echo "clients	through	logins/s	rss-kb-before	rss-kb-after	kb/client"
swarm_port=$(free_port)
start_proxy swarm.yaml "$swarm_port" "$shard_a"
swarm_pid=$pid
warm_up "$swarm_port" "$swarm_pid" -S -M prepared -c 200 -j 2
idle pgbouncer "$bouncer_transaction" "$bouncer_transaction_pid" 10000
release pgbouncer
idle proxy "$swarm_port" "$swarm_pid" 10000
release proxy
bench busy-200 "proxy, 200 clients alone" "$swarm_port" "$swarm_pid" -S -M prepared -c 200 -j 2
idle proxy-more "$swarm_port" "$swarm_pid" 14800
bench busy-200 "proxy, 14,800 idle beside" "$swarm_port" "$swarm_pid" -S -M prepared -c 200 -j 2
release proxy-more

# --- two shards ---
two=$(free_port)
start_proxy two.yaml "$two" "$shard_a" "$shard_b"
two_pid=$pid
psql_two() { "$PGBIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$two" -U bench "$@" bench; }
psql_two <<'END'
drop table if exists pgbench_accounts, pgbench_branches, pgbench_tellers, pgbench_history;
create table pgbench_accounts (aid int not null, bid int, abalance int, filler char(84)) partition by hash (aid);
create table pgbench_accounts_0 partition of pgbench_accounts for values with (modulus 2, remainder 0) with (shard = 1);
create table pgbench_accounts_1 partition of pgbench_accounts for values with (modulus 2, remainder 1) with (shard = 2);
create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84)) partition by hash (tid);
create table pgbench_tellers_0 partition of pgbench_tellers for values with (modulus 2, remainder 0) with (shard = 1);
create table pgbench_tellers_1 partition of pgbench_tellers for values with (modulus 2, remainder 1) with (shard = 2);
create table pgbench_branches (bid int not null, bbalance int, filler char(88)) partition by hash (bid);
create table pgbench_branches_0 partition of pgbench_branches for values with (modulus 2, remainder 0) with (shard = 1);
create table pgbench_branches_1 partition of pgbench_branches for values with (modulus 2, remainder 1) with (shard = 2);
create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22)) partition by hash (tid);
create table pgbench_history_0 partition of pgbench_history for values with (modulus 2, remainder 0) with (shard = 1);
create table pgbench_history_1 partition of pgbench_history for values with (modulus 2, remainder 1) with (shard = 2);
create table pair (id int not null, v int) partition by range (id);
create table pair_low partition of pair for values from (1) to (50001) with (shard = 1);
create table pair_high partition of pair for values from (50001) to (100001) with (shard = 2);
END
"$PGBIN/pgbench" -i -q -I gvp --partitions=2 -s 10 -h 127.0.0.1 -p "$two" -U bench bench >"$work/init.log" 2>&1 || { cat "$work/init.log" >&2; exit 1; }
seq 100000 | sed 's/$/\t0/' | psql_two -c "copy pair (id, v) from stdin"
psql_two -c "alter table pair add primary key (id)"
cat >"$work/pair.sql" <<'END'
\set low random(1, 50000)
\set second random(1, 50000)
\set dice random(1, 100)
\if :dice <= :crossing
\set second :second + 50000
\endif
BEGIN;
UPDATE pair SET v = v + 1 WHERE id = :low;
UPDATE pair SET v = v - 1 WHERE id = :second;
COMMIT;
END
echo "test	through	tps	latency-us	cpu-us/tx	failed"
for load in "-S -M simple" "-S -M prepared" "-M simple" "-M prepared"; do
  # shellcheck disable=SC2086 # the arguments are words
  warm_up "$two" "$two_pid" $load
done
for _ in $(seq "$rounds"); do
  bench "two-shards-select-simple" proxy "$two" "$two_pid" -S -M simple -c 16
  bench "two-shards-select-prepared" proxy "$two" "$two_pid" -S -M prepared -c 16
  bench "two-shards-tpcb-simple" proxy "$two" "$two_pid" -M simple -c 16
  bench "two-shards-tpcb-prepared" proxy "$two" "$two_pid" -M prepared -c 16
done
for share in 0 10 25 50 75 100; do
  bench "crossing-$share" proxy "$two" "$two_pid" -M prepared -c 4 -D "crossing=$share" -f "$work/pair.sql"
done
sum=$(psql_two -Atc "select sum(v) from pair")
[ "$sum" = 0 ] || { echo "the pairs do not balance: $sum" >&2; exit 1; }
balance=$(psql_two -Atc "select sum(abalance) from pgbench_accounts" -c "select sum(tbalance) from pgbench_tellers" \
  -c "select sum(bbalance) from pgbench_branches" -c "select sum(delta) from pgbench_history" | sort -u | wc -l)
[ "$balance" = 1 ] || { echo "the four tables of pgbench do not agree" >&2; exit 1; }
for port in "$port_a" "$port_b"; do
  left=$("$PGBIN/psql" -X -Atc "select count(*) from pg_prepared_xacts" -h 127.0.0.1 -p "$port" -U bench bench)
  [ "$left" = 0 ] || { echo "$left prepared transactions are left" >&2; exit 1; }
done
printf 'rss\tproxy one shard\t%s\n' "$(rss_kb "$one_pid")" >>"$work/rss"
printf 'rss\tproxy two shards\t%s\n' "$(rss_kb "$two_pid")" >>"$work/rss"

medians() { # of a test and a name: tps, latency, cpu
  awk -F'\t' -v t="$1" -v n="$2" -v c="$3" '$1 == t && $2 == n { print $c }' "$work/rows" | sort -n |
    awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
{
  echo "# What the proxy costs"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version), $(pgbouncer --version | head -1), $(java_version);"
  echo "clients, proxies and servers on the same processors; $seconds s a run after each load had ${warm_up:+$warm_up s }to warm up, median of $rounds rounds in turns; one event loop, transport $transport, JVM flags \`$proxy_flags\`."
  echo
  echo "Repeat: \`${warm_up:+WARM_UP=$warm_up }src/test/bench/proxy-benchmark.sh $seconds $rounds\`"
  echo
  echo "Processor time is user and system time of the proxy's process, divided by the transactions of the run."
  echo "proxy-busy-poll is a proxy with \`busy_poll: 50us\`: its loop looks for work that long before it sleeps."
  echo "PgBouncer pools sessions for prepared statements, transactions for simple ones (1.18 keeps no prepared statements)."
  echo
  echo "| load | through | tps | latency us | CPU us/tx | CPU against PgBouncer | tps against PgBouncer |"
  echo "|---|---|---|---|---|---|---|"
  for test in select-prepared select-prepared-1 select-simple tpcb-prepared tpcc-benchmarksql tpcc-batched; do
    for name in direct pgbouncer proxy proxy-busy-poll proxy-two-shards; do
      cut -f1,2 "$work/rows" | grep -qx "$test	$name" || continue
      printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$test" "$name" "$(medians $test $name 3)" "$(medians $test $name 4)" "$(medians $test $name 5)" \
        "$(awk -v a="$(medians $test $name 5)" -v b="$(medians $test pgbouncer 5)" 'BEGIN { printf "%.2f", a / b }')" \
        "$(awk -v a="$(medians $test $name 3)" -v b="$(medians $test pgbouncer 3)" 'BEGIN { printf "%.2f", a / b }')"
    done
  done
  echo
  echo "TPC-C: 4 warehouses, 8 terminals without keying or think times, the driver's profiles; latency is the median of New-Order."
  for profile in benchmarksql batched; do
    printf 'Over two shards the proxy takes %s of its own processor time over one (%s).\n' \
      "$(awk -v a="$(medians tpcc-$profile proxy-two-shards 5)" -v b="$(medians tpcc-$profile proxy 5)" 'BEGIN { printf "%.2f", a / b }')" "$profile"
  done
  echo
  echo "| two shards | tps | latency us | CPU us/tx | failed |"
  echo "|---|---|---|---|---|"
  for test in two-shards-select-simple two-shards-select-prepared two-shards-tpcb-simple two-shards-tpcb-prepared; do
    printf '| %s | %s | %s | %s | %s |\n' "$test" "$(medians $test proxy 3)" "$(medians $test proxy 4)" "$(medians $test proxy 5)" "$(medians $test proxy 6)"
  done
  awk -F'\t' '/^crossing/ { printf "| pair of updates, %s %% over both shards, 4 clients | %s | %s | %s | %s |\n", substr($1, 10), $3, $4, $5, $6 }' "$work/rows"
  echo
  echo "| clients | through | logins/s | RSS MB before | RSS MB with them | KB a client |"
  echo "|---|---|---|---|---|---|"
  awk -F'\t' '{ printf "| %s | %s | %s | %.0f | %.0f | %s |\n", $1, $2, $3, $4 / 1024, $5 / 1024, $6 }' "$work/idle"
  echo
  awk -F'\t' '$1 == "busy-200" { printf "%s: %s tps, %s us of the proxy'"'"'s processor time a transaction.\n\n", $2, $3, $5 }' "$work/rows"
  awk -F'\t' '{ printf "RSS of the %s after all runs: %.0f MB.\n\n", $2, $3 / 1024 }' "$work/rss"
} >"$out/README.md"
{
  echo "test,through,tps,latency_us,cpu_us_per_tx,failed"
  tr '\t' ',' <"$work/rows" | sed 's/proxy, 200/proxy 200/; s/proxy, 14,800/proxy 14800/'
} >"$out/runs.csv"
keep_results "$results"
cat "$results/README.md"
