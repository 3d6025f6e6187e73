#!/usr/bin/env bash
# What lies between driver and server: the BMT insert (docs/bmt.md) over the loopback interface, a
# Unix-domain socket, links shaped to 0.1, 1 and 10 Gbit/s between two network namespaces, and through
# PgBouncer and the proxy: by epoll, by io_uring, with busy polling, with Unix-domain sockets on both sides.
# Bytes on the wire and system calls for each statement, and what limited each. docs/network.md says what
# the lines mean.
#
#   src/test/bench/network-benchmark.sh [seconds] [warm-up seconds] [terminals] [result directory]
#
# As root, on Linux with network namespaces. Needs ./mvnw -B -DskipTests package, PostgreSQL's server
# programs (PGBIN, default: Debian's), ip, tc, unshare and jq; perf counts system calls if it is there.
# ONLY="loopback unix" measures these alone; DRIVER_FLAGS are more flags for the driver's Java; with
# PRELOAD=/usr/lib/libonload.so the driver runs with that library before the kernel's sockets.
set -euo pipefail
if [ -z "${SHARDMARK_NAMESPACE:-}" ]; then
  [ "$(id -u)" = 0 ] && unshare --net --mount true 2>/dev/null || {
    echo "network namespaces cannot be made: root and a kernel with CONFIG_NET_NS are needed, and a container must be privileged" >&2
    exit 1
  }
  # All of it in a namespace of its own: nobody else's bytes are counted, and it ends with the script.
  SHARDMARK_NAMESPACE=yes exec unshare --net --mount "$0" "$@"
fi
ip link set lo up
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

seconds=${1:-30}
warm_up=${2:-20}
terminals=${3:-8}
results=$(realpath -m "${4:-$root/results/network-$(date +%F)}")
only=${ONLY:-loopback unix link link-100m link-1g link-10g pgbouncer proxy-epoll proxy-io_uring proxy-busy-poll proxy-unix}
driver_jar=$root/driver/target/driver.jar
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs ip tc jq
[[ " $only " != *" pgbouncer "* ]] || needs_programs pgbouncer
begin_results "$results"
cd "$out" # so that results name no directory of this machine
rows=20000

