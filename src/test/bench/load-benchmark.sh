#!/usr/bin/env bash
# Times the loader against two parallel psql \copy sessions that load the same rows from ready-made
# files, each with the same keys, indexes and foreign keys, in turns on one private PostgreSQL.
#
#   src/test/bench/load-benchmark.sh [warehouses] [workers] [rounds] [result directory]
#
# Needs ./mvnw -B -DskipTests package, and PostgreSQL's server programs (PGBIN, default: Debian's).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

warehouses=${1:-4}
workers=${2:-2}
rounds=${3:-5}
results=${4:-$root/results/load-$(date +%F)}
needs_built driver/target/driver.jar src/test/target/test-classes
classpath=$root/driver/target/driver.jar:$root/src/test/target/test-classes
mkdir "$work/csv"
begin_results "$results"

port=$(free_port)
start_server data "$port" shared_buffers=1GB max_wal_size=8GB
psql() { "$PGBIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U bench bench "$@"; }
url="jdbc:postgresql://127.0.0.1:$port/bench?user=bench"

wait_for_sessions() {
  until [ "$(psql -Atc "select count(*) from pg_stat_activity where backend_type = 'client backend'")" = 1 ]; do
    sleep 0.1
  done
}
new_tables() {
  psql -f "$root/sql/sql.common/tableDrops.sql" 2>/dev/null
  psql -f "$root/sql/sql.common/tableCreates.sql" -f "$root/sql/sql.postgres/extraCommandsBeforeLoad.sql"
  psql -c checkpoint
}
content() {
  for table in warehouse district customer history new_order oorder order_line item stock; do
    psql -Atc "select '$table', count(*), sum(hashtextextended(t::text, 0)::numeric) from bmsql_$table t"
  done
}

copy() { # table, file, columns
  printf "\\\\copy bmsql_%s (%s) from '%s' (delimiter ',', null 'NULL')\n" "$1" "$3" "$work/csv/$2.csv"
}
address() { echo "$1_street_1, $1_street_2, $1_city, $1_state, $1_zip"; }
{
  copy order_line order-line "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_delivery_d, ol_amount, ol_supply_w_id, ol_quantity, ol_dist_info"
  copy customer customer "c_id, c_d_id, c_w_id, c_discount, c_credit, c_last, c_first, c_credit_lim, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt, $(address c), c_phone, c_since, c_middle, c_data"
} >"$work/session1.sql"
{
  copy stock stock "s_i_id, s_w_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data, $(printf 's_dist_%02d, ' $(seq 9))s_dist_10"
  copy history cust-hist "hist_id, h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data"
  copy oorder order "o_id, o_w_id, o_d_id, o_c_id, o_carrier_id, o_ol_cnt, o_all_local, o_entry_d"
  copy item item "i_id, i_name, i_price, i_data, i_im_id"
  copy new_order new-order "no_w_id, no_d_id, no_o_id"
  copy warehouse warehouse "w_id, w_ytd, w_tax, w_name, $(address w)"
  copy district district "d_id, d_w_id, d_ytd, d_tax, d_next_o_id, d_name, $(address d)"
  copy config config "cfg_name, cfg_value"
} >"$work/session2.sql"
seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.3f", to - from }'; }

load_with_psql() {
  local t0 t1 t2 t3 first
  t0=$EPOCHREALTIME
  psql -f "$work/session1.sql" &
  first=$!
  psql -f "$work/session2.sql"
  wait "$first"
  t1=$EPOCHREALTIME
  psql -f "$root/sql/sql.common/indexCreates.sql"
  t2=$EPOCHREALTIME
  psql -f "$root/sql/sql.postgres/keyStatistics.sql" -f "$root/sql/sql.common/foreignKeys.sql"
  t3=$EPOCHREALTIME
  echo "load $(seconds "$t0" "$t1")"
  echo "indexCreates $(seconds "$t1" "$t2")"
  echo "foreignKeys $(seconds "$t2" "$t3")"
}
load_with_shardmark() {
  "$java" -XX:+UseSerialGC -cp "$classpath" io.shardmark.bench.LoadBenchmark "$url" "$warehouses" "$workers"
}

rows=0
measure() { # tool, round
  local before after wall user system
  new_tables
  wait_for_sessions
  before=$(server_cpu data)
  { TIMEFORMAT='%R %U %S'; time "load_with_$1" >"$work/steps"; } 2>"$work/time" || {
    cat "$work/time" >&2
    exit 1
  }
  wait_for_sessions
  after=$(server_cpu data)
  read -r wall user system < <(tail -1 "$work/time")
  content >"$work/content.$1"
  rows=$(awk -F'|' '{ s += $2 } END { print s }' "$work/content.$1")
  awk -v tool="$1" -v round="$2" -v wall="$wall" -v user="$user" -v sys="$system" \
    -v server="$(seconds "$before" "$after")" -v rows="$rows" '
    { step[$1] = $2 }
    END { printf "%s %d %.2f %.2f %.2f %.2f %.2f %.2f %d\n", tool, round, wall, step["load"],
      step["indexCreates"], step["foreignKeys"], user + sys, server, rows / wall }' \
    "$work/steps" | tee -a "$work/measured"
}

"$java" -XX:+UseSerialGC -cp "$classpath" io.shardmark.bench.LoadBenchmark none "$warehouses" "$workers" "$work/csv/" >/dev/null
chmod -R a+rX "$work/csv"
echo "tool round wall load indexes foreign-keys client-cpu server-cpu rows/s"
for round in $(seq "$rounds"); do
  if ((round % 2)); then
    measure psql "$round"; measure shardmark "$round"
  else
    measure shardmark "$round"; measure psql "$round"
  fi
  cmp "$work/content.psql" "$work/content.shardmark" || { echo "the tables differ" >&2; exit 1; }
done

median() { # tool, column
  awk -v tool="$1" -v column="$2" '$1 == tool { print $column }' "$work/measured" | sort -n |
    awk '{ v[NR] = $1 } END { printf "%.2f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
ratio=$(awk -v ours="$(median shardmark 3)" -v theirs="$(median psql 3)" 'BEGIN { printf "%.2f", theirs / ours }')
cpu=$(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)
memory=$(awk '/MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo)
server=$("$PGBIN/postgres" --version)
jdk=$("$java" -version 2>&1 | sed -n 2p)
{
  echo "# Load of $warehouses warehouses, $workers workers"
  echo
  echo "Rate of the loader, as a multiple of two \`psql \\copy\` sessions: **$ratio** (bar: 0.9)."
  echo "Medians of $rounds rounds in turns; $rows rows, the same in both (checked by hash)."
  echo "The loader also generates the rows, and its time holds the start of the JVM."
  echo
  echo "| tool | wall s | rows s | indexes s | foreign keys s | client CPU s | server CPU s | rows/s |"
  echo "|---|---|---|---|---|---|---|---|"
  for tool in psql shardmark; do
    echo "| $tool | $(for c in 3 4 5 6 7 8 9; do median $tool $c; echo -n ' | '; done)"
  done
  echo
  echo "Machine: $(nproc) x $cpu, $memory GB, $(uname -sr); $server, shared_buffers 1 GB,"
  echo "max_wal_size 8 GB, else as installed; $jdk."
  echo "Load average at the end: $(cut -d' ' -f1-3 /proc/loadavg)."
  echo "Command: \`src/test/bench/load-benchmark.sh $warehouses $workers $rounds\`"
  echo
  echo "All rounds (tool, round, wall, rows, indexes, foreign keys, client CPU, server CPU, rows/s):"
  echo
  sed 's/^/    /' "$work/measured"
} >"$out/README.md"
{
  printf '{"warehouses": %d, "workers": %d, "rows": %d, "ratio": %s, "server": "%s", "jdk": "%s", "rounds": [\n' \
    "$warehouses" "$workers" "$rows" "$ratio" "$server" "$jdk"
  awk '{ printf "%s  {\"tool\": \"%s\", \"round\": %d, \"wallSeconds\": %s, \"loadSeconds\": %s, \"indexSeconds\": %s, \"foreignKeySeconds\": %s, \"clientCpuSeconds\": %s, \"serverCpuSeconds\": %s}",
    (NR > 1 ? ",\n" : ""), $1, $2, $3, $4, $5, $6, $7, $8 } END { print "\n]}" }' "$work/measured"
} >"$out/load.json"
keep_results "$results"
cat "$results/README.md"
