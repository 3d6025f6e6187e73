#!/usr/bin/env bash
# usage: oltp-benchmark.sh DRIVER_JAR HOST PORT USER DATABASE [ROUNDS [SECONDS]]
# What a transaction costs the driver in processor time, beside pgbench and sysbench, in turns, on
# tables that the driver loads into an empty database. PGPASSWORD is the user's password. Each
# round prints a line for each program: microseconds a transaction and transactions a second.
# The start of the driver's JVM counts: take 60 seconds or more.
set -euo pipefail
jar=$(realpath "$1") host=$2 port=$3 user=$4 database=$5 rounds=${6:-3} seconds=${7:-60}
threads=4 tables=4 size=100000 scale=10
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

properties() {
  printf '%s\n' db=postgres driver=org.postgresql.Driver user="$user" password="${PGPASSWORD:-}" \
    "conn=jdbc:postgresql://$host:$port/$database" terminals=$threads loadWorkers=2 runMins=0 \
    retries=10 osCollector=false "$@"
}
properties workload=tpcb scale=$scale runTxnsPerTerminal=1 > tpcb
properties workload=sysbench-oltp tables=$tables tableSize=$size randType=uniform runTxnsPerTerminal=1 > sysbench
for file in tpcb sysbench; do java -jar "$jar" build "$file" > build.log; done

# measure NAME COMMAND...: its processor time, by the number that it prints
measure() {
  local name=$1 count
  shift
  /usr/bin/time -o time -f '%U %S %e' "$@" > out 2>&1
  count=$(grep -oP '(Transaction Count *= *|actually processed: *|^ +transactions: +)\K\d+' out | tail -1)
  awk -v name="$name" -v n="$count" '{printf "%-28s %8.1f us %8.0f /s\n", name, ($1 + $2) * 1e6 / n, n / $3}' time
}

driver() { # NAME FILE TRANSACTIONS [KEY VALUE]...
  local name=$1 file=$2 count=$3
  shift 3
  measure "$name" java -XX:+UseSerialGC -jar "$jar" run "$file" runTxnsPerTerminal "$count" "$@"
}

for ((round = 1; round <= rounds; round++)); do
  measure "pgbench -M prepared" pgbench -n -M prepared -c $threads -j $threads -T "$seconds" \
    -h "$host" -p "$port" -U "$user" "$database"
  count=$(($(grep -oP 'actually processed: *\K\d+' out) / threads))
  for form in separate pipelined function; do driver "tpcb $form" tpcb $count statements $form; done
  measure "sysbench oltp_read_write" sysbench oltp_read_write --db-driver=pgsql --pgsql-host="$host" \
    --pgsql-port="$port" --pgsql-user="$user" --pgsql-password="${PGPASSWORD:-}" \
    --pgsql-db="$database" --tables=$tables --table_size=$size --rand-type=uniform \
    --threads=$threads --time="$seconds" run
  count=$(($(grep -oP '^ +transactions: +\K\d+' out) / threads))
  driver "sysbench-oltp" sysbench $count
done
