#!/usr/bin/env bash
# Migrates schemas through the proxy over three shards with the tools that applications use: up, again,
# down and up where the tool has that. Then every table must be the same on all shards.
#
#   src/test/suites/migrations.sh [django] [alembic] [knex] [goose] [migrate] [prisma] [rails] [hibernate]
#
# All by default. The tools come from the package registries, by name, into a temporary directory.
# MODE=s1 puts unsharded tables on the first shard instead (unsharded_tables). Needs ./mvnw -B
# -DskipTests package, PostgreSQL's server programs (PGBIN), and for each tool its language: python3,
# npm, go, ruby with Debian's ruby-activerecord and ruby-pg, or a JDK with mvn. Ends with 1 if a tool
# fails or copies differ. Flyway and Liquibase are in the proxy's tests.
set -euo pipefail
# shellcheck source=../bench/servers.sh
. "$(dirname "$0")/../bench/servers.sh"

tools=("$@")
[ "${#tools[@]}" -gt 0 ] || tools=(django alembic knex goose migrate prisma rails hibernate)
needs_built proxy/target/proxy.jar
inputs=$root/src/test/suites/migrations

server=$(free_port)
start_server data "$server" max_connections=200 max_prepared_transactions=50
as_client() { "$PGBIN/psql" -X -q -At -h 127.0.0.1 -p "$server" -U bench "$@"; }
port=$(free_port)
{
  echo "listen: 127.0.0.1:$port"
  echo "auth: trust"
  echo "databases: [bench]"
  echo "unsharded_tables: ${MODE:-reference}"
  echo "users: [{name: bench, password: bench}]"
  echo "shards:"
  for shard in s1 s2 s3; do
    as_client bench -c "create database $shard"
    echo "  - {name: $shard, host: 127.0.0.1, port: $server, database: $shard, user: bench}"
  done
} >"$work/proxy.yaml"
"$java" -jar "$root/proxy/target/proxy.jar" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
wait_for "$port" proxy
jdbc="jdbc:postgresql://127.0.0.1:$port/bench"

python() { # packages
  needs_programs python3
  [ -d "$work/python" ] || python3 -m venv "$work/python"
  "$work/python/bin/pip" install -q "$@"
}
run_django() {
  python "django<6" "psycopg[binary]"
  mkdir "$work/django"
  (
    cd "$work/django"
    "$work/python/bin/django-admin" startproject site1 .
    "$work/python/bin/python" manage.py startapp shop
    cp "$inputs/django_models.py" shop/models.py
    cat >>site1/settings.py <<END
INSTALLED_APPS.append("shop")
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "bench", "USER": "bench",
                         "PASSWORD": "bench", "HOST": "127.0.0.1", "PORT": "$port"}}
