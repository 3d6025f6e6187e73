#!/usr/bin/env bash
# Measures what the driver costs and reaches: the three statement profiles in turns on one private
# PostgreSQL, each beside a bare pgjdbc loop with the same statements, connections and threads; the
# null database; 10,000 terminals with keying and think times.
#
#   src/test/bench/drive-benchmark.sh [warehouses] [terminals] [rounds] [seconds] [result directory]
#
# PROFILES: those to measure (default: all three). ONLY=profiles leaves out everything but them.
# BEFORE=jar measures another driver's jar in the bare loop's place: what a change to the code costs.
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
needs_built driver/target/driver.jar src/test/target/test-classes/io/shardmark/bench/BareLoop.class
needs_programs jq
profiles=${PROFILES:-benchmarksql batched procedures}
jar=$root/driver/target/driver.jar
[ -z "${BEFORE:-}" ] || BEFORE=$(realpath "$BEFORE")
other=${BEFORE:+before}
other=${other:-bare}
default_jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
JDKS=${JDKS:-$default_jdk $(ls -d /usr/lib/jvm/*-25-* 2>/dev/null || true)}
# The flags of driver/run's scripts; a plain java -jar differs in memory, hardly in processor time.
flags=$driver_flags

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

TIMEFORMAT="%U %S"
timed() { # name, command...; output in $work/<name>.out, user and system seconds in $work/<name>.cpu
  local name=$1
  shift
  (cd "$work" && { time "$@" >"$work/$name.out" 2>&1; } 2>"$work/$name.cpu") || {
    cat "$work/$name.out" >&2
    exit 1
  }
}

drive() { # name, jdk, properties, another jar; leaves the summary in $work/<name>
  local name=$1 jdk=$2 file=$3
  rm -rf "${work:?}/$name"
  sed -i '/^resultDirectory=/d' "$file"
  echo "resultDirectory=$work/$name" >>"$file"
  # shellcheck disable=SC2086 # the flags are words
  timed "$name" "$jdk/bin/java" $flags -jar "${4:-$jar}" "$file"
}

bare() { # jdk, properties; leaves its line in $work/bare.out
  # shellcheck disable=SC2086 # the flags are words
  timed bare "$1/bin/java" $flags -cp "$jar:$root/src/test/target/test-classes" io.shardmark.bench.BareLoop "$2"
}

# What one process took: in the interval, and over its whole life beyond the interval's rate.
cost() { # profile, jdk, round, who, microseconds per transaction in the interval, transactions in all, name
  awk -v OFS='\t' -v p="$1" -v j="$2" -v r="$3" -v w="$4" -v us="$5" -v n="$6" '{
    printf "%s\t%s\t%s\t%s\t%.1f\t%.1f\t%.1f\t%.2f\n", p, j, r, w, us, $1 * 1e6 / n, $2 * 1e6 / n, $1 + $2 - us * n / 1e6
  }' "$work/$7.cpu" | tee -a "$work/costs"
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
java_number() { "$1/bin/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p'; }

profile_of_driver() { # profile, jdk, version, round
  local before after all
  fresh_database
  before=$(server_cpu data)
  drive "$1" "$2" "$work/run.pg"
  after=$(server_cpu data)
  row "$1" "$3" "$4" "$work/$1/summary.json"
  all=$(jq '.rates.transactionCount + .interval.transactionsOutside' "$work/$1/summary.json")
  awk -v OFS='\t' -v t="$1" -v j="$3" -v r="$4" -v cpu="$(awk -v a="$after" -v b="$before" 'BEGIN { print a - b }')" -v n="$all" \
    'BEGIN { print t, j, r, int(cpu * 1e6 / n) }' >>"$work/server"
  cost "$1" "$3" "$4" driver "$(interval_micros "$1")" "$all" "$1"
}

# Microseconds of processor time for each transaction of the measurement interval.
interval_micros() { # name
  jq '.client.coresUsed * .interval.seconds * 1e6 / .rates.transactionCount' "$work/$1/summary.json"
}

profile_of_before() { # profile, jdk, version, round
  fresh_database
  drive before "$2" "$work/run.pg" "$BEFORE"
  cost "$1" "$3" "$4" before "$(interval_micros before)" \
    "$(jq '.rates.transactionCount + (.interval.transactionsOutside // 0)' "$work/before/summary.json")" before
}

profile_of_bare() { # profile, jdk, version, round
  fresh_database
  bare "$2" "$work/run.pg"
  cost "$1" "$3" "$4" bare "$(jq .micros "$work/bare.out")" "$(jq .all "$work/bare.out")" bare
}

echo "test jdk round tpmC tx/s client-us/tx client-cores rss-MB lateness-p99-ms errors"
echo "profile jdk round who us/tx-in-interval user-us/tx system-us/tx start-s"
for round in $(seq "$rounds"); do
  for jdk in $JDKS; do
    version=$(java_number "$jdk")
    turns=$profiles
    first=profile_of_driver second=profile_of_$other
    ((round % 2)) || {
      turns=$(tr ' ' '\n' <<<"$profiles" | tac)
      first=profile_of_$other second=profile_of_driver
    }
    for profile in $turns; do
      properties "$work/run.pg" "$url" "terminals=$terminals" "runMins=$run_mins" "rampupMins=$ramp_mins" \
        "statementProfile=$profile"
      "$first" "$profile" "$jdk" "$version" "$round"
      "$second" "$profile" "$jdk" "$version" "$round"
    done
  done
done

[ "${ONLY:-}" = profiles ] || for jdk in $JDKS; do
  version=$(java_number "$jdk")
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
  echo "Repeat: \`${BEFORE:+BEFORE=$(basename "$BEFORE") }src/test/bench/drive-benchmark.sh $warehouses $terminals $rounds $seconds\`"
  echo
  echo "Client CPU is user and system time of the driver's JVM in the measurement interval, divided by the transactions"
  echo "in it (a Delivery and its deferred part are one). Server CPU is that of all processes of the server over the whole run."
  echo
  echo "| JDK | profile | tpmC | against benchmarksql | tx/s | client us/tx | server us/tx | client cores | peak RSS MB |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for version in $(cut -f2 "$work/rows" | awk '!seen[$0]++'); do
    base=$(median benchmarksql "$version" 4 "$work/rows")
    for profile in $profiles; do
      tpmc=$(median "$profile" "$version" 4 "$work/rows")
      printf '| %s | %s | %.0f | %.2f | %.0f | %s | %.0f | %.2f | %.0f |\n' "$version" "$profile" "$tpmc" \
        "$(awk -v a="$tpmc" -v b="$base" 'BEGIN { print b ? a / b : 0 }')" \
        "$(median "$profile" "$version" 5 "$work/rows")" "$(median "$profile" "$version" 6 "$work/rows")" \
        "$(median "$profile" "$version" 4 "$work/server")" \
        "$(awk -F'\t' -v t="$profile" -v j="$version" '$1 == t && $2 == j { s += $7; n++ } END { print s / n }' "$work/rows")" \
        "$(median "$profile" "$version" 8 "$work/rows")"
    done
  done
  echo
  if [ "$other" = bare ]; then
    echo "Beside a bare pgjdbc loop (BareLoop) with the same statements, connections and threads, in turns on the same data:"
  else
    echo "Beside another driver, $(basename "$BEFORE") with SHA-256 $(sha256sum "$BEFORE" | cut -c1-12), in turns on the same data:"
  fi
  echo "processor time of the process per transaction in the interval; user and system time of its whole life per"
  echo "transaction; and what its life took beyond the interval's rate: start, class loading, JIT, report."
  [ "$other" = before ] || echo "The ratio aims at 1.10."
  echo "On a machine shared with others only these processor times can be compared, not tpmC."
  echo
  echo "| JDK | profile | driver us/tx | $other us/tx | ratio | driver user + system | $other user + system | driver's start s | $other's start s |"
  echo "|---|---|---|---|---|---|---|---|---|"
  for version in $(cut -f2 "$work/costs" | awk '!seen[$0]++'); do
    for profile in $profiles; do
      grep driver "$work/costs" >"$work/costs.driver"
      grep "$other" "$work/costs" >"$work/costs.$other"
      d() { median "$profile" "$version" "$1" "$work/costs.driver"; }
      b() { median "$profile" "$version" "$1" "$work/costs.$other"; }
      printf '| %s | %s | %s | %s | %.2f | %s + %s | %s + %s | %s | %s |\n' "$version" "$profile" "$(d 5)" "$(b 5)" \
        "$(awk -v a="$(d 5)" -v b="$(b 5)" 'BEGIN { print a / b }')" "$(d 6)" "$(d 7)" "$(b 6)" "$(b 7)" "$(d 8)" "$(b 8)"
    done
  done
  [ "${ONLY:-}" = profiles ] || {
    echo
    echo "| JDK | test | tx/s | client cores | client us/tx | scheduler lateness p99 ms | peak RSS MB |"
    echo "|---|---|---|---|---|---|---|"
    awk -F'\t' '$1 == "null" || $1 == "paced-10000" || $1 == "50-terminals" || $1 == "50-terminals-plain" {
      printf "| %s | %s | %s | %.3f | %s | %s | %s |\n", $2, $1, $5, $7, $6, $9, $8 }' "$work/rows"
    echo
    echo "null: one terminal against a database that answers at once, no result rows: the driver's own ceiling."
    echo "paced-10000: 10,000 terminals of 1,000 warehouses with keying and think times on 8 workers, same database."
    echo "50-terminals: the benchmarksql profile with 50 terminals, for its memory; plain is java -jar without flags."
  }
} >"$out/README.md"
{
  echo "profile,jdk,round,who,us_per_tx,life_user_us_per_tx,life_system_us_per_tx,start_s"
  tr '\t' ',' <"$work/costs"
} >"$out/costs.csv"
{
  echo "test,jdk,round,tpmC,tx_per_s,client_us_per_tx,client_cores,peak_rss_mb,lateness_p99_ms,errors"
  tr '\t' ',' <"$work/rows"
} >"$out/runs.csv"
keep_results "$results"
cat "$results/README.md"
