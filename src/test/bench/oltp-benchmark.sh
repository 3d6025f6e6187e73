#!/usr/bin/env bash
# What a transaction of workload=tpcb, sysbench-oltp and bmt (ten inserts) costs the driver in processor
# time, beside pgbench and sysbench, in turns, on tables that the driver loads into a PostgreSQL of its own.
#
#   src/test/bench/oltp-benchmark.sh [rounds] [seconds] [warm-up seconds] [result directory]
#
# Needs ./mvnw -B -DskipTests package, PostgreSQL's server programs and pgbench (PGBIN, default:
# Debian's), sysbench and jq. JAR: another driver than the built one. The driver's time is that of its
# measurement interval, after a warm-up in which the JIT compilers get through with it; that of the
# others is their whole life.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

rounds=${1:-3}
seconds=${2:-30}
warm_up=${3:-60}
results=${4:-$root/results/oltp-$(date +%F)}
jar=$(realpath "${JAR:-$root/driver/target/driver.jar}")
[ -n "${JAR:-}" ] || needs_built driver/target/driver.jar
needs_programs jq sysbench
threads=4 tables=4 size=100000 scale=10
flags=$driver_flags

begin_results "$results"
port=$(free_port)
start_server data "$port" shared_buffers=1GB max_wal_size=8GB checkpoint_timeout=30min synchronous_commit=off
cd "$work"

minutes() { awk -v s="$1" 'BEGIN { printf "%.4f", s / 60 }'; }
properties() {
  printf '%s\n' db=postgres driver=org.postgresql.Driver user=bench password= \
    "conn=jdbc:postgresql://127.0.0.1:$port/bench" terminals=$threads loadWorkers=2 retries=10 \
    "runMins=$(minutes "$seconds")" "rampupMins=$(minutes "$warm_up")" resultRows=none \
    osCollector=false "resultDirectory=$work/run" "$@"
}
properties workload=tpcb scale=$scale >tpcb
properties workload=sysbench-oltp tables=$tables tableSize=$size randType=uniform >sysbench
properties workload=bmt rows=10000 >bmt
{ # the driver's statements; pgbench's BEGIN is a round trip of its own
  echo 'begin;'
  for _ in $(seq 10); do
    echo '\set id :id + 1'
    echo 'insert into tb_test1 (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)' \
      'values (:client_id * 100000000 + 100000000 + :id, :t, :id, :t, :t, :t, :t, :t, 1, current_date);'
  done
  echo 'commit;'
} >bmt.sql
text=$(printf 'x%.0s' $(seq 500))
verb() { # verb, properties
  "$java" -jar "$jar" "$1" "$2" >verb.log 2>&1 || { cat verb.log >&2; exit 1; }
}

row() { # group, name, microseconds for each transaction, transactions each second
  printf '%s\t%s\t%.1f\t%.0f\n' "$@" | tee -a rows
}
tool() { # group, name, command...
  local group=$1 name=$2 count
  shift 2
  TIMEFORMAT="%U %S %R"
  { time "$@" >out 2>&1; } 2>time || { cat out >&2; exit 1; }
  count=$(grep -oP '(actually processed: *|^ +transactions: +)\K\d+' out)
  # shellcheck disable=SC2046 # two words
  row "$group" "$name" $(awk -v n="$count" '{ print ($1 + $2) * 1e6 / n, n / $3 }' time)
}
driver() { # group, name, properties, [key, value]...
  local group=$1 name=$2 file=$3
  shift 3
  rm -rf run
  # shellcheck disable=SC2086 # the flags are words
  "$java" $flags -jar "$jar" run "$file" "$@" >out 2>&1 || { cat out >&2; exit 1; }
  # shellcheck disable=SC2046 # two words
  row "$group" "$name" $(jq -r '.rates.transactionCount as $n | .interval.seconds as $s |
    "\(.client.coresUsed * $s * 1e6 / $n) \($n / $s)"' run/summary.json)
}

tpcb() { driver tpcb "driver, $1" tpcb statements "$1"; }
round() {
  tool tpcb pgbench "$PGBIN/pgbench" -n -M prepared -c $threads -j $threads \
    -T "$seconds" -h 127.0.0.1 -p "$port" -U bench bench
  tpcb separate
  tpcb pipelined
  tpcb function
  tool sysbench sysbench sysbench oltp_read_write --db-driver=pgsql --pgsql-host=127.0.0.1 \
    --pgsql-port="$port" --pgsql-user=bench --pgsql-db=bench --tables=$tables --table_size=$size \
    --rand-type=uniform --threads=$threads --time="$seconds" run
  driver sysbench driver sysbench
  empty_bmt
  tool bmt pgbench "$PGBIN/pgbench" -n -M prepared -c $threads -j $threads -D id=0 -D "t=$text" -f bmt.sql \
    -T "$seconds" -h 127.0.0.1 -p "$port" -U bench bench
  empty_bmt
  driver bmt driver bmt
}
empty_bmt() { # the table grows with each insert: both begin with the same one
  verb destroy bmt
  verb build bmt
}

for file in tpcb sysbench bmt; do verb build "$file"; done
echo "group	program	us/tx	tx/s"
for _ in $(seq "$rounds"); do round; done
for file in tpcb sysbench bmt; do "$java" -jar "$jar" verify "$file" | tail -1; done

median() { # group, name, column
  awk -F'\t' -v g="$1" -v n="$2" -v c="$3" '$1 == g && $2 == n { print $c }' rows | sort -n |
    awk '{ v[NR] = $1 } END { printf "%.1f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
{
  echo "# A transaction's processor time in the driver, pgbench and sysbench"
  echo
  echo "$(machine);"
  echo "PostgreSQL $(postgres_version) on the same processors; $threads terminals, median of $rounds rounds in turns of $seconds s,"
  echo "the driver's after $warm_up s of warm-up. $(java_version), \`$flags\`."
  echo
  echo "Repeat: \`src/test/bench/oltp-benchmark.sh $rounds $seconds $warm_up\`"
  echo
  echo "| transaction | program | us/tx | of the tool's | tx/s |"
  echo "|---|---|---|---|---|"
  cut -f1,2 rows | awk '!seen[$0]++' | while IFS=$'\t' read -r group name; do
    tool=pgbench
    [ "$group" != sysbench ] || tool=sysbench
    printf '| %s | %s | %s | %s | %.0f |\n' "$group" "$name" "$(median "$group" "$name" 3)" \
      "$(awk -v a="$(median "$group" "$name" 3)" -v b="$(median "$group" "$tool" 3)" 'BEGIN { printf "%.2f", a / b }')" \
      "$(median "$group" "$name" 4)"
  done
} >"$out/README.md"
cp rows "$out/rows.tsv"
keep_results "$results"
cat "$results/README.md"