END
    for command in "makemigrations shop" migrate migrate "migrate shop zero" "migrate auth zero" migrate; do
      # shellcheck disable=SC2086 # words
      "$work/python/bin/python" manage.py $command
    done
  )
}
run_alembic() {
  python alembic "psycopg[binary]"
  mkdir "$work/alembic"
  (
    cd "$work/alembic"
    "$work/python/bin/alembic" init scripts
    sed -i "s#^sqlalchemy.url.*#sqlalchemy.url = postgresql+psycopg://bench:bench@127.0.0.1:$port/bench#" alembic.ini
    cp "$inputs"/alembic_*.py scripts/versions/
    for command in "upgrade head" "upgrade head" "downgrade base" "upgrade head"; do
      # shellcheck disable=SC2086 # words
      "$work/python/bin/alembic" $command
    done
  )
}
run_knex() {
  needs_programs npm
  mkdir "$work/knex"
  (
    cd "$work/knex"
    npm init -y
    npm install --no-audit --no-fund knex pg
    cp -r "$inputs/knex" migrations
    echo "module.exports = { client: 'pg', connection: 'postgres://bench:bench@127.0.0.1:$port/bench' };" >knexfile.js
    for command in migrate:latest migrate:latest "migrate:rollback --all" migrate:latest; do
      # shellcheck disable=SC2086 # words
      npx knex $command
    done
  )
}
run_goose() {
  needs_programs go
  GOBIN=$work go install -tags="no_clickhouse no_libsql no_mssql no_mysql no_sqlite3 no_vertica no_ydb" \
    "github.com/pressly/goose/v3/cmd/goose@${GOOSE_VERSION:-v3.24.1}"
  for command in up up down redo "down-to 0" up; do
    # shellcheck disable=SC2086 # words
    "$work/goose" -dir "$inputs/goose" postgres "postgres://bench:bench@127.0.0.1:$port/bench?sslmode=disable" $command
  done
}
run_migrate() {
  needs_programs go
  GOBIN=$work go install -tags=postgres "github.com/golang-migrate/migrate/v4/cmd/migrate@${MIGRATE_VERSION:-v4.18.3}"
  for command in up up "down 1" up "down -all" up; do
    # shellcheck disable=SC2086 # words
    "$work/migrate" -path "$inputs/migrate" -database "postgres://bench:bench@127.0.0.1:$port/bench?sslmode=disable&x-migrations-table=migrate_versions" $command
  done
}
# Prisma's own programs are not in a registry: the package has its schema engine as WebAssembly too, which
# works over a driver. It looks for the programs even so, so it is given a file that it does not use.
run_prisma() {
  needs_programs npm
  cp -r "$inputs/prisma" "$work/prisma"
  "$PGBIN/psql" -X -q -h 127.0.0.1 -p "$port" -U bench bench -c "create schema prisma" # a reset drops all of it
  (
    cd "$work/prisma"
    npm init -y
    npm install --no-audit --no-fund --ignore-scripts "prisma@${PRISMA_VERSION:-6.19}" "@prisma/adapter-pg@${PRISMA_VERSION:-6.19}"
    export DATABASE_URL=postgres://bench:bench@127.0.0.1:$port/bench CHECKPOINT_DISABLE=1
    export PRISMA_QUERY_ENGINE_LIBRARY=$work/prisma/package.json PRISMA_SCHEMA_ENGINE_BINARY=$work/prisma/package.json
    for command in "migrate deploy" "migrate deploy" "migrate status" "migrate reset --force --skip-generate --skip-seed"; do
      # shellcheck disable=SC2086 # words
      npx prisma $command
    done
    # That engine ends at any CHECK constraint, on a plain server too; tables of one shard have one.
    [ "${MODE:-reference}" != reference ] || npx prisma db push --skip-generate
  )
}
run_rails() {
  needs_programs ruby
  ruby "$inputs/rails.rb" "postgres://bench:bench@127.0.0.1:$port/bench" "$inputs/rails"
}
# Hibernate is under LGPL or Apache-2.0.
on_jvm() { # class, groupId:artifactId:version, arguments
  needs_programs mvn javac
  local name=$1 group artifact version
  IFS=: read -r group artifact version <<<"$2"
  mkdir -p "$work/jvm/$name"
  cat >"$work/jvm/$name/pom.xml" <<END
<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
<dependencies>
<dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version></dependency>
<dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId><version>42.7.7</version></dependency>
</dependencies></project>
END
  (cd "$work/jvm/$name" && mvn -B -ntp -q dependency:build-classpath -Dmdep.outputFile=classpath)
  local classpath
  classpath=$work/jvm/$name:$(cat "$work/jvm/$name/classpath")
  javac -d "$work/jvm/$name" -cp "$classpath" "$inputs/$name.java"
  "$java" -cp "$classpath" "$name" "${@:3}"
}
run_hibernate() { on_jvm Hibernate "org.hibernate.orm:hibernate-core:${HIBERNATE_VERSION:-6.6.13.Final}" "$jdbc"; }

tables() { # shard; each table with a digest of its rows
  as_client "$1" -c "select format('select %L, md5(string_agg(t::text, chr(10) order by t::text)) from %s t;', c.oid::regclass, c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'shardmark') order by 1" | as_client "$1"
}
failed=0
for tool in "${tools[@]}"; do
  set +e # or a command that fails would not end it
  (set -e; "run_$tool") >"$work/$tool.log" 2>&1
  status=$?
  set -e
  if [ "$status" = 0 ]; then
    result=migrated
  else
    result=FAILED
    failed=1
    tail -n 20 "$work/$tool.log"
  fi
  for shard in s1 s2 s3; do tables "$shard" >"$work/$shard.tables"; done
  copies="$(wc -l <"$work/s1.tables") tables"
  if [ "${MODE:-reference}" != reference ]; then
    [ ! -s "$work/s2.tables" ] || { copies="tables on other shards too"; failed=1; }
  elif ! cmp -s "$work/s1.tables" "$work/s2.tables" || ! cmp -s "$work/s1.tables" "$work/s3.tables"; then
    copies="copies DIFFER: $(diff "$work/s1.tables" "$work/s2.tables" | head -5 | tr '\n' ' ')"
    failed=1
  fi
  echo "$tool: $result, $copies"
done
exit "$failed"
