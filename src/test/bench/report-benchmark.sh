#!/usr/bin/env bash
# Times the report: a result.csv of ten million rows over five hours, and a usual run of five minutes.
#
#   src/test/bench/report-benchmark.sh [ROWS]      default: 10000000
#
# Needs ./mvnw -B -DskipTests package, and 300 MB in TMPDIR. Prints a table; the time holds the start
# of the JVM, the memory is the most that the process ever had (VmHWM, so on Linux only).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

rows=${1:-10000000}
needs_built driver/target/driver.jar
jar=$root/driver/target/driver.jar

# A directory as BenchmarkSQL 5.0 leaves it: NAME ROWS MINUTES.
make_directory() {
  mkdir -p "$work/$1/data"
  printf 'db=postgres\nwarehouses=100\nterminals=200\nrunMins=%s\n' "$3" > "$work/$1/run.properties"
  {
    echo 'run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier'
    echo "1,simple,5.0,postgres,2026-11-20 21:37:11.025,$3,100,100,200,0,1.0,1.0"
  } > "$work/$1/data/runInfo.csv"
  LC_ALL=C awk -v rows="$2" -v millis="$(($3 * 60000))" 'BEGIN {
    srand(1)
    print "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error"
    for (i = 0; i < rows; i++) {
      r = rand()
      type = r < 0.43 ? "PAYMENT" : r < 0.88 ? "NEW_ORDER" : r < 0.92 ? "ORDER_STATUS" : r < 0.96 ? "STOCK_LEVEL" : "DELIVERY_BG"
      latency = int(3 - 12 * log(1 - rand()))
      print "1," int((i + 1) * millis / rows) "," latency "," latency "," type ",0,0,0"
    }
  }' > "$work/$1/data/result.csv"
}

# Seconds and peak memory of one report of a directory.
measure() {
  local start=$EPOCHREALTIME peak=0 now pid
  "$java" -Xmx256m -jar "$jar" report "$work/$1" > "$work/out" &
  pid=$!
  while now=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2> /dev/null) && [ -n "$now" ]; do
    peak=$now
    sleep 0.05
  done
  wait "$pid"
  awk -v a="$start" -v b="$EPOCHREALTIME" -v peak="$peak" -v rows="$(($(wc -l < "$work/$1/data/result.csv") - 1))" \
    -v csv="$(stat -c %s "$work/$1/data/result.csv")" -v html="$(stat -c %s "$work/$1/report.html")" \
    'BEGIN { printf "| %d | %.0f MB | %.1f s | %.0f MB | %.1f MB |\n", rows, csv / 1e6, b - a, peak / 1024, html / 1e6 }'
}

echo "$(machine), $(java_version), -Xmx256m"
echo
echo "| rows | result.csv | time | memory | report.html |"
echo "|---|---|---|---|---|"
make_directory usual 300000 5
for _ in 1 2 3; do measure usual; done
make_directory long "$rows" 300
measure long
