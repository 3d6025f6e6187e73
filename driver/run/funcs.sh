# shellcheck shell=bash
# What the scripts here share; sourced by them, of no use alone. Set JAVA_OPTS for flags of the JVM,
# JAVA_HOME for another JVM than the one on the path.

# Small, since a load generator shares the machine with the database more often than not: a serial
# collector whose young generation stays in 64 MB. The second compiler waits for four times as many
# calls as it does without flags: what a start and an end call often is not worth its time, what a run
# calls is compiled within its first seconds. Flags in JAVA_OPTS come later and win.
DEFAULT_JAVA_OPTS=(-XX:+UseSerialGC -Xmn64m -Xss512k
  -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400
  -XX:Tier4CompileThreshold=60000 -XX:Tier4BackEdgeThreshold=160000)

# Few objects of the proxy live long. The second compiler waits as for the driver, and calls what it has
# compiled instead of compiling it into each caller once more: it spends most of its time on that.
PROXY_JAVA_OPTS=(-XX:+UseSerialGC -Xmn32m -Xmx512m -XX:InlineSmallCode=1000
  -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400
  -XX:Tier4CompileThreshold=60000 -XX:Tier4BackEdgeThreshold=160000)
if [[ $OSTYPE == linux* ]]; then
  PROXY_JAVA_OPTS+=(-XX:+UseTransparentHugePages)
fi

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

# program_jar NAME: prints the path of NAME.jar: next to run/ or in it, in the source tree NAME/target.
program_jar() {
  local here candidate
  here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
  for candidate in "$here/../$1.jar" "$here/$1.jar" "$here/../../$1/target/$1.jar"; do
    if [[ -f $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
  echo "$1.jar not found in $here/.., $here or $here/../../$1/target; build it with ./mvnw package" >&2
  return 1
}

# class_data_options JAVA JAR VERB: sets CLASS_DATA_OPTS, so that a verb finds its classes loaded and
# verified in an archive (JEP 310) that the first use of it with this JVM and jar writes when it ends.
# (The cache of JEP 514 takes a tenth less time, and prints five lines when it is made.) It lies in
# SHARDMARK_CACHE (default: ~/.cache/shardmark); off there switches it off. Without a directory that
# can be written there is none. The JVM knows a jar by its time and size, which two releases can have
# in common; the end of a jar, where a zip file lists what is in it with checksums, names it here.
class_data_options() {
  local release directory archive content part
  CLASS_DATA_OPTS=()
  directory=${SHARDMARK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/shardmark}
  release=$(dirname -- "$(readlink -f -- "$(command -v "$1")")")/../release
  [[ $directory != off && -r $release ]] && mkdir -p -- "$directory" 2>/dev/null && [[ -w $directory ]] || return 0
  content=$(tail -c 4194304 -- "$2" | cksum | cut -d' ' -f1)
  archive=$directory/$3-$(cksum <"$release" | cut -d' ' -f1)-$(readlink -f -- "$2" | cksum | cut -d' ' -f1)
  archive+=-$content-$(stat -Lc %Y -- "$2").jsa
  # A JVM writes the head of the file last: one without it is being written, or its JVM was killed.
  for part in "$archive".*; do
    if [[ -f $part && $(head -c 4 -- "$part" | tr -d '\0' | wc -c) -gt 0 ]]; then
      mv -f -- "$part" "$archive"
    fi
  done
  find "$directory" -maxdepth 1 -name "$3-*.jsa.*" -mmin +60 -delete
  if [[ -f $archive ]]; then
    CLASS_DATA_OPTS=(-XX:SharedArchiveFile="$archive")
  else
    rm -f -- "${archive%-*-*}"-*.jsa # of what this jar was before
    CLASS_DATA_OPTS=(-XX:ArchiveClassesAtExit="$archive.$$-$RANDOM")
  fi
  # Which classes it cannot hold, and that it is another JVM's, is nothing that a user must know.
  CLASS_DATA_OPTS+=(-Xlog:disable -Xlog:all=error:stderr)
}

# run_jar JAVA JAR ARGUMENT...: becomes the JVM, so that signals and the exit status are its own. JVM_OPTS are
# its flags, after which those of JAVA_OPTS win.
run_jar() {
  local options
  read -r -a options <<<"${JAVA_OPTS:-}"
  exec "$1" "${JVM_OPTS[@]}" ${CLASS_DATA_OPTS[@]+"${CLASS_DATA_OPTS[@]}"} \
    ${options[@]+"${options[@]}"} -jar "$2" "${@:3}"
}

# run_driver VERB ARGUMENT...
run_driver() {
  local java=${JAVA_HOME:+$JAVA_HOME/bin/}java jar
  jar=$(program_jar driver) || exit 1
  CLASS_DATA_OPTS=()
  case ${1:-} in
    run) class_data_options "$java" "$jar" run ;;
    report)
      class_data_options "$java" "$jar" report
      # It ends before what the second compiler makes is worth its time.
      CLASS_DATA_OPTS+=(-XX:TieredStopAtLevel=1)
      ;;
  esac
  JVM_OPTS=("${DEFAULT_JAVA_OPTS[@]}")
  run_jar "$java" "$jar" "$@"
}

# run_proxy ARGUMENT...: one file alone starts the proxy, whose classes the archive is to hold.
run_proxy() {
  local java=${JAVA_HOME:+$JAVA_HOME/bin/}java jar
  jar=$(program_jar proxy) || exit 1
  CLASS_DATA_OPTS=()
  if (($# == 1)) && [[ -f $1 ]]; then
    class_data_options "$java" "$jar" proxy
  fi
  JVM_OPTS=("${PROXY_JAVA_OPTS[@]}")
  run_jar "$java" "$jar" "$@"
}
