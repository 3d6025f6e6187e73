# shellcheck shell=bash
# What the scripts here share; sourced by them, of no use alone. Set JAVA_OPTS for flags of the JVM,
# JAVA_HOME for another JVM than the one on the path.

# Small, since a load generator shares the machine with the database more often than not: a serial
# collector whose young generation stays in 64 MB. Flags in JAVA_OPTS come later and win.
DEFAULT_JAVA_OPTS=(-XX:+UseSerialGC -Xmn64m -Xss512k)

# usage LINE: prints it and ends.
usage() {
  echo "usage: $1" >&2
  exit 2
}

# require_file PROPS
require_file() {
  if [[ ! -f $1 ]]; then
    echo "$1: no such file or directory" >&2
    exit 1
  fi
}

# Prints the path of driver.jar: in the source tree ../target, in a copy beside run/ or in it.
driver_jar() {
  local here candidate
  here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
  for candidate in "$here/../target/driver.jar" "$here/../driver.jar" "$here/driver.jar"; do
    if [[ -f $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
  echo "driver.jar not found in $here/../target, $here/.. or $here; build it with ./mvnw package" >&2
  return 1
}

# run_driver VERB ARGUMENT...: becomes the JVM, so that signals and the exit status are its own.
run_driver() {
  local java jar options
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  jar=$(driver_jar) || exit 1
  read -r -a options <<<"${JAVA_OPTS:-}"
  exec "$java" "${DEFAULT_JAVA_OPTS[@]}" ${options[@]+"${options[@]}"} -jar "$jar" "$@"
}
