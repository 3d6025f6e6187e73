package io.shardmark.driver.tpcc;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.RunConfig;
import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TpccKey;
import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.benchmark.BannerSettings;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.tpcc.acid.TpccAcidTests;
import io.shardmark.driver.tpcc.conditions.TpccConditions;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.tpcc.TpccDataSet;
import io.shardmark.sql.script.ScriptSet;
import io.shardmark.sql.script.ScriptStep;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** TPC-C on BenchmarkSQL's schema. */
public final class Tpcc implements Benchmark {
  private static final int TERMINALS_PER_WAREHOUSE = 10;

  @Override
  public Identity identity() {
    return new Identity(
        "tpcc", "TPC-C", List.of(TpccKey.values()), EnumSet.allOf(DatabaseKind.class));
  }

  @Override
  public Scale scale(PropertyReader values) {
    int warehouses = values.requiredInteger(TpccKey.WAREHOUSES);
    int from = values.integer(TpccKey.WAREHOUSE_FROM, 1, warehouses, 1);
    int to = values.integer(TpccKey.WAREHOUSE_TO, from, warehouses, warehouses);
    return Scale.divided("warehouse", warehouses, from, to);
  }

  @Override
  public Map<String, Object> inEffect(Settings settings) {
    TpccConfig config = config(settings);
    Scale scale = settings.scale();
    Map<String, Object> inEffect = new LinkedHashMap<>();
    inEffect.put("statementProfile", config.statementProfile().propertyName());
    inEffect.put("warehouses", scale.size());
    inEffect.put("warehouseFrom", scale.from());
    inEffect.put("warehouseTo", scale.to());
    inEffect.put("terminalWarehouseFixed", config.fixedWarehouse());
    inEffect.put("newOrderRemotePercent", config.newOrderRemotePercent());
    inEffect.put("paymentRemotePercent", config.paymentRemotePercent());
    inEffect.put("deliveryThreads", settings.run().partOf(config.deliveryThreads()));
    inEffect.put("mixPercent", shares(config.mix()));
    return inEffect;
  }

  private static Map<String, Double> shares(TransactionMix mix) {
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put("newOrder", mix.newOrder());
    shares.put("payment", mix.payment());
    shares.put("orderStatus", mix.orderStatus());
    shares.put("delivery", mix.delivery());
    shares.put("stockLevel", mix.stockLevel());
    return shares;
  }

  @Override
  public BannerSettings banner(Settings settings) {
    TpccConfig config = config(settings);
    Map<String, String> terminals = new LinkedHashMap<>();
    terminals.put("terminalWarehouseFixed", Boolean.toString(config.fixedWarehouse()));
    terminals.put("useStoredProcedures", "");
    Map<String, String> weights = new LinkedHashMap<>();
    shares(config.mix())
        .forEach((type, share) -> weights.put(type + "Weight", Double.toString(share)));
    return new BannerSettings(
        Map.of("warehouses", Integer.toString(settings.scale().size())),
        terminals,
        weights,
        Map.of("statementProfile", config.statementProfile().propertyName()));
  }

  @Override
  public List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>(TpccConfig.warnings(settings.values()));
    RunConfig run = settings.run();
    int homes = settings.scale().to() - settings.scale().from() + 1;
    if (!run.pacing().isPaced() && run.terminals() > (long) homes * TERMINALS_PER_WAREHOUSE) {
      warnings.add(
          settings.values().found(PropertyKey.TERMINALS)
              + ": more than ten for each of %d warehouses without keying and think times: expect them to wait for each other"
                  .formatted(homes));
    }
    return warnings;
  }

  private static TpccConfig config(Settings settings) {
    int connections =
        Math.min(
            settings.run().allTerminals(),
            settings.values().integer(PropertyKey.CONNECTIONS, settings.run().allTerminals()));
    return TpccConfig.read(settings.values(), connections);
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return ScriptStep.scripts();
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    Scale scale = scale(values);
    return new TpccDataSet(scale.size(), scale.from(), scale.to());
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new TpccConditions(values.integer(TpccKey.WAREHOUSES, 0));
  }

  @Override
  public List<String> reset(PropertyReader values) {
    return TpccReset.STATEMENTS;
  }

  @Override
  public Optional<AcidTests> acidTests(PropertyReader values) {
    return Optional.of(TpccAcidTests.of(values));
  }

  @Override
  public Workload open(Settings settings) {
    return new TpccWorkload(settings, config(settings));
  }
}
