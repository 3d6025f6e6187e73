#!/usr/bin/env bash
# Measures what the proxy costs, in turns with PgBouncer, with a forwarder of some lines that understands
# nothing (the floor) and with a direct connection, on private servers: processor time for each transaction,
# throughput, latency of a lone client, TPC-C by the driver over one shard and two, the JIT compilers and the
# transactions of the first 45 s after a start, memory of idle clients, logins.
#
#   [PARTS="pgbench tpcc start idle crossing"] src/test/bench/proxy-speed.sh [seconds] [rounds] [result directory]
#
# The default measures all parts but crossing (transactions over two shards by the share of them that cross),
# with 4 s a run and 3 rounds in at most 20 minutes.
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs and pgbench (PGBIN, default: Debian's),
# pgbouncer, jq, and cc or socat. JAVA_HOME chooses the JDK, JAVA_OPTS further JVM flags of the proxy, TRANSPORT
# its transport (auto, io_uring, epoll, nio). Before its runs each load goes on until the proxy's JIT compilers
# are through with it, or for WARM_UP seconds (45).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

seconds=${1:-4}
rounds=${2:-3}
results=${3:-$root/results/proxy-$(date +%F)}
parts=" ${PARTS:-pgbench tpcc start idle} "
transport=${TRANSPORT:-auto}
classes=$root/src/test/target/test-classes
driver_jar=$root/driver/target/driver.jar
proxy_jar=$root/proxy/target/proxy.jar
started=$SECONDS
needs_built proxy/target/proxy.jar driver/target/driver.jar src/test/target/test-classes/io/shardmark/bench/ClientSwarm.class
needs_programs pgbouncer jq
ulimit -n "$(ulimit -Hn)"
begin_results "$results"
export SHARDMARK_CACHE=$work/cache
: >"$work/rows"
: >"$work/idle"
: >"$work/starts"
measures() { [[ $parts == *" $1 "* ]]; }

settings=(max_connections=200 max_prepared_transactions=200 shared_buffers=512MB max_wal_size=4GB checkpoint_timeout=30min)
port_a=$(free_port)
port_b=$(free_port)
start_server a "$port_a" "${settings[@]}"
start_server b "$port_b" "${settings[@]}"

start_proxy() { # file, port, the shards' lines; sets pid. PLAIN: as java -jar, else as bin/proxy
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
  local command=("$root/driver/bin/proxy")
  [ -z "${PLAIN:-}" ] || command=("$java" -jar "$proxy_jar")
  "${command[@]}" "$work/$1" >"$work/$1.log" 2>&1 &
  pid=$!
  processes+=("$pid")
  wait_for "$2" "$1"
}
shard_a="  - {name: s1, host: 127.0.0.1, port: $port_a, database: bench, user: bench}"
shard_b="  - {name: s2, host: 127.0.0.1, port: $port_b, database: bench, user: bench}"
# The proxy's classes are in its archive from here on, as after the first start of a release.
port=$(free_port)
start_proxy first.yaml "$port" "$shard_a"
"$PGBIN/psql" -X -q -h 127.0.0.1 -p "$port" -U bench -c "select 1" bench >/dev/null
kill "$pid"
wait "$pid" || true

# --- the floor ---
floor=$(free_port)
if command -v cc >/dev/null; then
  floor_is="a forwarder over epoll in C, $(cc --version | head -1)"
  cc -O2 -o "$work/floor" -x c - <<'END'
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>
static int peer[65536];
static struct sockaddr_in at(char *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return a;
}
int main(int argc, char **argv) {
  static char bytes[65536];
  int one = 1, queue = epoll_create1(0), door = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in here = at(argv[1]), there = at(argv[2]);
  struct epoll_event events[64], event = {.events = EPOLLIN, .data.fd = door};
  if (argc != 3 || bind(door, (void *)&here, sizeof here) || listen(door, 512) || epoll_ctl(queue, EPOLL_CTL_ADD, door, &event)) return 1;
  for (;;) {
    int count = epoll_wait(queue, events, 64, -1);
    for (int i = 0; i < count; i++) {
      int from = events[i].data.fd;
      if (from == door) {
        int ends[2] = {accept(door, 0, 0), socket(AF_INET, SOCK_STREAM, 0)};
        if (connect(ends[1], (void *)&there, sizeof there)) return 2;
        for (int end = 0; end < 2; end++) {
          event.data.fd = ends[end];
          peer[ends[end]] = ends[1 - end];
          setsockopt(ends[end], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
          epoll_ctl(queue, EPOLL_CTL_ADD, ends[end], &event);
        }
        continue;
      }
      ssize_t got = peer[from] ? read(from, bytes, sizeof bytes) : 0, sent = 0, now = 0;
      while (sent < got && (now = write(peer[from], bytes + sent, got - sent)) > 0) sent += now;
      if (peer[from] && sent < (got > 0 ? got : 1)) {
        int to = peer[from];
        peer[from] = peer[to] = 0;
        close(from);
        close(to);
      }
    }
  }
}
END
  "$work/floor" "$floor" "$port_a" &
else
  needs_programs socat
  floor_is="socat, a process for each connection"
  socat "TCP-LISTEN:$floor,bind=127.0.0.1,reuseaddr,fork,nodelay" "TCP:127.0.0.1:$port_a,nodelay" 2>"$work/floor.log" &
fi
floor_pid=$!
processes+=("$floor_pid")
wait_for "$floor" floor

# --- one shard ---
"$PGBIN/pgbench" -i -q -s 10 -h 127.0.0.1 -p "$port_a" -U bench bench >/dev/null 2>&1
bouncer_session=$(free_port)
start_pgbouncer session.ini "$bouncer_session" session "$port_a"
bouncer_session_pid=$pid
bouncer_transaction=$(free_port)
start_pgbouncer transaction.ini "$bouncer_transaction" transaction "$port_a"
bouncer_transaction_pid=$pid
one=$(free_port)
start_proxy one.yaml "$one" "$shard_a"
one_pid=$pid

# Test, name, transactions a second, latency in us, user and all processor time in us for each transaction, failed.
row() { printf '%s\t%s\t%.0f\t%.1f\t%.2f\t%.2f\t%d\n' "$@" | tee -a "$work/rows"; }
each() { awk -v before="$1" -v after="$2" -v n="$3" 'BEGIN { printf "%.2f", (after - before) / n }'; }
# One pgbench run through the process, or - if there is none.
bench() { # test, name, port, pid or -, pgbench arguments
  local test=$1 name=$2 port=$3 process=$4 user cpu out tps latency n failed
  shift 4
  user=$(user_micros "$process") cpu=$(cpu_micros "$process")
  out=$("$PGBIN/pgbench" -n -T "$seconds" -h 127.0.0.1 -p "$port" -U bench "$@" bench 2>"$work/pgbench.err") || {
    cat "$work/pgbench.err" >&2
    exit 1
  }
  read -r tps latency n failed < <(awk '
    /transactions actually processed/ { sub("/.*", "", $6); n = $6 }
    /number of failed transactions/ { failed = $5 }
    /latency average/ { latency = $4 * 1000 }
    /^tps/ { tps = $3 }
    END { print tps, latency, n, failed + 0 }' <<<"$out")
  row "$test" "$name" "$tps" "$latency" "$(each "$user" "$(user_micros "$process")" "$n")" \
    "$(each "$cpu" "$(cpu_micros "$process")" "$n")" "$failed"
}
echo "test	through	tps	latency-us	user-us/tx	cpu-us/tx	failed"
# A steady state is measured: a load runs in slices until in two of them hardly any of the proxy's
# processor time was that of other threads than its loop, so its JIT compilers are done.
thread_micros() { # process, beginning of the threads' names; their user and system time
  cat /proc/"$1"/task/*/stat 2>/dev/null | grep -F "($2" |
    sed 's/.*) //' | awk -v hz="$hz" '{ s += $12 + $13 } END { printf "%d", s * 1000000 / hz }'
}
slice=5
until_steady() { # process, command that loads it for a slice
  local process=$1 before loop total quiet=0 end=$((SECONDS + ${WARM_UP:-45}))
  shift
  while ((SECONDS < end)); do
    before=$(cpu_micros "$process") loop=$(thread_micros "$process" shardmark-loop)
    "$@" >/dev/null 2>&1
    total=$(($(cpu_micros "$process") - before)) loop=$(($(thread_micros "$process" shardmark-loop) - loop))
    quiet=$((100 * (total - loop) > 5 * total ? 0 : quiet + 1))
    [ "$quiet" -lt 2 ] || return 0
  done
}
warm_up() { # port, process, pgbench arguments
  local port=$1 process=$2
  shift 2
  until_steady "$process" "$PGBIN/pgbench" -n -c 16 -T "$slice" -h 127.0.0.1 -p "$port" -U bench "$@" bench
}
if measures pgbench; then
  polling=$(free_port)
  busy_poll=50us start_proxy polling.yaml "$polling" "$shard_a"
  polling_pid=$pid
  for load in "-S -M prepared" "-S -M simple" "-M prepared"; do
    # shellcheck disable=SC2086 # the arguments are words
    warm_up "$one" "$one_pid" $load
  done
  warm_up "$polling" "$polling_pid" -S -M prepared
  for _ in $(seq "$rounds"); do
    for what in "select-prepared:-S -M prepared -c 16" "select-simple:-S -M simple -c 16" "tpcb-prepared:-M prepared -c 16" \
      "select-prepared-1:-S -M prepared -c 1"; do
      bouncer=$bouncer_session bouncer_pid=$bouncer_session_pid
      [[ $what != *simple* ]] || bouncer=$bouncer_transaction bouncer_pid=$bouncer_transaction_pid
      # shellcheck disable=SC2086 # the arguments are words
      {
        bench "${what%%:*}" direct "$port_a" - ${what#*:}
        bench "${what%%:*}" floor "$floor" "$floor_pid" ${what#*:}
        bench "${what%%:*}" pgbouncer "$bouncer" "$bouncer_pid" ${what#*:}
        bench "${what%%:*}" proxy "$one" "$one_pid" ${what#*:}
      }
    done
    bench select-prepared-1 proxy-busy-poll "$polling" "$polling_pid" -S -M prepared -c 1
  done
  kill "$polling_pid"
fi

# --- TPC-C, over one shard and over two of which each has half the warehouses ---
if measures tpcc; then
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
tpcc() { # profile, name, port, process or -, [database]
  local user cpu n tps latency errors
  properties "$3" "$1" "$seconds" "${5:-bench}"
  user=$(user_micros "$4") cpu=$(cpu_micros "$4")
  drive run
  user=$(($(user_micros "$4") - user)) cpu=$(($(cpu_micros "$4") - cpu))
  read -r n tps latency errors < <(jq -r '
    [.rates.transactionCount + .interval.transactionsOutside, (.rates.transactionCount / .interval.seconds | floor),
     ((.types[] | select(.name == "NEW_ORDER")).latencyMillis.all.due.p50 * 1000), ([.types[].errors] | add)]
    | map(tostring) | join(" ")' "$work/tpcc/summary.json")
  row "tpcc-$1" "$2" "$tps" "$latency" "$(each 0 "$user" "$n")" "$(each 0 "$cpu" "$n")" "$errors"
}
properties "$port_a" benchmarksql "$seconds"
drive build
properties "$spread" benchmarksql "$seconds" spread
drive build
for profile in benchmarksql batched; do
  properties "$one" "$profile" "$slice"
  until_steady "$one_pid" drive run
  properties "$spread" "$profile" "$slice" spread
  until_steady "$spread_pid" drive run
  for _ in $(seq "$rounds"); do
    tpcc "$profile" direct "$port_a" -
    tpcc "$profile" floor "$floor" "$floor_pid"
    tpcc "$profile" pgbouncer "$bouncer_session" "$bouncer_session_pid"
    tpcc "$profile" proxy "$one" "$one_pid"
    tpcc "$profile" proxy-two-shards "$spread" "$spread_pid" spread
  done
done
properties "$port_a" benchmarksql "$seconds"
drive destroy
kill "$spread_pid"
fi

# --- the first 45 s of a proxy: 15 s of each load, and what of its processor time was compilation ---
first_seconds() { # name
  local port process load
  port=$(free_port)
  start_proxy "$1.yaml" "$port" "$shard_a"
  process=$pid
  for load in "select-prepared:-S -M prepared" "select-simple:-S -M simple" "tpcb-prepared:-M prepared"; do
    # shellcheck disable=SC2086 # the arguments are words
    seconds=15 bench "first-${load%%:*}" "$1" "$port" "$process" -c 16 ${load#*:}
  done
  awk -v name="$1" -v c1="$(thread_micros "$process" "C1 Compiler")" -v c2="$(thread_micros "$process" "C2 Compiler")" \
    -v all="$(cpu_micros "$process")" -v rss="$(rss_kb "$process")" \
    'BEGIN { printf "%s\t%.1f\t%.1f\t%.1f\t%.0f\n", name, (c1 + c2) / 1e6, c2 / 1e6, all / 1e6, rss / 1024 }' | tee -a "$work/starts"
  kill "$process"
}
rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
if measures start; then
  PLAIN=yes first_seconds java-jar
  first_seconds bin-proxy
fi

# --- idle clients, on fresh proxies ---
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
if measures idle; then
  echo "clients	through	logins/s	rss-kb-before	rss-kb-after	kb/client"
  idle pgbouncer "$bouncer_transaction" "$bouncer_transaction_pid" 10000
  release pgbouncer
  for name in proxy-java-jar proxy; do
    plain=yes
    [ "$name" != proxy ] || plain=
    swarm_port=$(free_port)
    PLAIN=$plain start_proxy "swarm-$name.yaml" "$swarm_port" "$shard_a"
    swarm_pid=$pid
    warm_up "$swarm_port" "$swarm_pid" -S -M prepared -c 200 -j 2
    idle "$name" "$swarm_port" "$swarm_pid" 10000
    release "$name"
    [ -z "$plain" ] || kill "$swarm_pid"
  done
fi

# --- two shards ---
if measures crossing; then
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
fi

medians() { # of a test and a name: a column
  awk -F'\t' -v t="$1" -v n="$2" -v c="$3" '$1 == t && $2 == n { print $c }' "$work/rows" | sort -n |
    awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0 && a > 0) printf "%.2f", a / b; else printf "-" }'; }
has() { cut -f1,2 "$work/rows" | grep -qx "$1	$2"; }
# The result of a load through something, compared with PgBouncer.
lines() { # tests, separated by blanks
  local test name
  echo "| load | through | tps | latency us | CPU us/tx | of it user | CPU against PgBouncer | against the floor | tps against PgBouncer |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for test in $1; do
    for name in direct floor pgbouncer proxy proxy-busy-poll proxy-two-shards java-jar bin-proxy; do
      has "$test" "$name" || continue
      printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$test" "$name" "$(medians "$test" "$name" 3)" "$(medians "$test" "$name" 4)" \
        "$(medians "$test" "$name" 6)" "$(medians "$test" "$name" 5)" \
        "$(ratio "$(medians "$test" "$name" 6)" "$(medians "$test" pgbouncer 6)")" \
        "$(ratio "$(medians "$test" "$name" 6)" "$(medians "$test" floor 6)")" \
        "$(ratio "$(medians "$test" "$name" 3)" "$(medians "$test" pgbouncer 3)")"
    done
  done
  echo
}
{
  echo "# What the proxy costs"
  echo
  echo "$(machine); PostgreSQL $(postgres_version), $(pgbouncer --version | head -1), $(java_version);"
  echo "clients, proxies and servers on the same processors; $seconds s a run after each load had to warm up, median of $rounds rounds in turns;"
  echo "one event loop, transport $transport, \`bin/proxy\`${JAVA_OPTS:+ with JAVA_OPTS=\"$JAVA_OPTS\"}. The floor is $floor_is. All took $(((SECONDS - started) / 60)) minutes."
  echo
  echo "Repeat: \`${WARM_UP:+WARM_UP=$WARM_UP }PARTS=\"$(xargs <<<"$parts")\" src/test/bench/proxy-speed.sh $seconds $rounds\`"
  echo
  echo "CPU is user and system time of the process that the load goes through, divided by the transactions of the run."
  echo "proxy-busy-poll is a proxy with \`busy_poll: 50us\`: its loop looks for work that long before it sleeps."
  echo "PgBouncer pools sessions for prepared statements and for TPC-C, transactions for simple ones (1.18 keeps no prepared statements)."
  echo
  if measures pgbench; then
    lines "select-prepared select-simple tpcb-prepared select-prepared-1"
    echo "One client: latency added to that of a direct connection, us: $(for name in floor pgbouncer proxy; do
      awk -v name="$name" -v a="$(medians select-prepared-1 "$name" 4)" -v b="$(medians select-prepared-1 direct 4)" 'BEGIN { printf "%s %.0f  ", name, a - b }'
    done)"
    echo
  fi
  if measures tpcc; then
    lines "tpcc-benchmarksql tpcc-batched"
    echo "TPC-C: 4 warehouses, 8 terminals without keying or think times, the driver's profiles; latency is the median of New-Order."
    for profile in benchmarksql batched; do
      echo "Over two shards the proxy takes $(ratio "$(medians tpcc-$profile proxy-two-shards 6)" "$(medians tpcc-$profile proxy 6)") of its own processor time over one ($profile)."
    done
    echo
  fi
  if measures start; then
    echo "The first minute after a start: 15 s of each load, 16 clients. java-jar is \`java -jar proxy.jar FILE\`, bin-proxy \`bin/proxy FILE\`"
    echo "at its second start. The same loads when warm are above."
    echo
    lines "first-select-prepared first-select-simple first-tpcb-prepared"
    echo "| start | JIT, CPU s | of it the second compiler | all, CPU s | RSS MB |"
    echo "|---|---|---|---|---|"
    sed 's/\t/ | /g; s/^/| /; s/$/ |/' "$work/starts"
    echo
  fi
  if measures idle; then
    echo "| idle clients | through | logins/s | RSS MB before | RSS MB with them | KB a client |"
    echo "|---|---|---|---|---|---|"
    awk -F'\t' '{ printf "| %s | %s | %s | %.0f | %.0f | %s |\n", $1, $2, $3, $4 / 1024, $5 / 1024, $6 }' "$work/idle"
    echo
  fi
  if measures crossing; then
    echo "| two shards | tps | latency us | CPU us/tx | failed |"
    echo "|---|---|---|---|---|"
    for test in two-shards-select-simple two-shards-select-prepared two-shards-tpcb-simple two-shards-tpcb-prepared; do
      printf '| %s | %s | %s | %s | %s |\n' "$test" "$(medians $test proxy 3)" "$(medians $test proxy 4)" "$(medians $test proxy 6)" "$(medians $test proxy 7)"
    done
    awk -F'\t' '/^crossing/ { printf "| pair of updates, %s %% over both shards, 4 clients | %s | %s | %s | %s |\n", substr($1, 10), $3, $4, $6, $7 }' "$work/rows"
  fi
} >"$out/README.md"
{
  echo "test,through,tps,latency_us,user_us_per_tx,cpu_us_per_tx,failed"
  tr '\t' ',' <"$work/rows"
} >"$out/runs.csv"
keep_results "$results"
cat "$results/README.md"
