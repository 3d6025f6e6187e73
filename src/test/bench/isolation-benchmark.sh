#!/usr/bin/env bash
# Which anomalies workload=isolation finds at each level: on one PostgreSQL, through the proxy over one and
# three shards at each cross_shard_isolation and scatter_reads, and on MariaDB where it is installed.
#
#   src/test/bench/isolation-benchmark.sh [seconds of each run] [result directory]
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs (PGBIN, default: Debian's) and jq.
# DRIVER and PROXY: other commands than java -jar of what was built.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

seconds=${1:-10}
results=${2:-$root/results/isolation-$(date +%F)}
[ -n "${DRIVER:-}" ] || needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq
driver=${DRIVER:-java -jar $root/driver/target/driver.jar}
proxy=${PROXY:-java -jar $root/proxy/target/proxy.jar}
# Where Maven or Debian have put it: neither need be there.
mariadb_jar=$({ find "$root/driver/lib" ~/.m2/repository/org/mariadb/jdbc /usr/share/java -name 'mariadb-java-client*.jar' 2>/dev/null || true; } | sort -V | tail -1)
if [ ! -x /usr/sbin/mariadbd ] || [ -z "$mariadb_jar" ]; then
  mariadb_jar=
  echo "MariaDB is left out: mariadbd (Debian: mariadb-server) or its JDBC driver (libmariadb-java) is missing" >&2
fi
begin_results "$results"
settings=(max_connections=100 max_prepared_transactions=100 max_wal_size=4GB)
declare -A ports
for name in one a b c; do
  ports[$name]=$(free_port)
  start_server "$name" "${ports[$name]}" "${settings[@]}"
done
cd "$work"

properties() { # db, JDBC URL
  local class=org.postgresql.Driver
  [ "$1" = postgres ] || class=org.mariadb.jdbc.Driver
  printf '%s\n' workload=isolation "db=$1" "driver=$class" "conn=$2" user=bench password= terminals=8 loadWorkers=1 \
    "runMins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')" rampupMins=0 retries=50 \
    osCollector=false failOn=none
}
level() { # system, properties file, level
  rm -rf run
  if ! $driver run "$2" isolation "$3" resultDirectory "$work/run" >run.log 2>&1; then
    tail -3 run.log >&2
    return 1
  fi
  jq -r --arg system "$1" --arg level "${3//_/ }" '
    def found: .databaseFigures | to_entries | map(select(.key | startswith("anomaly_")))
      | map("\(.key | sub("anomaly_"; "") | gsub("_"; " ")) \(.value)") | if . == [] then "none" else join(", ") end;
    "| \($system) | \($level) | \(.facts["transactions in the history"]) | \(found) | \(.databaseFigures.notPermitted) |"' \
    run/summary.json | tee -a table
  mkdir -p "$out/${1//[^A-Za-z0-9]/-}"
  cp run/summary.json "$out/${1//[^A-Za-z0-9]/-}/$3.json"
}
refused() { # system, properties file, levels at which a run is refused before it begins
  local one
  $driver build "$2" >build.log 2>&1 || { tail -3 build.log >&2; exit 1; }
  for one in "${@:3}"; do
    if $driver run "$2" isolation "$one" resultDirectory "$work/run" >run.log 2>&1 ||
      ! grep -q '^ERROR: .* cannot reach a second shard' run.log; then
      echo "$1 is not refused at $one" >&2
      exit 1
    fi
    echo "| $1 | ${one//_/ } | 0 | refused | |" | tee -a table
  done
  $driver destroy "$2" >/dev/null 2>&1
}
levels() { # system, properties file, levels
  local one
  $driver build "$2" >build.log 2>&1 || { tail -3 build.log >&2; exit 1; }
  for one in "${@:3}"; do level "$1" "$2" "$one"; done
  $driver destroy "$2" >/dev/null 2>&1
}
start_proxy() { # lines of proxy.yaml; over the ports in shards
  local name
  proxy_port=$(free_port)
  {
    printf 'listen: 127.0.0.1:%s\nauth: trust\n' "$proxy_port"
    printf '%s\n' "$@" 'users:' '  - {name: bench}' 'shards:'
    for name in $shards; do
      echo "  - {name: $name, host: 127.0.0.1, port: ${ports[$name]}, database: bench, user: bench}"
    done
  } >proxy.yaml
  $proxy proxy.yaml >proxy.log 2>&1 &
  proxy_pid=$!
  processes+=("$proxy_pid")
  wait_for "$proxy_port" proxy
  properties postgres "jdbc:postgresql://127.0.0.1:$proxy_port/bench" >props.proxy
}
stop_proxy() {
  kill "$proxy_pid"
  wait "$proxy_pid" 2>/dev/null || true
}

properties postgres "jdbc:postgresql://127.0.0.1:${ports[one]}/bench" >props.one
levels PostgreSQL props.one read_committed repeatable_read serializable
shards=one
start_proxy
levels "proxy, 1 shard" props.proxy read_committed repeatable_read serializable
stop_proxy
shards='a b c'
start_proxy 'cross_shard_isolation: refuse'
levels "proxy, 3 shards, refuse" props.proxy read_committed
refused "proxy, 3 shards, refuse" props.proxy repeatable_read serializable
stop_proxy
start_proxy 'cross_shard_isolation: snapshot'
levels "proxy, 3 shards, snapshot" props.proxy read_committed repeatable_read
refused "proxy, 3 shards, snapshot" props.proxy serializable
stop_proxy
start_proxy 'cross_shard_isolation: per_shard' 'scatter_reads: fast'
levels "proxy, 3 shards, per_shard, fast" props.proxy read_committed repeatable_read serializable
stop_proxy
if [ -n "$mariadb_jar" ]; then
  mkdir -p lib/mariadb # where the driver looks for it
  cp "$mariadb_jar" lib/mariadb/
  port_maria=$(free_port)
  mkdir maria
  [ "$(id -u)" != 0 ] || chown postgres maria
  as_server mariadb-install-db --no-defaults --datadir="$work/maria" --auth-root-authentication-method=normal \
    --skip-test-db >maria-install.log 2>&1
  as_server /usr/sbin/mariadbd --no-defaults --datadir="$work/maria" --socket="$work/maria.sock" \
    --pid-file="$work/maria.pid" --port="$port_maria" --bind-address=127.0.0.1 >maria.log 2>&1 &
  wait_for "$port_maria" maria
  processes+=("$(cat "$work/maria.pid")")
  mariadb --no-defaults -u root -S "$work/maria.sock" \
    -e "create database bench; create user bench@'%' identified by ''; grant all on bench.* to bench@'%'"
  properties mariadb "jdbc:mariadb://127.0.0.1:$port_maria/bench" >props.maria
  levels MariaDB props.maria read_committed repeatable_read serializable
fi
{
  echo "# Anomalies that workload=isolation finds"
  echo
  echo "\`src/test/bench/isolation-benchmark.sh $seconds\`: $(machine), PostgreSQL $(postgres_version), $(java_version)."
  echo "8 terminals for $seconds s at each level; counts of what was found, of cycles one of the worst kind."
  echo "*Not permitted* counts what the level excludes ([isolation.md](../../docs/isolation.md)); *refused*:"
  echo "a run is refused (0A000), since the level cannot be kept over several shards."
  echo
  echo "| system | level | transactions | found | not permitted |"
  echo "|---|---|---:|---|---:|"
  cat table
} >"$out/README.md"
keep_results "$results"
echo "wrote $results/README.md"
