#!/usr/bin/env bash
# Measures what a start and an end of the driver cost in processor seconds, in turns: --version, the
# report of one row, a run of one transaction for each of four terminals, with java -jar and with the
# scripts of driver/run, which keep an archive of classes. Beside them a JVM that does nothing.
#
#   src/test/bench/start-benchmark.sh [rounds] [result directory]
#
# BUILDS=yes also times README's first two commands in a clone of HEAD: the build, for which the
# libraries are there already, and the first round. Needs ./mvnw -q -Dquick package, and PostgreSQL's
# server programs (PGBIN, default: Debian's).
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

rounds=${1:-3}
results=${2:-$root/results/start-$(date +%F)}
needs_built driver/target/driver.jar
jar=$root/driver/target/driver.jar
export SHARDMARK_CACHE=$work/cache
begin_results "$results"
port=$(free_port)
start_server data "$port" shared_buffers=256MB
cat >"$work/props" <<END
db=postgres
driver=org.postgresql.Driver
conn=jdbc:postgresql://127.0.0.1:$port/bench
user=bench
password=
warehouses=1
loadWorkers=2
terminals=4
runTxnsPerTerminal=1
runMins=0
resultDirectory=$work/result_%tH%tM%tS
END
"$java" -jar "$jar" build "$work/props" >/dev/null
mkdir -p "$work/one/data"
cp "$work/props" "$work/one/run.properties"
cat >"$work/one/data/runInfo.csv" <<END
run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier
1,simple,5.0,postgres,2026-11-20 21:37:11.025,1,1,1,1,0,1.0,1.0
END
printf 'run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n1,3000,10,10,NEW_ORDER,0,0,0\n' >"$work/one/data/result.csv"

# what, command...: processor seconds in all, and those after the run's first figure is shown
measure() {
  local what=$1 line shell pid at=
  shift
  rm -f "$work/lines"
  mkfifo "$work/lines"
  (TIMEFORMAT='%U %S'; time "$@" >"$work/lines" 2>/dev/null) 2>"$work/time" &
  shell=$!
  while read -r line; do
    case $line in
      *"Measured tpmC"*)
        pid=$(pgrep -P "$shell" -x java | head -1)
        at=$(cpu_micros "$pid")
        ;;
    esac
  done <"$work/lines"
  wait "$shell"
  awk -v what="$what" -v at="$at" '{ printf "%s,%.2f,%s\n", what, $1 + $2, at == "" ? "" : sprintf("%.2f", $1 + $2 - at / 1e6) }' "$work/time" |
    tee -a "$out/measured.csv"
}

echo "what,cpuSeconds,afterTheLastTransaction" | tee "$out/measured.csv"
# The first use of a script writes its archive.
"$root/driver/run/generateReport.sh" "$work/one" >/dev/null
"$root/driver/run/runBenchmark.sh" "$work/props" >/dev/null
for _ in $(seq "$rounds"); do
  measure "JVM that does nothing" "$java" -version
  measure "--version" "$java" -jar "$jar" --version
  measure "report by java -jar" "$java" -jar "$jar" report "$work/one"
  measure "report by the script" "$root/driver/run/generateReport.sh" "$work/one"
  measure "run by java -jar" "$java" -jar "$jar" run "$work/props"
  measure "run by the script" "$root/driver/run/runBenchmark.sh" "$work/props"
done
if [ "${BUILDS:-}" = yes ]; then
  git clone -q "$root" "$work/clone"
  from=$EPOCHREALTIME
  (cd "$work/clone" && ./mvnw -q -Dquick package >/dev/null)
  built=$EPOCHREALTIME
  (mkdir "$work/first" && cd "$work/first" && "$java" -jar "$work/clone/driver/target/driver.jar" >/dev/null)
  awk -v a="$from" -v b="$built" -v c="$EPOCHREALTIME" \
    'BEGIN { printf "build of a clone: %.0f s, first round: %.0f s\n", b - a, c - b }' | tee "$out/builds.txt"
fi
{
  echo "# What a start of the driver costs"
  echo
  echo "$(machine), $(java_version), PostgreSQL $(postgres_version). Medians of $rounds rounds in turns."
  echo
  echo "| | processor seconds | of them after the last transaction |"
  echo "|---|---|---|"
  tail -n +2 "$out/measured.csv" | awk -F, '
    !($1 in n) { order[++k] = $1 }
    { n[$1]++; all[$1, n[$1]] = $2; after[$1, n[$1]] = $3 }
    function median(of, what,   i, j, t, v) {
      for (i = 1; i <= n[what]; i++) v[i] = of[what, i]
      for (i = 1; i <= n[what]; i++) for (j = i + 1; j <= n[what]; j++) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
      return v[int((n[what] + 1) / 2)]
    }
    END { for (i = 1; i <= k; i++) print "| " order[i] " | " median(all, order[i]) " | " median(after, order[i]) " |" }'
  echo
  [ ! -e "$out/builds.txt" ] || cat "$out/builds.txt"
} | tee "$out/README.md"
keep_results "$results"
