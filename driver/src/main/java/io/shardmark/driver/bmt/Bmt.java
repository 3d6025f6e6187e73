package io.shardmark.driver.bmt;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import java.util.List;
import java.util.Set;

/** The BMT: single-row operations on one table of wide rows. */
public final class Bmt implements Benchmark {
  @Override
  public Identity identity() {
    return new Identity("bmt", "BMT", List.of(BmtKey.values()), Set.of(DatabaseKind.POSTGRES));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("row", BmtKey.rows(values));
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    return BmtRows.of(BmtKey.rows(values), values.integer(BmtKey.STATEMENTS_PER_COMMIT));
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new BmtConditions(values.integer(BmtKey.STATEMENTS_PER_COMMIT));
  }

  @Override
  public Workload open(Settings settings) {
    return new BmtWorkload(settings);
  }
}
