package io.shardmark.config;

import io.shardmark.config.tpcc.TpccKey;
import java.util.List;
import java.util.Map;

/** The keys of TPC-C beside those of every workload. */
final class TestCatalog {
  static final KeyCatalog TPCC = new KeyCatalog(Map.of("tpcc", List.of(TpccKey.values())));

  private TestCatalog() {}
}
