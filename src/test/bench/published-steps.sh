#!/usr/bin/env bash
# The published steps of TPC-C on a sharded cluster (docs/tpcc-published.md), typed as their page has
# them, at its addresses: four network namespaces for driver, compute node and two shards.
#   sudo src/test/bench/published-steps.sh          # as printed: 50 warehouses, 20 terminals, a minute
#   sudo src/test/bench/published-steps.sh 4 0.2    # fewer warehouses, fewer minutes
# Prints what the programs print, and the comparison; leaves nothing. TpccThroughProxyTest types the
# same steps at addresses of the loopback interface.
set -euo pipefail
warehouses=${1:-50}
minutes=${2:-1}
if [ "${SHARDMARK_NAMESPACES:-}" != own ]; then
  [ "$(id -u)" = 0 ] || { echo "network namespaces need root: sudo $0" >&2; exit 1; }
  unshare --net --mount true 2>/dev/null || { echo "no right to make network namespaces: unshare --net --mount fails" >&2; exit 1; }
  SHARDMARK_NAMESPACES=own exec unshare --net --mount "$0" "$@"
fi
# shellcheck source=servers.sh
source "$(dirname "${BASH_SOURCE[0]}")/servers.sh"
needs_built driver/target/driver.jar proxy/target/proxy.jar
needs_programs ip
tables=$root/proxy/src/test/resources/io/shardmark/proxy/routing/ddl/klustron-tableCreates.sql

# Machines: the last byte of their addresses names them. All of it ends with this process.
mkdir -p /run/netns
mount -t tmpfs none /run/netns
ip link add switch type bridge
ip link set switch up
for machine in 19 20 21 22; do
  ip netns add "m$machine"
  ip link add "port$machine" type veth peer name "enp4s0" netns "m$machine"
  ip link set "port$machine" master switch up
  ip -n "m$machine" addr add "192.168.0.$machine/24" dev enp4s0
  ip -n "m$machine" link set enp4s0 up
  ip -n "m$machine" link set lo up
done
at() { ip netns exec "m$1" "${@:2}"; }

start_shard() { # machine, port
  servers+=("m$1")
  as_server "$PGBIN/initdb" -D "$work/m$1" -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
  echo "host all all 192.168.0.0/24 scram-sha-256" >>"$work/m$1/pg_hba.conf"
  at "$1" su postgres -s /bin/bash -c "$PGBIN/pg_ctl -D $work/m$1 -l $work/m$1.log -w -o '-p $2 \
    -c listen_addresses=192.168.0.$1 -c unix_socket_directories=$work -c max_connections=200 \
    -c max_prepared_transactions=200 -c max_wal_size=8GB' start" >/dev/null
  as_server "$PGBIN/psql" -X -q -h "$work" -p "$2" -c "create role bench50 superuser login password 'bench50'" postgres
  as_server "$PGBIN/psql" -X -q -h "$work" -p "$2" -c "create database bench50 owner bench50" postgres
}
start_shard 21 57003
start_shard 22 57005
cat >"$work/proxy.yaml" <<'END'
listen: 192.168.0.20:47001
shards:
  - {name: s1, host: 192.168.0.21, port: 57003, database: bench50}
  - {name: s2, host: 192.168.0.22, port: 57005, database: bench50}
users:
  - {name: bench50, password: bench50}
END
at 20 "$java" -XX:+UseSerialGC -Xmx256m -jar "$root/proxy/target/proxy.jar" "$work/proxy.yaml" >"$work/proxy.log" 2>&1 &
processes+=("$!")
for _ in $(seq 300); do
  grep -q '^listening' "$work/proxy.log" && break
  sleep 0.1
done
grep '^listening' "$work/proxy.log" || { cat "$work/proxy.log" >&2; exit 1; }

# 2.1.3: in a directory like BenchmarkSQL's.
cp -rL "$root/driver/run" "$work/run"
ln -s "$root/driver/target/driver.jar" "$work/driver.jar"
cd "$work/run/sql.common"
cat "$tables" >tableCreates.sql
mv indexCreates.sql indexCreates.sql_old
mv foreignKeys.sql foreignKeys.sql.bak
cd ..
sed -i 's/^alter table bmsql_history add primary key (hist_id);$/alter table bmsql_history add primary key (hist_id,h_c_w_id);/' sql.postgres/extraHistID.sql
grep -q 'hist_id,h_c_w_id' sql.postgres/extraHistID.sql
mv sql.postgres/buildFinish.sql sql.postgres/buildFinish.sql.bak

# 2.1.5: the file as printed.
cat >props.pg <<'END'
db=postgres
driver=org.postgresql.Driver
conn=jdbc:postgresql://192.168.0.20:47001/bench50
user=bench50
password=bench50

warehouses=50
loadWorkers=50

terminals=20
//To run specified transactions per terminal- runMins must equal zero
runTxnsPerTerminal=0
//To run for specified minutes- runTxnsPerTerminal must equal zero
runMins=1
//Number of total transactions per minute
limitTxnsPerMin=0

//Set to true to run in 4.x compatible mode. Set to false to use the
//entire configured database evenly.
terminalWarehouseFixed=false

//The following five values must add up to 100
//The default percentages of 45, 43, 4, 4 & 4 match the TPC-C spec
newOrderWeight=45
paymentWeight=43
orderStatusWeight=4
deliveryWeight=4
stockLevelWeight=4

// Directory name to create for collecting detailed result data.
// Comment this out to suppress.
resultDirectory=my_result_%tY-%tm-%td_%tH%tM%tS
osCollectorScript=./misc/os_collector_linux.py
osCollectorInterval=1
osCollectorSSHAddr=kunlun@192.168.0.21
osCollectorDevices=net_enp4s0 blk_ nvme1n1
END
sed -i "s/^warehouses=50/warehouses=$warehouses/; s/^runMins=1/runMins=$minutes/" props.pg

export SHARDMARK_CACHE=off
at 19 ./runDatabaseBuild.sh props.pg
# 2.1.7, with the user and the database of props.pg.
cp sql.common/tableCreates.sql .
cat >ana.sh <<'END'
for i in `cat ./tableCreates.sql | grep 'create table' | grep -v partition | awk '{print $3}'`
do
        echo "select * from $i limit 1;" > a.sql
        clomun=`psql -h 192.168.0.20 -p 47001 -U bench50 bench50  -f a.sql | sed -n 1p | sed 's/|/,/g'`
        analyze="analyze $i($clomun)"
        echo $analyze
        echo $analyze > tmp.sql
        psql -h 192.168.0.20 -p 47001 -U bench50 bench50  -f tmp.sql
done
END
PGPASSWORD=bench50 at 20 bash ana.sh
# 2.2 and 2.3.
at 19 ./runBenchMark.sh props.pg
result=$(ls -d my_result_*)
at 19 ./generateReport.sh "$result"
at 19 "$java" -jar ../driver.jar verify props.pg
"$java" -jar ../driver.jar compare --output compared.html "w50/cluster=$result" "$root/results/published-klustron-2023"