# --- the link: one end here with the server, the other in the driver's namespace ---
here=10.213.0.1
there=10.213.0.2
mkdir -p /run/netns
mount -t tmpfs shardmark /run/netns # in our own mount namespace
ip netns add client
ip link add server0 type veth peer name client0 netns client
ip addr add "$here/24" dev server0
ip link set server0 up
ip -n client addr add "$there/24" dev client0
ip -n client link set client0 up
ip -n client link set lo up
shape() { # rate and burst, or nothing
  tc qdisc del dev server0 root 2>/dev/null || true
  ip netns exec client tc qdisc del dev client0 root 2>/dev/null || true
  [ $# = 0 ] && return
  tc qdisc add dev server0 root tbf rate "$1" burst "$2" latency 50ms &&
    ip netns exec client tc qdisc add dev client0 root tbf rate "$1" burst "$2" latency 50ms || {
    echo "links cannot be shaped: the kernel lacks the queueing discipline tbf (CONFIG_NET_SCH_TBF)" >&2
    exit 1
  }
}

port=$(free_port)
start_server data "$port" shared_buffers=1GB max_wal_size=8GB checkpoint_timeout=30min "listen_addresses=127.0.0.1,$here"
echo "host all all $there/32 trust" >>"$work/data/pg_hba.conf"
as_server "$PGBIN/pg_ctl" -D "$work/data" reload >/dev/null

proxy() { # name, the server's host, lines of its configuration; sets proxy_port, or fails with why
  proxy_port=$(free_port)
  {
    printf '%s\n' "listen: 127.0.0.1:$proxy_port" "auth: trust" "pool_size: $terminals" "${@:3}" "shards:" \
      "  - {name: s1, host: $2, port: $port, database: bench, user: bench}" \
      "users:" "  - {name: bench, password: bench}"
  } >"$work/$1.yaml"
  "$java" -XX:+UseSerialGC -Xmn32m -Xmx256m -jar "$root/proxy/target/proxy.jar" "$work/$1.yaml" >"$work/$1.log" 2>&1 &
  proxy_pid=$!
  processes+=("$proxy_pid")
  for _ in $(seq 300); do
    (exec 3<>"/dev/tcp/127.0.0.1/$proxy_port") 2>/dev/null && return
    kill -0 "$proxy_pid" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

minutes() { awk -v s="$1" 'BEGIN { printf "%.4f", s / 60 }'; }
properties() { # URL, result directory
  printf '%s\n' workload=bmt db=postgres driver=org.postgresql.Driver "conn=$1" user=bench password=bench \
    rows=$rows operations=insert statementsPerCommit=10 loadWorkers=2 "terminals=$terminals" limitTxnsPerMin=0 \
    "runMins=$(minutes "$seconds")" "rampupMins=$(minutes "$warm_up")" osCollector=local resultRows=none \
    "resultDirectory=$2"
}
direct=jdbc:postgresql://127.0.0.1:$port/bench
drive() { # verb, properties, prefix of the command...
  # shellcheck disable=SC2086 # the flags are words
  "${@:3}" "$java" -XX:+UseSerialGC -Xmn64m -Xss512k ${DRIVER_FLAGS:-} -jar "$driver_jar" "$1" "$2" >"$work/drive.log" 2>&1 || {
    tail -n 5 "$work/drive.log" >&2
    exit 1
  }
}
bytes() { # interface of this namespace; those of both directions. lo has each twice
  awk -v name="$1" '$1 == name ":" { printf "%d", ($2 + $10) / (name == "lo" ? 2 : 1) }' /proc/net/dev
}
can_count=
if command -v perf >/dev/null && perf stat -e raw_syscalls:sys_enter true >/dev/null 2>&1; then can_count=yes; fi

statements() { # result directory; of its whole life
  jq '(.rates.transactionCount + .interval.transactionsOutside) * 10' "$1/summary.json"
}
# What the start of Java and of a run takes, in system calls; to be taken off.
start_calls=
count_start() {
  [ -z "$start_calls" ] || return 0
  properties "$direct" "$work/start" | sed 's/^runMins=.*/runMins=0.01/; s/^rampupMins=.*/rampupMins=0/' >"$work/start.props"
  drive run "$work/start.props" perf stat -x, -o "$work/calls" -e raw_syscalls:sys_enter
  start_calls=$(awk -F, '/sys_enter/ { print $1 }' "$work/calls")
  start_inserts=$(statements "$work/start")
}

measure() { # name, URL, interface or -, its bit/s or 0, proxy's process or -, prefix of the command...
  local name=$1 url=$2 interface=$3 rate=$4 process=$5 before=0 after=0 all calls=-
  local -a prefix=("${@:6}")
  [ -z "${PRELOAD:-}" ] || prefix+=(env "LD_PRELOAD=$PRELOAD")
  properties "$direct" "$work/built" >"$work/direct.props"
  (drive destroy "$work/direct.props") 2>/dev/null || true # the first time there is nothing
  drive build "$work/direct.props"
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "$port" -U bench -c checkpoint bench # none of another's rows in the run
  properties "$url" "$name" >"$work/run.props"
  [ -z "$can_count" ] || count_start
  [ -z "$can_count" ] || prefix=(perf stat -x, -o "$work/calls" -e raw_syscalls:sys_enter "${prefix[@]}")
  local cpu_before=0 cpu=0
  [ "$process" = - ] || cpu_before=$(cpu_micros "$process")
  [ "$interface" = - ] || before=$(bytes "$interface")
  drive run "$work/run.props" "${prefix[@]}"
  [ "$interface" = - ] || after=$(bytes "$interface")
  [ "$process" = - ] || cpu=$(($(cpu_micros "$process") - cpu_before))
  all=$(statements "$name")
  [ -z "$can_count" ] || calls=$(awk -F, '/sys_enter/ { printf "%.2f", ($1 - c) / (n - m) }' n="$all" c="$start_calls" m="$start_inserts" "$work/calls")
  jq -r --arg name "$name" --argjson all "$all" --argjson bytes "$((after - before))" --arg calls "$calls" \
    --argjson rate "$rate" --arg interface "$interface" --argjson proxy "$cpu" '
    (.rates.transactionCount * 10 / .interval.seconds) as $tps
    | ($bytes / $all) as $each
    | ($each * 8 * $tps) as $wire
    | [$name, ($tps | round), .latencyMillis.all.due.p50, .latencyMillis.all.due.p99,
       (if $interface == "-" then "-" else ($each | round) end),
       (if $interface == "-" then "-" else ($wire / 1e6 | round) end),
       $calls,
       (.client.coresUsed * .interval.seconds * 1e6 / (.rates.transactionCount * 10) * 10 | round / 10),
       (if $proxy == 0 then "-" else ($proxy / $all * 10 | round / 10) end),
       ((.client.machineBusyShare // 0) * 100 | round),
       (if $rate > 0 and $wire > 0.85 * $rate then "bandwidth"
        elif (.client.machineBusyShare // 0) > 0.9 then "processor"
        else "waiting: wake-ups, round trips, the commit" end)] | @tsv' "$name/summary.json" | tee -a "$work/rows"
}

echo "transport	tps	p50-ms	p99-ms	bytes	Mbit/s	calls	driver-us	proxy-us	busy-%	limit"
missing=()
for name in $only; do
  case $name in
    loopback) measure loopback "$direct" lo 0 - ;;
    unix) measure unix "$direct?unixSocket=$work/.s.PGSQL.$port" - 0 - ;;
    link)
      shape
      measure link "jdbc:postgresql://$here:$port/bench" server0 0 - ip netns exec client
      ;;
    link-100m)
      shape 100mbit 64kb
      measure link-100m "jdbc:postgresql://$here:$port/bench" server0 100000000 - ip netns exec client
      ;;
    link-1g)
      shape 1gbit 256kb
      measure link-1g "jdbc:postgresql://$here:$port/bench" server0 1000000000 - ip netns exec client
      ;;
    link-10g)
      shape 10gbit 2mb
      measure link-10g "jdbc:postgresql://$here:$port/bench" server0 10000000000 - ip netns exec client
      ;;
    pgbouncer)
      proxy_port=$(free_port)
      start_pgbouncer pgbouncer.ini "$proxy_port" session "$port"
      measure pgbouncer "jdbc:postgresql://127.0.0.1:$proxy_port/bench" lo 0 "$pid"
      kill "$pid"
      ;;
    proxy-*)
      host=127.0.0.1
      case $name in
        proxy-epoll) lines=("transport: epoll") ;;
        proxy-io_uring) lines=("transport: io_uring") ;;
        proxy-unix) host=$work lines=("transport: epoll" "unix_socket_directory: $work") ;;
        proxy-busy-poll) lines=("transport: epoll" "busy_poll: 50us" "event_loops: 1") ;;
        *) echo "ONLY: $name is no transport" >&2; exit 2 ;;
      esac
      if proxy "$name" "$host" "${lines[@]}"; then
        url=jdbc:postgresql://127.0.0.1:$proxy_port/bench
        if [ "$host" = "$work" ]; then
          measure "$name" "$url?unixSocket=$work/.s.PGSQL.$proxy_port" - 0 "$proxy_pid"
        else
          # What goes over lo goes twice: to the proxy, and from it to the server.
          measure "$name" "$url" lo 0 "$proxy_pid"
        fi
        kill "$proxy_pid"
      else
        missing+=("$name: $(tail -n 1 "$work/$name.log")")
        echo "not measured: ${missing[-1]}" >&2
      fi
      ;;
    *) echo "ONLY: $name is no transport" >&2; exit 2 ;;
  esac
done

runs=()
for name in $only; do [ ! -d "$name" ] || runs+=("$name=$name"); done
[ ${#runs[@]} -lt 2 ] || "$java" -jar "$driver_jar" compare -o compare.html "${runs[@]}" >/dev/null
{
  echo "# The BMT insert over different transports"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version), $(java_version); driver and server on the same processors; $terminals terminals, $seconds s a run after $warm_up s of warm-up, a commit every 10 statements."
  echo
  echo "Repeat: \`src/test/bench/network-benchmark.sh $seconds $warm_up $terminals\`. [network.md](../../docs/network.md) says what the lines and columns mean."
  echo
  echo "| transport | inserts/s | p50 ms | p99 ms | bytes/insert | Mbit/s | system calls/insert | driver CPU us/insert | proxy CPU us/insert | machine busy % | limit |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  sed 's/\t/ | /g; s/^/| /; s/$/ |/' "$work/rows"
  for one in "${missing[@]}"; do printf '\nNot measured: %s\n' "$one"; done
} >README.md
keep_results "$results"
cat "$results/README.md"
