#!/usr/bin/env bash
# Measures what the driver costs and reaches: the three statement profiles in turns on one private
# PostgreSQL, the null database, and 10,000 terminals with keying and think times.
#
#   src/test/bench/drive-benchmark.sh [warehouses] [terminals] [rounds] [seconds] [result directory]
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs (PGBIN, default: Debian's) and jq.
# JDKS lists the Java homes to measure with, separated by blanks (default: JAVA_HOME or the java on the
# path, then every newer one below /usr/lib/jvm).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

warehouses=${1:-4}
terminals=${2:-10}
rounds=${3:-3}
seconds=${4:-40}
results=${5:-$root/results/drive-$(date +%F)}
needs_built driver/target/driver.jar
needs_programs jq
jar=$root/driver/target/driver.jar
default_jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
JDKS=${JDKS:-$default_jdk $(ls -d /usr/lib/jvm/*-25-* 2>/dev/null || true)}
# The flags of driver/run's scripts; a plain java -jar differs in memory, hardly in processor time.
flags="-XX:+UseSerialGC -Xmn64m -Xss512k"

begin_results "$results"
port=$(free_port)
start_server data "$port" max_connections=200 shared_buffers=1GB max_wal_size=8GB checkpoint_timeout=30min

properties() { # file, conn, then lines to add
  local file=$1 conn=$2
  shift 2
  {
    echo "db=postgres"
    echo "driver=org.postgresql.Driver"
    echo "conn=$conn"
    echo "user=bench"
    echo "password="
    echo "warehouses=$warehouses"
    echo "loadWorkers=2"
    echo "limitTxnsPerMin=0"
    echo "terminalWarehouseFixed=true"
    printf '%s\n' newOrderWeight=45 paymentWeight=43 orderStatusWeight=4 deliveryWeight=4 stockLevelWeight=4
    echo "seed=20261120"
    printf '%s\n' "$@"
  } >"$file"
}

run_mins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 60 }')
ramp_mins=$(awk -v s="$seconds" 'BEGIN { printf "%.4f", s / 120 }')
url="jdbc:postgresql://127.0.0.1:$port/bench"

sql() { # database, then one command after the other
  local database=$1 command
  shift
  for command in "$@"; do
    "$PGBIN/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U bench -c "$command" "$database"
  done
}

# Every run meets the same rows in the same pages: tables and indexes grow under load, and the last
# of several runs on one copy would be slower than the first whatever it measures.
fresh_database() {
  sql postgres "drop database if exists bench" \
    "create database bench template loaded strategy file_copy" checkpoint
}

drive() { # name, jdk, properties; leaves the summary in $work/<name>
  local name=$1 jdk=$2 file=$3
  rm -rf "${work:?}/$name"
  echo "resultDirectory=$work/$name" >>"$file"
  # shellcheck disable=SC2086 # the flags are words
  (cd "$work" && "$jdk/bin/java" $flags -jar "$jar" "$file" >"$work/$name.out" 2>&1) || {
    cat "$work/$name.out" >&2
    exit 1
  }
}

row() { # test, jdk, round, summary
  jq -r --arg test "$1" --arg jdk "$2" --arg round "$3" '
    (.rates.transactionCount) as $n | [$test, $jdk, $round,
    (.rates.tpmC | floor), ($n / .interval.seconds | floor),
    (.client.coresUsed * .interval.seconds * 1e6 / $n * 10 | floor / 10),
    .client.coresUsed, (.client.peakRssBytes / 1048576 | floor),
    .client.schedulerLatenessP99Millis, ([.types[].errors] | add)] | @tsv' "$4" | tee -a "$work/rows"
}

sql postgres "create database loaded"
properties "$work/build.pg" "${url%/bench}/loaded"
(cd "$work" && "$default_jdk/bin/java" -jar "$jar" build build.pg >build.out 2>&1) || { cat "$work/build.out" >&2; exit 1; }
sql loaded "vacuum analyze"
echo "test jdk round tpmC tx/s client-us/tx client-cores rss-MB lateness-p99-ms errors server-us/tx"
for round in $(seq "$rounds"); do
  for jdk in $JDKS; do
    version=$("$jdk/bin/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')
    profiles="benchmarksql batched procedures"
    ((round % 2)) || profiles="procedures batched benchmarksql"
    for profile in $profiles; do
      properties "$work/run.pg" "$url" "terminals=$terminals" "runMins=$run_mins" "rampupMins=$ramp_mins" \
        "statementProfile=$profile"
      fresh_database
      before=$(server_cpu data)
      drive "$profile" "$jdk" "$work/run.pg"
      after=$(server_cpu data)
      row "$profile" "$version" "$round" "$work/$profile/summary.json"
      jq -r --arg t "$profile" --arg j "$version" --arg r "$round" --argjson cpu "$(awk -v a="$after" -v b="$before" 'BEGIN { print a - b }')" '
        [$t, $j, $r, ($cpu * 1e6 / (.rates.transactionCount + .interval.transactionsOutside) | floor)] | @tsv' \
        "$work/$profile/summary.json" >>"$work/server"
    done
  done
done

for jdk in $JDKS; do
  version=$("$jdk/bin/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')
  for round in $(seq "$rounds"); do
    properties "$work/run.pg" "null:" "terminals=1" "runMins=0.25" "rampupMins=0.1" "resultRows=none"
    drive null "$jdk" "$work/run.pg"
    row null "$version" "$round" "$work/null/summary.json"
  done
  properties "$work/run.pg" "null:" "runMins=1" "rampupMins=0.5" "terminals=10000" "connections=8" \
    "keyingTimeMultiplier=1" "thinkTimeMultiplier=1"
  sed -i 's/^warehouses=.*/warehouses=1000/' "$work/run.pg"
  drive paced "$jdk" "$work/run.pg"
  row "paced-10000" "$version" 1 "$work/paced/summary.json"
  fresh_database
  properties "$work/run.pg" "$url" "terminals=50" "runMins=$run_mins" "rampupMins=$ramp_mins"
  drive fifty "$jdk" "$work/run.pg"
  row "50-terminals" "$version" 1 "$work/fifty/summary.json"
  properties "$work/run.pg" "$url" "terminals=50" "runMins=$run_mins" "rampupMins=$ramp_mins"
  flags="" drive plain "$jdk" "$work/run.pg"
  row "50-terminals-plain" "$version" 1 "$work/plain/summary.json"
done

(cd "$work" && "$default_jdk/bin/java" -jar "$jar" verify run.pg | tail -1)

median() { # test, jdk, column, file
  awk -F'\t' -v t="$1" -v j="$2" -v c="$3" '$1 == t && $2 == j { print $c }' "$4" | sort -n |
    awk '{ v[NR] = $1 } END { printf "%.1f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
{
  echo "# What the driver costs"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version) on the same processors, shared_buffers=1GB; $warehouses warehouses, $terminals terminals, no keying or think times,"
  echo "$seconds s measured after $((seconds / 2)) s of ramp-up, median of $rounds rounds in turns. JVM flags: \`$flags\`."
  echo
  echo "Repeat: \`src/test/bench/drive-benchmark.sh $warehouses $terminals $rounds $seconds\`"
  echo
  echo "Client CPU is user and system time of the driver's JVM in the measurement interval, divided by the transactions"
  echo "in it (a Delivery and its deferred part are one). Server CPU is that of all processes of the server over the whole run."
  echo
  echo "| JDK | profile | tpmC | against benchmarksql | tx/s | client us/tx | server us/tx | client cores | peak RSS MB |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for version in $(cut -f2 "$work/rows" | awk '!seen[$0]++'); do
    base=$(median benchmarksql "$version" 4 "$work/rows")
    for profile in benchmarksql batched procedures; do
      tpmc=$(median "$profile" "$version" 4 "$work/rows")
      printf '| %s | %s | %.0f | %.2f | %.0f | %s | %.0f | %.2f | %.0f |\n' "$version" "$profile" "$tpmc" \
        "$(awk -v a="$tpmc" -v b="$base" 'BEGIN { print a / b }')" \
        "$(median "$profile" "$version" 5 "$work/rows")" "$(median "$profile" "$version" 6 "$work/rows")" \
        "$(median "$profile" "$version" 4 "$work/server")" \
        "$(awk -F'\t' -v t="$profile" -v j="$version" '$1 == t && $2 == j { s += $7; n++ } END { print s / n }' "$work/rows")" \
        "$(median "$profile" "$version" 8 "$work/rows")"
    done
  done
  echo
  echo "| JDK | test | tx/s | client cores | client us/tx | scheduler lateness p99 ms | peak RSS MB |"
  echo "|---|---|---|---|---|---|---|"
  awk -F'\t' '$1 == "null" || $1 == "paced-10000" || $1 == "50-terminals" || $1 == "50-terminals-plain" {
    printf "| %s | %s | %s | %.3f | %s | %s | %s |\n", $2, $1, $5, $7, $6, $9, $8 }' "$work/rows"
  echo
  echo "null: one terminal against a database that answers at once, no result rows: the driver's own ceiling."
  echo "paced-10000: 10,000 terminals of 1,000 warehouses with keying and think times on 8 workers, same database."
  echo "50-terminals: the benchmarksql profile with 50 terminals, for its memory; plain is java -jar without flags."
} >"$out/README.md"
{
  echo "test,jdk,round,tpmC,tx_per_s,client_us_per_tx,client_cores,peak_rss_mb,lateness_p99_ms,errors"
  tr '\t' ',' <"$work/rows"
} >"$out/runs.csv"
keep_results "$results"
cat "$results/README.md"
