package io.shardmark.driver.benchmarks;

import io.shardmark.config.Key;
import io.shardmark.config.KeyCatalog;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.sysbench.SysbenchOltp;
import io.shardmark.driver.tpcb.Tpcb;
import io.shardmark.driver.tpcc.Tpcc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The benchmarks that there are; the first is the one that is run if none is named. */
public final class Benchmarks {
  public static final List<Benchmark> ALL = List.of(new Tpcc(), new Tpcb(), new SysbenchOltp());

  /** The keys of each, for properties files. */
  public static final KeyCatalog KEYS = new KeyCatalog(ownKeys());

  private Benchmarks() {}

  private static Map<String, List<? extends Key>> ownKeys() {
    Map<String, List<? extends Key>> keys = new LinkedHashMap<>();
    ALL.forEach(benchmark -> keys.put(benchmark.key(), benchmark.keys()));
    return keys;
  }

  /**
   * The benchmark of a properties file.
   *
   * @param workload as {@link io.shardmark.config.BenchmarkProperties#workload} has it
   */
  public static Benchmark of(String workload) {
    return ALL.stream()
        .filter(benchmark -> benchmark.key().equals(workload))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no benchmark " + workload));
  }
}
