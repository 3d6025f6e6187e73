#!/usr/bin/env bash
# Runs JMH benchmarks: src/test/bench/jmh.sh [JMH arguments, e.g. PopulationBenchmark -p table=STOCK]
# Needs ./mvnw -B -DskipTests package. MAVEN_REPO: the local repository, if not the usual one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
repository=${MAVEN_REPO:-$HOME/.m2/repository}
classpath=$root/driver/target/driver.jar:$root/proxy/target/proxy.jar:$root/src/test/target/test-classes
for artifact in org/openjdk/jmh/jmh-core net/sf/jopt-simple/jopt-simple org/apache/commons/commons-math3; do
  jar=$(find "$repository/$artifact" -name '*.jar' ! -name '*-sources.jar' | sort -V | tail -1)
  [ -n "$jar" ] || { echo "no $artifact in $repository; build first: ./mvnw -B -DskipTests package" >&2; exit 1; }
  classpath=$classpath:$jar
done
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$classpath" org.openjdk.jmh.Main "$@"
