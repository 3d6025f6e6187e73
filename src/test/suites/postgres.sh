#!/usr/bin/env bash
# Runs PostgreSQL's own tests through the proxy and compares with a plain server.
#
#   src/test/suites/postgres.sh one [FILE...]      one shard: psql's output of each file must be the same
#   src/test/suites/postgres.sh three [FILE...]    three shards: each statement must be answered alike,
#                                                  or refused with 0A000 (lockstep.py)
#   src/test/suites/postgres.sh hash [FILE...]     the same with tables of test_setup hash-partitioned
#   src/test/suites/postgres.sh isolation [FILE...] one shard, pool_mode: session: what isolationtester
#                                                  prints must be the same, or be expected of PostgreSQL
#
# FILE is a test's name without .sql or .spec; without names all of the schedule run: some minutes.
# PGSRC is a source tree of the servers' major version. Without it the source package of Debian's server
# is downloaded into a temporary directory; nothing of it is built or kept. Needs ./mvnw -B -DskipTests
# package, PostgreSQL's server programs (PGBIN), psycopg for Debian's python3 (three), and isolationtester
# (isolation), which is in Debian's postgresql-server-dev. KEEP=DIR keeps outputs.
# Ends with 1 if something differs that postgres-exceptions.txt does not explain.
set -euo pipefail
# shellcheck source=../bench/servers.sh
. "$(dirname "$0")/../bench/servers.sh"

way=${1:-}
case $way in
  one) count=1 tests=regress schedule=parallel_schedule ;;
  three | hash) count=3 tests=regress schedule=parallel_schedule ;;
  isolation) count=1 tests=isolation schedule=isolation_schedule ;;
  *) echo "usage: postgres.sh one|three|hash|isolation [FILE...]" >&2; exit 2 ;;
esac
shift
needs_built proxy/target/proxy.jar
reasons=$root/src/test/suites/postgres-exceptions.txt
keep=${KEEP:-$work/out}
mkdir -p "$keep"

