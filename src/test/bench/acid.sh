#!/usr/bin/env bash
# The verb acid with crashes, as often as asked for: one PostgreSQL with its defaults and with
# synchronous_commit=off, killed with all its processes, and the proxy over two shards, each of which
# and the proxy are killed.
#
#   src/test/bench/acid.sh [rounds with defaults] [rounds of the others] [result directory]
#
# Fails if a test of a round fails that should pass, or a round without synchronous commits passes.
# Needs ./mvnw -B -DskipTests package and PostgreSQL's server programs (PGBIN, default: Debian's).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

rounds=${1:-20}
others=${2:-5}
results=${3:-$root/results/acid-$(date +%F)}
needs_built driver/target/driver.jar proxy/target/proxy.jar
begin_results "$results"
cd "$work"

server() { # name, settings; then a properties file of that name, and commands that kill and start it
  local port
  port=$(free_port)
  start_server "$1" "$port" "${@:2}"
  cat >"kill-$1" <<END
#!/bin/sh
postmaster=\$(head -1 $work/$1/postmaster.pid)
kill -9 \$postmaster \$(ps -o pid= --ppid \$postmaster)
END
  # pg_ctl refuses while the last of the old processes still holds the shared memory.
  cat >"start-$1" <<END
#!/bin/sh
until $PGBIN/pg_ctl -D $work/$1 -l $work/$1.log -w -o "-p $port -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories=$work $(printf -- '-c %s ' "${@:2}")" start >>$work/start-$1.log 2>&1; do sleep 0.1; done
END
  chmod 755 "kill-$1" "start-$1"
  local as=
  [ "$(id -u)" != 0 ] || as="su postgres -s /bin/sh -c "
  printf '%s\n' db=postgres driver=org.postgresql.Driver "conn=jdbc:postgresql://127.0.0.1:$port/bench" \
    user=bench password=bench warehouses=1 loadWorkers=1 terminals=1 runMins=1 isolation=repeatable_read \
    "acid.crash=$as$work/kill-$1" "acid.restart=$as$work/start-$1" >"props.$1"
}
run() { "$java" -jar "$root/driver/target/driver.jar" "$@"; }

# system, round, status of acid, its lines: a row of the table
row() {
  local durability
  durability=$(sed -n 's/^[A-Za-z]* *3\.5 *//p' "$4" | paste -sd';')
  printf '| %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$(grep -cE '^(pass|permitted) ' "$4")" "$durability" |
    tee -a table
}
# system, properties file, round
round() {
  local status=0
  run acid "$2" >acid.log 2>&1 || status=$?
  row "$1" "$3" "$status" acid.log
  cat acid.log >>"$out/${1//[^A-Za-z0-9]/-}.txt"
  echo "$status" >>"statuses-$2"
}

server defaults fsync=on # the default
server asynchronous synchronous_commit=off wal_writer_delay=10s
for name in defaults asynchronous; do run build "props.$name" >build.log 2>&1 || { cat build.log; exit 1; }; done
for number in $(seq "$rounds"); do round "PostgreSQL, its defaults" props.defaults "$number"; done
for number in $(seq "$others"); do
  round "PostgreSQL, synchronous_commit=off" props.asynchronous "$number"
done
printf '%s\n' db=postgres "conn=embedded:sharded?shards=2&data=$work/sharded" user=bench password=bench warehouses=2 \
  loadWorkers=1 terminals=1 runMins=1 isolation=repeatable_read >props.sharded
mkdir sharded
chmod 777 sharded # the servers may run as another user
run build props.sharded >build.log 2>&1 || { cat build.log; exit 1; }
for number in $(seq "$others"); do round "proxy over two shards" props.sharded "$number"; done

{
  echo "# Clause 3 of TPC-C, with crashes"
  echo
  echo "$(machine); PostgreSQL $(postgres_version), $(java_version). Levels: REPEATABLE READ."
  echo
  echo "| system | round | exit status | tests passed | clause 3.5 |"
  echo "|---|---|---|---|---|"
  cat table
  echo
  echo "Repeat: \`src/test/bench/acid.sh $rounds $others\`. The text files have all lines of \`acid\`."
} >"$out/README.md"
keep_results "$results"
if grep -qv '^0$' statuses-props.defaults statuses-props.sharded; then
  echo "acid.sh: a round failed that should have passed" >&2
  exit 1
fi
if [ -e statuses-props.asynchronous ] && grep -q '^0$' statuses-props.asynchronous; then
  echo "acid.sh: a round passed though commits were not synchronous" >&2
  exit 1
fi
