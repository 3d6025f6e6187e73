package io.shardmark.driver.registry;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Key;
import io.shardmark.config.KeyCatalog;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.bmt.Bmt;
import io.shardmark.driver.isolation.IsolationBenchmark;
import io.shardmark.driver.replication.Replication;
import io.shardmark.driver.script.ScriptBenchmark;
import io.shardmark.driver.sysbench.SysbenchOltp;
import io.shardmark.driver.tpcb.Tpcb;
import io.shardmark.driver.tpcc.Tpcc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The benchmarks that there are; the first is the one that is run if none is named. */
public final class Benchmarks {
  public static final List<Benchmark> ALL =
      List.of(
          new Tpcc(),
          new Tpcb(),
          new SysbenchOltp(),
          new ScriptBenchmark(),
          new Bmt(),
          new Replication(),
          new IsolationBenchmark());

  /** The keys of each, for properties files. */
  public static final KeyCatalog KEYS = new KeyCatalog(ownKeys());

  private Benchmarks() {}

  private static Map<String, List<? extends Key>> ownKeys() {
    Map<String, List<? extends Key>> keys = new LinkedHashMap<>();
    ALL.forEach(benchmark -> keys.put(benchmark.key(), benchmark.keys()));
    return keys;
  }

  /**
   * The benchmark that a properties file names.
   *
   * @throws ConfigException if it has nothing for the file's database
   */
  public static Benchmark of(BenchmarkProperties properties) {
    String workload = properties.workload();
    Benchmark named =
        ALL.stream()
            .filter(benchmark -> benchmark.key().equals(workload))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no benchmark " + workload));
    DatabaseKind database = properties.connection().database();
    if (!named.databases().contains(database)) {
      throw properties
          .values()
          .bad(
              PropertyKey.DB,
              named.databases().stream()
                  .map(kind -> "db=" + kind.propertyName())
                  .sorted()
                  .collect(Collectors.joining(" or ", "", " with workload=" + workload)));
    }
    return named;
  }
}
