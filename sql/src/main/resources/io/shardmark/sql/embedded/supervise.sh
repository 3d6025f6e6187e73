# Runs a PostgreSQL server that must not outlive the process that holds our standard input.
#
#   sh supervise.sh PGDATA LOG SIGNAL DROP COMMAND...
#
# PGDATA is the server's data directory, LOG the file its output is added to, SIGNAL how it is
# stopped (INT: fast, with a checkpoint; QUIT: at once), DROP a directory to delete when our owner
# has died, or nothing.
#
# Our owner writes "stop" to standard input to stop the server, and "leave" after it has ended. End
# of file instead means that the owner has died, even by kill -9: the server is stopped then, and
# DROP deleted. We write "ended" to standard output when the server has ended.
pgdata=$1 log=$2 signal=$3 drop=$4
shift 4

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
    pid=$(head -n 1 "$pgdata/postmaster.pid")
    kill -s "$signal" "${pid:-$server}"
  fi
) >/dev/null 2>&1 &
watcher=$!

wait "$server"
kill -s KILL "$watcher" 2>/dev/null
echo ended 2>/dev/null
read -r order <&3 || { [ -n "$drop" ] && rm -rf "$drop"; }
