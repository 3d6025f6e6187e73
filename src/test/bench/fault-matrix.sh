#!/usr/bin/env bash
# Runs every fault at every step of a commit over two shards (FaultMatrixTest) and keeps the table:
#   src/test/bench/fault-matrix.sh [DIRECTORY]     default: results/faults-<date>
# Takes two to three minutes. Fails, and writes nothing, if a case fails.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
target=${1:-$root/results/faults-$(date -u +%F)}
cd "$root"
rm -f proxy/target/fault-matrix.md
start=$SECONDS
./mvnw -q -B -pl config,sql,proxy test -Dtest=FaultMatrixTest -Dsurefire.failIfNoSpecifiedTests=false
mkdir -p "$target"
{
  echo "# Faults at every step of a commit over two shards"
  echo
  echo "One run of FaultMatrixTest, which \`src/test/bench/fault-matrix.sh\` repeats, in $((SECONDS - start)) s on $(nproc) processors, $(java -version 2>&1 | sed -n '1s/"//gp'), PostgreSQL embedded."
  echo
  echo "Four clients transfer money between accounts of two shards through the proxy, which is a process of its own. For each row a relay held the message of the step, the fault was made then, what was broken was started again, and after it: \`pg_prepared_xacts\` was empty on both shards, the sum of the balances was right and each balance that of its transfers, every transfer was on both shards or on none, all acknowledged ones were there and none that was reported rolled back."
  echo
  echo "\"lost\" is a connection that broke without an answer; \"reported\" an error that the proxy sent. UNDELIVERED: held on its way to the server; DONE_UNANSWERED: done by the server, the answer held. PARTICIPANT is the shard that prepares, ANCHOR the one that decides; in the rows CLIENT_* they are just one shard and the other."
  echo
  cat proxy/target/fault-matrix.md
} > "$target/README.md"
echo "wrote $target/README.md"
