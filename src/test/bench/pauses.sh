#!/usr/bin/env bash
# Runs a command while its processes are stopped and continued at random: finds tests (and programs)
# that depend on how fast somebody else is.
#
#   src/test/bench/pauses.sh [-m MOST_MILLIS] [-l LONG_MILLIS] [-s SEED] [-n NAMES] COMMAND...
#
#   -m  usual pauses last 5 to MOST_MILLIS milliseconds (300)
#   -l  every thirtieth lasts up to LONG_MILLIS (2800); 0: none
#   -s  seed of the choices, printed at the start (a new one each time)
#   -n  only processes whose command name matches this extended regular expression, for example
#       'java|postgres' (.)
#
# Stopped are the descendants of the command, and whatever has inherited its environment, such as a
# server that left its parent; nothing else on the machine. The exit status is the command's own.
set -euo pipefail

most=300 long=2800 seed=$RANDOM names=.
while getopts m:l:s:n: option; do
  case $option in
    m) most=$OPTARG ;;
    l) long=$OPTARG ;;
    s) seed=$OPTARG ;;
    n) names=$OPTARG ;;
    *) sed -n '2,/^$/p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# = 0 ] || [ "$most" -le 5 ]; then
  sed -n '5,14p' "$0" >&2
  exit 2
fi
RANDOM=$seed
mark=SHARDMARK_PAUSES=$$-$seed
echo "pauses: seed $seed, 5 to $most ms, now and then up to $long ms, processes matching $names" >&2

env "$mark" "$@" &
command=$!
stopped=0
resume() { if [ "$stopped" != 0 ]; then kill -CONT "$stopped" 2>/dev/null || true; stopped=0; fi; }
trap 'resume; kill "$command" 2>/dev/null || true' INT TERM
trap resume EXIT

# Those that carry the mark in their environment. Reading /proc may lose a race with an exit.
marked() {
  local file id name
  for file in $(grep -lsz -- "^$mark\$" /proc/[0-9]*/environ 2>/dev/null || true); do
    id=${file#/proc/}; id=${id%/environ}
    [ "$id" != "$$" ] || continue
    name=$(cat "/proc/$id/comm" 2>/dev/null) || continue
    if [[ $name =~ $names ]]; then echo "$id"; fi
  done
}

pauses=0
while kill -0 "$command" 2>/dev/null; do
  mapfile -t ids < <(marked)
  if [ "${#ids[@]}" -gt 0 ]; then
    stopped=${ids[RANDOM % ${#ids[@]}]}
    millis=$((5 + RANDOM % (most - 5)))
    if [ "$long" -gt "$most" ] && [ $((RANDOM % 30)) = 0 ]; then
      millis=$((most + RANDOM % (long - most)))
    fi
    if kill -STOP "$stopped" 2>/dev/null; then
      pauses=$((pauses + 1))
      sleep "$((millis / 1000)).$(printf %03d $((millis % 1000)))"
    fi
    resume
  fi
  sleep "0.0$((10 + RANDOM % 80))"
done
status=0
wait "$command" || status=$?
echo "pauses: $pauses in all; the command ended with status $status" >&2
exit "$status"
