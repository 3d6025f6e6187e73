#!/usr/bin/env bash
# Runs the test suites of drivers against one private PostgreSQL, directly and through the proxy with
# that server as its only shard, and prints the tests whose outcomes differ.
#
#   src/test/suites/run.sh [pgx] [asyncpg]
#
# Both by default. The suites come from the package registries, by name: pgx by go, asyncpg by pip.
# PGX_VERSION and ASYNCPG_VERSION choose versions. Needs ./mvnw -B -DskipTests package, go, python3
# and PostgreSQL's server programs (PGBIN). Ends with 1 if an outcome differs that exceptions.txt does
# not explain, or one differs no more that it does.
set -euo pipefail
# shellcheck source=../bench/servers.sh
. "$(dirname "$0")/../bench/servers.sh"

suites=("$@")
[ "${#suites[@]}" -gt 0 ] || suites=(pgx asyncpg)
needs_built proxy/target/proxy.jar

direct=$(free_port)
start_server data "$direct" max_connections=200 max_prepared_transactions=20
"$PGBIN/psql" -X -q -h 127.0.0.1 -p "$direct" -U bench bench \
  -c "alter role bench password 'bench'" -c "create extension if not exists hstore" -c "create extension if not exists ltree" \
  -c "create extension if not exists citext" -c "create domain uint64 as numeric(20,0)"
proxied=$(free_port)
cat >"$work/proxy.yaml" <<END
listen: 127.0.0.1:$proxied
auth: trust
databases: [bench, postgres]
users:
  - {name: bench, password: bench}
shards:
  - {name: s1, host: 127.0.0.1, port: $direct, database: bench, user: bench}
pool_size: 20
END
"$java" -jar "$root/proxy/target/proxy.jar" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
wait_for "$proxied" proxy

run_pgx() { # port; prints a line for each test: outcome, name
  export PGX_TEST_DATABASE="host=127.0.0.1 port=$1 user=bench password=bench dbname=bench sslmode=disable"
  export PGX_TEST_TCP_CONN_STRING=$PGX_TEST_DATABASE
  (cd "$work/pgx" && go test -p 1 -count 1 -timeout 10m -json ./... 2>"$work/pgx.$1.err" || true) |
    sed -n 's/.*"Action":"\(pass\|fail\|skip\)","Package":"\([^"]*\)","Test":"\([^"]*\)".*/\1 \2 \3/p' |
    sed 's#/tmp/[A-Za-z]*[0-9]*/#/tmp/#'
}
fetch_pgx() {
  local module
  needs_programs go
  module=$(cd "$work" && go mod download -json "github.com/jackc/pgx/v5@${PGX_VERSION:-latest}" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp -r "$module" "$work/pgx"
  chmod -R u+w "$work/pgx"
}

run_asyncpg() { # port
  # Those of test_adversity and test__* concern no server.
  (cd "$work/asyncpg" && PGHOST=127.0.0.1 PGPORT=$1 PGUSER=bench PGPASSWORD=bench PGDATABASE=bench \
    timeout 900 "$work/python/bin/python" -m pytest -q -rA -p no:cacheprovider --color=no tests \
    --deselect tests/test__sourcecode.py --deselect tests/test_adversity.py >"$work/asyncpg.$1.log" 2>&1 || true)
  sed -n 's/^\(PASSED\|FAILED\|ERROR\|SKIPPED\) \(tests[^ ]*\).*/\1 \2/p' "$work/asyncpg.$1.log"
}
fetch_asyncpg() {
  needs_programs python3
  python3 -m venv "$work/python"
  "$work/python/bin/pip" install -q "asyncpg==${ASYNCPG_VERSION:-0.30.0}" pytest async_timeout distro
  "$work/python/bin/pip" download -q --no-deps --no-binary asyncpg -d "$work" "asyncpg==${ASYNCPG_VERSION:-0.30.0}"
  mkdir "$work/asyncpg"
  tar xzf "$work"/asyncpg-*.tar.gz -C "$work/asyncpg" --strip-components=1
  rm -rf "$work/asyncpg/asyncpg" # the installed one is tested
}

passed() { # outcomes; prints the tests that passed
  sed -n 's/^\(pass\|PASSED\) //p' "$work/$1" | sort -u
}

different=0
for suite in "${suites[@]}"; do
  "fetch_$suite"
  "run_$suite" "$direct" | sort >"$work/$suite.direct"
  grep -qi '^pass' "$work/$suite.direct" || { echo "$suite does not run: no test passes directly" >&2; exit 1; }
  "run_$suite" "$proxied" | sort >"$work/$suite.proxied"
  for way in direct proxied; do
    echo "$suite, $way: $(cut -d' ' -f1 "$work/$suite.$way" | sort | uniq -c | tr -s ' \n' ' ')"
  done
  sed -n "s/^$suite \(.*\) : .*/\1/p" "$root/src/test/suites/exceptions.txt" | sort >"$work/$suite.known"
  # Passed directly and did not through the proxy.
  comm -13 <(passed "$suite.proxied") <(passed "$suite.direct") >"$work/$suite.lost"
  comm -13 "$work/$suite.known" "$work/$suite.lost" >"$work/$suite.new"
  # Those whose reason begins with "sometimes" may pass.
  sed -n "/ : sometimes/d; s/^$suite \(.*\) : .*/\1/p" "$root/src/test/suites/exceptions.txt" | sort |
    comm -23 - "$work/$suite.lost" >"$work/$suite.mended"
  echo "$suite: $(wc -l <"$work/$suite.lost") pass directly and not through the proxy, $(wc -l <"$work/$suite.new") of them not in exceptions.txt"
  sed 's/^/  not in exceptions.txt: /' "$work/$suite.new"
  sed 's/^/  in exceptions.txt, but passes: /' "$work/$suite.mended"
  [ ! -s "$work/$suite.new" ] && [ ! -s "$work/$suite.mended" ] || different=1
done
if [ -n "${KEEP:-}" ]; then
  cp "$work"/*.log "$work"/*.err "$work"/*.direct "$work"/*.proxied "$KEEP" 2>/dev/null || true
fi
exit "$different"
