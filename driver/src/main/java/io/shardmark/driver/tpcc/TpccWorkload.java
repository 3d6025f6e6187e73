package io.shardmark.driver.tpcc;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.RunConfig;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.tpcc.input.HomeSeats;
import io.shardmark.driver.tpcc.input.NuRand;
import io.shardmark.driver.tpcc.input.TpccAudit;
import io.shardmark.driver.tpcc.input.TpccInput;
import io.shardmark.driver.tpcc.input.TpccTerminal;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.tpcc.input.TpccType;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import io.shardmark.driver.tpcc.statements.StatementProfiles;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** TPC-C on BenchmarkSQL's schema. */
public final class TpccWorkload implements Workload {
  private static final String ROOT_TABLE = "bmsql_warehouse";

  private final RunConfig run;
  private final Scale scale;
  private final TpccConfig config;
  private final DatabaseKind database;
  private int loadedWarehouses;
  private int cLastOfLoad;
  private NuRand nuRand = new NuRand(0, 0, 0);
  private Optional<Sharding> sharding = Optional.empty();
  private WarehouseShards shards = WarehouseShards.UNKNOWN;
  private HomeSeats seats;

  public TpccWorkload(Settings settings, TpccConfig config) {
    this.run = settings.run();
    this.scale = settings.scale();
    this.config = config;
    this.database = settings.connection().database();
    this.seats = HomeSeats.of(scale.from(), scale.to(), shards);
  }

  @Override
  public List<TransactionType> types() {
    return TpccType.all();
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    loadedWarehouses = readConfig(connection, "warehouses");
    cLastOfLoad = readConfig(connection, "nURandCLast");
    if (scale.size() > loadedWarehouses) {
      throw new ConfigException(
          "warehouses=%d: expected at most %d, the warehouses that the database holds (bmsql_config); fewer, or destroy and build with more"
              .formatted(scale.size(), loadedWarehouses));
    }
    StatementProfiles.check(config.statementProfile(), database, connection);
    drawConstants(cLastOfLoad);
  }

  /** An order takes the number that its district has next (TPC-C 2.4.2.2), from 1. */
  @Override
  public Optional<String> headlineCount() {
    return Optional.of("SELECT sum(d_next_o_id - 1) AS orders FROM bmsql_district");
  }

  @Override
  public void prepareWithoutDatabase() {
    loadedWarehouses = scale.size();
    drawConstants(0);
  }

  private void drawConstants(int cLast) {
    cLastOfLoad = cLast;
    nuRand = NuRand.drawForRun(new SplittableRandom(run.seed()), cLast);
  }

  private static int readConfig(Connection connection, String name) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT cfg_value FROM bmsql_config WHERE cfg_name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new ConfigException(
              "DB Load configuration parameter '%s' not found in bmsql_config: run build first"
                  .formatted(name));
        }
        String value = row.getString(1);
        try {
          return Integer.parseInt(value);
        } catch (NumberFormatException e) {
          throw new ConfigException(
              "bmsql_config: %s=%s: expected a whole number".formatted(name, value));
        }
      }
    }
  }

  @Override
  public void spreadOver(ShardMap map) {
    if (map.isOfProxy()
        && map.shards().size() > 1
        && config.statementProfile() == StatementProfile.PROCEDURES) {
      throw new ConfigException(
          "statementProfile=procedures: a procedure cannot reach the rows of another of the %d shards; expected benchmarksql or batched"
              .formatted(map.shards().size()));
    }
    int[] shardOf =
        map.shards().size() == 1
            ? new int[scale.size() + 1]
            : map.shardsOf(ROOT_TABLE, scale.size())
                .orElseThrow(
                    () ->
                        new ConfigException(
                            "the shard map does not place every warehouse by bmsql_warehouse; with"
                                + " shardMap=none the endpoint is taken for one server"));
    sharding = Optional.of(map.sharding());
    shards = WarehouseShards.of(shardOf, map.shards().size());
    seats = HomeSeats.of(scale.from(), scale.to(), shards);
  }

  @Override
  public Terminal newTerminal(int index) {
    SplittableRandom random = TerminalRandom.of(run, index);
    return new TpccTerminal(config, scale, nuRand, random, seats.seat(index), shards);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return StatementProfiles.open(config.statementProfile(), database, sharding, connection);
  }

  @Override
  public TransactionExecutor nullExecutor() {
    return new TpccTransactions(
        order -> order.rollback() ? Outcome.ROLLED_BACK : Outcome.COMMITTED,
        payment -> Outcome.COMMITTED,
        orderStatus -> Outcome.COMMITTED,
        stockLevel -> Outcome.COMMITTED,
        delivery -> Outcome.COMMITTED);
  }

  @Override
  public List<MetricRule> metrics() {
    return List.of(
        MetricRule.rate(
            "tpmC", "/min", MetricRule.Computation.COMMITS_PER_MINUTE, TpccType.NEW_ORDER.name()),
        MetricRule.rate("tpmTotal", "/min", MetricRule.Computation.COMMITS_PER_MINUTE));
  }

  @Override
  public List<String> announcement() {
    return List.of(
        "C value for C_LAST during load: " + cLastOfLoad,
        "C value for C_LAST this run:    " + nuRand.cLast());
  }

  @Override
  public int followUpThreads() {
    return run.partOf(config.deliveryThreads());
  }

  @Override
  public String placement() {
    if (!shards.areKnown()) {
      return "";
    }
    return "warehouses of each: "
        + warehousesOfShards()
        + (config.fixedWarehouse() ? "; terminals of each: " + terminalsOfShards() : "");
  }

  private String warehousesOfShards() {
    return perShard(IntStream.rangeClosed(1, scale.size()));
  }

  private String terminalsOfShards() {
    return perShard(
        IntStream.range(0, run.terminals()).map(terminal -> seats.seat(terminal).warehouseId()));
  }

  @Override
  public int partitionCount() {
    return shards.count();
  }

  @Override
  public int homePartition(Transaction transaction) {
    return shards.areKnown() && transaction instanceof TpccInput input
        ? shards.shardOf(input.warehouseId())
        : -1;
  }

  @Override
  public int auditCounterCount() {
    return TpccAudit.COUNTERS;
  }

  @Override
  public List<AuditRule> auditRules() {
    return TpccAudit.rules(config, scale.size());
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("loadWarehouses", Integer.toString(loadedWarehouses));
    facts.put("runWarehouses", Integer.toString(scale.size()));
    facts.put("cLastLoad", Integer.toString(cLastOfLoad));
    facts.put("cLastRun", Integer.toString(nuRand.cLast()));
    facts.put("cCustomerRun", Integer.toString(nuRand.cCustomer()));
    facts.put("cItemRun", Integer.toString(nuRand.cItem()));
    if (shards.areKnown()) {
      facts.put("shards", Integer.toString(shards.count()));
      facts.put("warehousesOfShards", warehousesOfShards());
      if (config.fixedWarehouse()) {
        facts.put("terminalsOfShards", terminalsOfShards());
      }
    }
    return facts;
  }

  /** How many of these warehouses each shard has, in the order of the shards: {@code 3 3}. */
  private String perShard(IntStream warehouseIds) {
    int[] counts = new int[shards.count()];
    warehouseIds.forEach(warehouse -> counts[shards.shardOf(warehouse)]++);
    return IntStream.of(counts).mapToObj(Integer::toString).collect(Collectors.joining(" "));
  }
}
