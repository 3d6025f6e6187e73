#!/usr/bin/env bash
# Idle sessions beside a run (docs/idle-sessions.md): config/props.idle, kept with its report.
#
#   src/test/bench/idle-benchmark.sh [minutes] [sessions] [result directory]
#
# The minutes are those of the run; all sessions are open for about four less. Needs ./mvnw -B
# -DskipTests package, as many file handles as config/props.idle says, and jq.
set -euo pipefail
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"

minutes=${1:-14}
sessions=${2:-100800}
results=$(realpath -m "${3:-$root/results/idle-$(date +%F)}")
driver_jar=$root/driver/target/driver.jar
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs jq
begin_results "$results"

"$java" -jar "$driver_jar" "$root/config/props.idle" runMins "$minutes" idleSessions "$sessions" resultRows none \
  resultDirectory "$work/run" >"$work/log" 2>&1 || {
  tail -n 20 "$work/log" >&2
  exit 1
}
cp "$work/run/summary.json" "$work/run/report.html" "$out/"
{
  echo "# $(jq -r .idleSessions.opened "$work/run/summary.json") idle sessions beside a run"
  echo
  echo "$(machine);"
  echo "$(java_version), $(ulimit -n) file handles a process; six proxies, two PostgreSQL servers, driver and the sessions' processes on the same processors."
  echo
  echo "Repeat: \`src/test/bench/idle-benchmark.sh $minutes $sessions\`, which runs \`config/props.idle\`. [idle-sessions.md](../../docs/idle-sessions.md) says what the figures mean; \`report.html\` is the run's report."
  echo
  jq -r '.idleSessions
    | .opened as $opened
    | "| figure | |", "|---|---|",
      "| opened | \(.opened) of \(.asked) in \(.openSeconds * 10 | round / 10) s, \(.opened / .openSeconds | round) a second |",
      "| lost | \(.lost) |",
      "| memory of the proxies | \([.endpoints[] | .bytesAtEnd - .bytesBefore] | add / 1048576 | round) MiB more just before they close than before they opened, \([.endpoints[] | .bytesAtEnd - .bytesBefore] | add / 1024 / $opened * 10 | round / 10) KiB each |",
      "| questions of every hundredth | \(.questions.right) answered right, \(.questions.wrong) wrong, \(.questions.unanswered) not; p50 \(.questions.latencyMillis.p50) ms, p99 \(.questions.latencyMillis.p99) ms |"' "$work/run/summary.json"
  echo
  jq -r '.idleSessions.phases
    | "| phase | s | transactions/s | failed | p50 ms | p90 | p99 | max |", "|---|---|---|---|---|---|---|---|",
      (.[] | "| \(.name) | \(.seconds * 10 | round / 10) | \(.successes / .seconds | round) | \(.errors) | \(.latencyMillis.p50) | \(.latencyMillis.p90) | \(.latencyMillis.p99) | \(.latencyMillis.max) |")' "$work/run/summary.json"
  echo
  grep -E ' conditions: ' "$work/log"
} >"$out/README.md"
keep_results "$results"
cat "$results/README.md"
