# shellcheck shell=bash
# What the benchmarks share; they source it, nobody runs it. PostgreSQL servers of their own in a
# temporary directory, which end with the script, and a result directory that is there whole or not.
#
# Sets root, PGBIN, java, driver_flags (those of driver/run's scripts), work (the temporary directory), hz.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
PGBIN=${PGBIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
hz=$(getconf CLK_TCK)
# shellcheck source=../../../driver/run/funcs.sh disable=SC2034 # for who sources this
driver_flags=$(. "$root/driver/run/funcs.sh" && echo "${DEFAULT_JAVA_OPTS[*]}")

needs_built() { # paths below the root
  local path
  for path in "$@"; do
    [ -e "$root/$path" ] || { echo "build first: ./mvnw -B -DskipTests package ($path is missing)" >&2; exit 1; }
  done
}
needs_programs() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 1; }
  done
}

work=$(mktemp -d)
chmod 755 "$work"
results_under_way=
servers=()
processes=()
finish() {
  local name pid
  for pid in "${processes[@]}"; do kill "$pid" 2>/dev/null || true; done
  for name in "${servers[@]}"; do
    as_server "$PGBIN/pg_ctl" -D "$work/$name" -m immediate stop >/dev/null 2>&1 || true
  done
  rm -rf "$work" "$results_under_way"
}
trap finish EXIT

as_server() { "$@"; }
if [ "$(id -u)" = 0 ]; then # the servers refuse to run as root
  chown postgres "$work"
  as_server() { su postgres -s /bin/bash -c "ulimit -n $(ulimit -n); $(printf '%q ' "$@")"; }
fi

free_port() {
  local candidate
  while true; do
    candidate=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$candidate") 2>/dev/null || { echo "$candidate"; return; }
  done
}
wait_for() { # port, what listens there and names its log
  for _ in $(seq 300); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.1
  done
  echo "$2 does not listen on port $1" >&2
  cat "$work/$2.log" >&2
  exit 1
}

# A server with the user bench, who needs no password, and a database bench.
start_server() { # name, port, settings
  [ -x "$PGBIN/initdb" ] || { echo "PostgreSQL's server programs are missing: set PGBIN" >&2; exit 1; }
  servers+=("$1")
  as_server "$PGBIN/initdb" -D "$work/$1" -A trust -U bench -E UTF8 --locale=C.UTF-8 >/dev/null
  as_server "$PGBIN/pg_ctl" -D "$work/$1" -l "$work/$1.log" -w -o "-p $2 -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories=$work $(printf -- '-c %s ' "${@:3}")" start >/dev/null
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "$2" -U bench -c "create database bench" postgres
}
# One server, and two behind a proxy: sets their ports (one, a, b, proxy), proxy_pid and proxy_flags.
# shellcheck disable=SC2034 # for who sources this
start_one_and_two() { # shared_buffers of the one, of each of the two
  local settings=(max_connections=200 max_prepared_transactions=200 max_wal_size=8GB checkpoint_timeout=30min)
  one=$(free_port)
  start_server one "$one" "${settings[@]}" "shared_buffers=$1"
  a=$(free_port)
  start_server a "$a" "${settings[@]}" "shared_buffers=$2"
  b=$(free_port)
  start_server b "$b" "${settings[@]}" "shared_buffers=$2"
  proxy=$(free_port)
  cat >"$work/proxy.yaml" <<END
listen: 127.0.0.1:$proxy
auth: trust
shards:
  - {name: s1, host: 127.0.0.1, port: $a, database: bench, user: bench}
  - {name: s2, host: 127.0.0.1, port: $b, database: bench, user: bench}
users:
  - {name: bench, password: bench}
END
  proxy_flags="-XX:+UseSerialGC -XX:+UseTransparentHugePages -Xmn32m -Xmx256m"
  # shellcheck disable=SC2086 # the flags are words
  "$java" $proxy_flags -jar "$root/proxy/target/proxy.jar" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
  proxy_pid=$!
  processes+=("$proxy_pid")
  wait_for "$proxy" proxy
}
# PgBouncer in front of a server; sets pid.
start_pgbouncer() { # file, port, mode, the server's port
  cat >"$work/$1" <<END
[databases]
bench = host=127.0.0.1 port=$4 dbname=bench user=bench
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
  as_server pgbouncer -q -d "$work/$1"
  wait_for "$2" "$1"
  pid=$(cat "$work/$1.pid")
  processes+=("$pid")
}
server_cpu() { # name; CPU seconds so far of the postmaster, its living children and those that ended
  awk -v micros="$(cpu_micros "$(head -1 "$work/$1/postmaster.pid")")" 'BEGIN { printf "%.2f", micros / 1e6 }'
}
cpu_micros() { # process, or - for none; user and system time so far, with its children: those that live and those that ended
  spent "$1" '$14 + $15' '$16 + $17'
}
user_micros() { # the same; user time
  spent "$1" '$14' '$16'
}
spent() { # process, or -; times that a process has used, and those of its children that ended
  [ "$1" != - ] || { echo 0; return; }
  # A child may end between the list and the reading.
  # shellcheck disable=SC2046 # the paths are words
  { cat /proc/"$1"/stat $(pgrep -P "$1" | sed 's|.*|/proc/&/stat|') 2>/dev/null || true; } |
    awk -v process="$1" -v hz="$hz" "{ s += $2; if (\$1 == process) s += $3 } END { printf \"%d\", s * 1000000 / hz }"
}

begin_results() { # directory; sets out, which keep_results puts there
  out=$1.tmp.$$
  results_under_way=$out
  mkdir -p "$out"
}
keep_results() { # directory
  # What is kept names no temporary directory of this machine.
  { grep -rlIZE "$work|$out|/tmp/shardmark-[0-9]+" "$out" || true; } |
    xargs -0 -r sed -i -E "s#$work#\$work#g; s#$out#\$results#g; s#/tmp/shardmark-[0-9]+#\$work/shardmark#g"
  rm -rf "$1"
  mv "$out" "$1"
  results_under_way=
}
machine() {
  echo "$(date +%F), $(nproc) processors ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)), $(awk '/MemTotal/ { printf "%d", $2 / 1048576 }' /proc/meminfo) GB, Linux $(uname -r)"
}
postgres_version() { "$PGBIN/postgres" --version | grep -o '[0-9.]*' | head -1; }
java_version() { "$java" -version 2>&1 | head -1; }