# The machine's own package sources, asked for source packages, with lists in the temporary directory.
fetch_source() {
  local major=$1 file
  needs_programs apt-get
  mkdir -p "$work/apt/sources" "$work/apt/lists/partial" "$work/apt/cache" "$work/source"
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/apt/sources/${file##*/}"
  done
  [ -e /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/apt/sources.list"
  touch "$work/apt/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o "Dir::Etc::sourceparts=$work/apt/sources"
    -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o "APT::Sandbox::User=root")
  "${apt[@]}" update >/dev/null 2>&1 || true # a source without source packages
  # The newest version that the sources have, or else an older one.
  (cd "$work/apt" && "${apt[@]}" source --download-only "postgresql-$major" >/dev/null 2>&1) ||
    (cd "$work/apt" && for version in $("${apt[@]/apt-get/apt-cache}" showsrc "postgresql-$major" 2>/dev/null | sed -n 's/^Version: //p'); do
      "${apt[@]}" source --download-only "postgresql-$major=$version" >/dev/null 2>&1 && break
    done)
  file=$(find "$work/apt" -maxdepth 1 -name "postgresql-${major}_*.orig.tar.*" | head -1)
  [ -n "$file" ] || { echo "no source package of postgresql-$major to be had: set PGSRC" >&2; exit 1; }
  tar xf "$file" -C "$work/source" --strip-components=1
  source_tree=$work/source
}
if [ -n "${PGSRC:-}" ]; then source_tree=$PGSRC; else fetch_source "$("$PGBIN/postgres" -V | sed 's/[^0-9]*\([0-9]*\).*/\1/')"; fi
regress=$source_tree/src/test/$tests
[ -f "$regress/$schedule" ] || { echo "no $schedule in $regress" >&2; exit 1; }
chmod -R a+rX "$source_tree" "$work"

settings=(max_connections=100 max_prepared_transactions=40 fsync=off)
set_up() { # port; what pg_regress sets for its database
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "$1" -U bench postgres -c "create database regression template template0" \
    -c "alter database regression set lc_messages to 'C'" -c "alter database regression set lc_monetary to 'C'" \
    -c "alter database regression set lc_numeric to 'C'" -c "alter database regression set lc_time to 'C'" \
    -c "alter database regression set bytea_output to 'hex'" \
    -c "alter database regression set timezone_abbreviations to 'Default'"
}
plain=$(free_port)
start_server plain "$plain" "${settings[@]}"
set_up "$plain"
proxy=$(free_port)
cat >"$work/proxy.yaml" <<END
listen: 127.0.0.1:$proxy
auth: trust
databases: any
cross_shard_isolation: per_shard
users:
  - {name: bench, password: bench}
pool_mode: $([ "$way" = isolation ] && echo session || echo transaction)
shards:
END
for shard in $(seq "$count"); do
  port=$(free_port)
  start_server "s$shard" "$port" "${settings[@]}"
  set_up "$port"
  echo "  - {name: s$shard, host: 127.0.0.1, port: $port, database: regression, user: bench}" >>"$work/proxy.yaml"
done
"$java" -XX:+UseSerialGC -Xmx512m -jar "$root/proxy/target/proxy.jar" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
wait_for "$proxy" proxy

export PGTZ=PST8PDT PGDATESTYLE="Postgres, MDY" LC_MESSAGES=C PGOPTIONS="-c intervalstyle=postgres_verbose"
export PG_ABS_SRCDIR=$regress PG_ABS_BUILDDIR=$regress PG_DLSUFFIX=.so
PG_LIBDIR=$("$PGBIN/pg_config" --pkglibdir 2>/dev/null || echo "${PGBIN%/bin}/lib")
export PG_LIBDIR
files=("$@")
if [ "${#files[@]}" = 0 ]; then
  # shellcheck disable=SC2207 # names without spaces
  files=($(sed -n 's/^test: //p' "$regress/$schedule"))
  [ "$way" != isolation ] || files+=(prepared-transactions prepared-transactions-cic)
elif [ "$tests" = regress ] && [ "${files[0]}" != test_setup ]; then
  files=(test_setup "${files[@]}")
fi

if [ "$count" = 3 ]; then
  spread=
  [ "$way" = three ] || spread=tenk1:unique1,tenk2:unique1,onek:unique1,int2_tbl:f1,int4_tbl:f1,int8_tbl:q1,text_tbl:f1,varchar_tbl:f1
  sed -n "s/^three //p; s/^$way //p" "$reasons" | sort -u >"$work/reasons"
  options="host=127.0.0.1 user=bench dbname=regression client_encoding=UTF8"
  cd "$regress/sql"
  /usr/bin/python3 "$root/src/test/suites/lockstep.py" --reasons "$work/reasons" --table "$keep/$way.md" --spread "$spread" \
    "$options port=$plain" "$options port=$proxy" "${files[@]/%/.sql}"
  exit
fi

tester=${PG_LIBDIR}/pgxs/src/test/isolation/isolationtester
[ "$way" != isolation ] || [ -x "$tester" ] || { echo "$tester is missing" >&2; exit 1; }
run() { # file, port
  if [ "$way" = isolation ]; then
    PGAPPNAME=isolation/$1 timeout "${FILE_LIMIT:-600}" "$tester" \
      "host=127.0.0.1 port=$2 user=bench dbname=regression" <"specs/$1.spec"
  else
    timeout "${FILE_LIMIT:-600}" "$PGBIN/psql" -h 127.0.0.1 -p "$2" -U bench -X -a -q -d regression \
      -v HIDE_TABLEAM=on -v HIDE_TOAST_COMPRESSION=on <"sql/$1.sql"
  fi
}
ended() { # status; what an isolation test that ended early has left would disturb the next one
  echo "$file: ended with $1 on the $target server" >>"$keep/$file.$target"
  [ "$way" != isolation ] || "$PGBIN/psql" -X -q -h 127.0.0.1 -p "${!target}" -U bench regression \
    -c "drop schema public cascade; create schema public; grant all on schema public to public" >>"$keep/ended.log" 2>&1 || true
}
is_expected() { # file: whether the proxy's output is one of those that PostgreSQL's tests take
  local output
  for output in "$regress/expected/$1.out" "$regress/expected/$1"_[0-9].out; do
    cmp -s "$output" "$keep/$1.proxy" && return
  done
  return 1
}
different=0
same=0
cd "$regress"
for file in "${files[@]}"; do
  for target in plain proxy; do
    run "$file" "${!target}" >"$keep/$file.$target" 2>&1 || ended "$?"
  done
  reason=$(sed -n "s/^$way $file : //p" "$reasons")
  if cmp -s "$keep/$file.plain" "$keep/$file.proxy" || { [ "$way" = isolation ] && is_expected "$file"; }; then
    same=$((same + 1))
    case $reason in
      "" | sometimes*) ;;
      *) echo "$file: in postgres-exceptions.txt, but the same"; different=1 ;;
    esac
  elif [ -n "$reason" ]; then
    echo "$file: differs: $reason"
  else
    different=1
    echo "$file: differs in $(diff "$keep/$file.plain" "$keep/$file.proxy" | grep -c '^[<>]') lines"
    { diff "$keep/$file.plain" "$keep/$file.proxy" || true; } | head -20 | sed 's/^/  /'
  fi
done
echo "$same of ${#files[@]} files give the same"
exit "$different"
