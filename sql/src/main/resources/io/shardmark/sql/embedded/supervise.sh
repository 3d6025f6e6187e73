# Runs a server that must not outlive the process that holds our standard input.
#
#   sh supervise.sh LOG PIDFILE SIGNAL SECONDS DROP COMMAND...
#
# LOG is the file its output is added to; PIDFILE the file whose first line is its process, or
# nothing; SIGNAL how it is stopped; SECONDS how long it may take until it is killed, or nothing for
# as long as it likes; DROP a directory to delete when our owner has died, or nothing.
#
# Our owner writes "stop" to standard input to stop the server, and "leave" after it has ended. End
# of file instead means that the owner has died, even by kill -9: the server is stopped then, and
# DROP deleted. We write "ended" to standard output when the server has ended.
log=$1 pidfile=$2 signal=$3 seconds=$4 drop=$5
shift 5

# Ctrl-C goes to everything in the terminal's foreground process group. We and the server were put
# into a group of our own by setsid; where there is none (macOS), job control does it.
if [ "$SUPERVISE_JOB_CONTROL" = yes ]; then
  set -m
fi

exec 3<&0 </dev/null
"$@" 3<&- >>"$log" 2>&1 &
server=$!
trap '' INT HUP TERM PIPE

(
  order=gone
  read -r order <&3
  if [ "$order" != leave ]; then
    # Programs that change the user run the server as their child, so $server may not be it.
    pid=
    [ -n "$pidfile" ] && pid=$(head -n 1 "$pidfile")
    pid=${pid:-$server}
    children=$(ps -A -o ppid= -o pid= | awk -v parent="$pid" '$1 == parent { print $2 }')
    kill -s "$signal" "$pid"
    # What an event has stopped takes no other signal until it goes on.
    kill -s CONT "$pid" $children
    if [ -n "$seconds" ]; then
      while [ "$seconds" -gt 0 ] && kill -s 0 "$server"; do
        sleep 1
        seconds=$((seconds - 1))
      done
      kill -s KILL "$server"
    fi
  fi
) >/dev/null 2>&1 &
watcher=$!

wait "$server"
kill -s KILL "$watcher" 2>/dev/null
echo ended 2>/dev/null
read -r order <&3 || { [ -n "$drop" ] && rm -rf "$drop"; }
