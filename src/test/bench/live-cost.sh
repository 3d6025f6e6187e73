#!/usr/bin/env bash
# What watching a run costs the driver: processor time of its threads in a run against conn=null:,
# with nobody watching, and with the page open and Prometheus scraping.
# Linux; needs curl. Usage: src/test/bench/live-cost.sh [SECONDS] [TXNS_PER_MIN] [WARM_UP_SECONDS]
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"
seconds=${1:-60}
rate=${2:-600000}
warm_up=${3:-10}
needs_built driver/target/driver.jar
cd "$work"
cat >props <<PROPS
db=postgres
driver=org.postgresql.Driver
conn=null:
user=nobody
password=none
warehouses=10
terminals=50
runTxnsPerTerminal=0
runMins=10
limitTxnsPerMin=$rate
terminalWarehouseFixed=true
newOrderWeight=45
paymentWeight=43
orderStatusWeight=4
deliveryWeight=4
stockLevelWeight=4
PROPS

# Nanoseconds on a processor so far, by group of threads.
threads() {
  for task in /proc/"$1"/task/*; do
    name=$(tr ' ' _ <"$task/comm" 2>/dev/null) || continue
    read -r nanos _ <"$task/schedstat" || continue
    case $name in
      collector) echo "collector $nanos" ;;
      live-http* | HTTP-Dispatch* | idle-timeout* ) echo "http $nanos" ;;
      main | java ) echo "main $nanos" ;;
      Worker-*) echo "workers $nanos" ;;
      *) echo "jvm $nanos" ;;
    esac
  done | awk '{ sum[$1] += $2 } END { for (name in sum) print name, sum[name] }' | sort
}

# measure NAME PID: for so many seconds, after a warm-up in which most code is compiled.
measure() {
  sleep "$warm_up"
  threads "$2" >before
  sleep "$seconds"
  threads "$2" >after
  join before after | awk -v name="$1" -v seconds="$seconds" \
    '{ share = ($3 - $2) / 1e7 / seconds; line = line sprintf("  %s %.3f", $1, share); all += share }
     END { printf "%-10s all %.3f%s   (%% of one processor)\n", name, all, line }'
}

options=(-XX:+UseSerialGC -Xmn64m -Xss512k -jar "$root/driver/target/driver.jar" run props)

java "${options[@]}" >log 2>&1 &
measure nobody $!
kill -TERM $! && wait $! || true

java "${options[@]}" metricsPort 0 >log 2>&1 &
driver=$!
until url=$(grep -o 'http://127.0.0.1:[0-9]*/' log | head -1) && [ -n "$url" ]; do sleep 0.2; done
(
  width=0 from=0
  for ((i = 0; ; i++)); do
    answer=$(curl -s "${url}api/live?viewer=cost&width=$width&from=$from") || exit 0
    width=1
    from=$(grep -o '"size":[0-9]*' <<<"$answer" | cut -d: -f2)
    if ((i % 5 == 0)); then curl -s "${url}metrics" >/dev/null || exit 0; fi
    sleep 1
  done
) &
measure page "$driver"
kill -TERM "$driver" && wait "$driver" || true
