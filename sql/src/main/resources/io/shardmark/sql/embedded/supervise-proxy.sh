# Runs a sharding proxy that must not outlive the process that holds our standard input.
#
#   sh supervise-proxy.sh LOG DROP COMMAND...
#
# LOG is the file its output is added to, DROP a directory to delete when our owner has died, or
# nothing. Our owner writes "stop" to standard input to stop the proxy, and "leave" after it has
# ended. End of file instead means that the owner has died, even by kill -9: the proxy is stopped
# then, and DROP deleted. We write "ended" to standard output when the proxy has ended.
log=$1 drop=$2
shift 2

# Ctrl-C goes to everything in the terminal's foreground process group. We and the proxy were put
# into a group of our own by setsid; where there is none (macOS), job control does it.
if [ "$SUPERVISE_JOB_CONTROL" = yes ]; then
  set -m
fi

exec 3<&0 </dev/null
"$@" 3<&- >>"$log" 2>&1 &
proxy=$!
trap '' INT HUP TERM PIPE

(
  order=gone
  read -r order <&3
  if [ "$order" != leave ]; then
    # It finishes the transactions that are open first; what hangs is not waited for.
    kill -s TERM "$proxy"
    seconds=0
    while [ "$seconds" -lt 15 ] && kill -s 0 "$proxy"; do
      sleep 1
      seconds=$((seconds + 1))
    done
    kill -s KILL "$proxy"
  fi
) >/dev/null 2>&1 &
watcher=$!

wait "$proxy"
kill -s KILL "$watcher" 2>/dev/null
echo ended 2>/dev/null
read -r order <&3 || { [ -n "$drop" ] && rm -rf "$drop"; }
