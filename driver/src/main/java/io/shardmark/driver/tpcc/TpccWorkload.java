package io.shardmark.driver.tpcc;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.tpcc.input.NuRand;
import io.shardmark.driver.tpcc.input.TpccAudit;
import io.shardmark.driver.tpcc.input.TpccTerminal;
import io.shardmark.driver.tpcc.input.TpccType;
import io.shardmark.driver.tpcc.statements.StatementProfiles;
import io.shardmark.driver.workload.AuditRule;
import io.shardmark.driver.workload.Terminal;
import io.shardmark.driver.workload.TransactionExecutor;
import io.shardmark.driver.workload.TransactionType;
import io.shardmark.driver.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** TPC-C on BenchmarkSQL's schema. */
public final class TpccWorkload implements Workload {
  private static final int DISTRICTS = 10;

  private final RunConfig config;
  private final DatabaseKind database;
  private int loadedWarehouses;
  private int cLastOfLoad;
  private NuRand nuRand = new NuRand(0, 0, 0);

  public TpccWorkload(RunConfig config, DatabaseKind database) {
    this.config = config;
    this.database = database;
  }

  @Override
  public String name() {
    return "TPC-C";
  }

  @Override
  public List<TransactionType> types() {
    return TpccType.all();
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    loadedWarehouses = readConfig(connection, "warehouses");
    cLastOfLoad = readConfig(connection, "nURandCLast");
    connection.rollback();
    if (config.warehouses() > loadedWarehouses) {
      throw new ConfigException(
          "warehouses=%d: numWarehouses cannot be greater than the warehouses loaded in the database, %d"
              .formatted(config.warehouses(), loadedWarehouses));
    }
    drawConstants(cLastOfLoad);
  }

  /** Takes the place of {@link #prepare} where there is no database. */
  public void prepareWithoutDatabase() {
    loadedWarehouses = config.warehouses();
    drawConstants(0);
  }

  private void drawConstants(int cLast) {
    cLastOfLoad = cLast;
    nuRand = NuRand.drawForRun(new SplittableRandom(config.seed()), cLast);
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

  /**
   * Terminals fill the warehouses in turn, then the next district of each, so that every warehouse
   * has its share.
   */
  @Override
  public Terminal newTerminal(int index) {
    int warehouses = config.warehouseTo() - config.warehouseFrom() + 1;
    int warehouseId = config.warehouseFrom() + index % warehouses;
    int districtId = 1 + index / warehouses % DISTRICTS;
    // Not seed + index: neighbouring seeds must not give neighbouring terminals the same stream.
    SplittableRandom random = new SplittableRandom(config.seed() * 31 + 1_000_003L * (index + 1));
    return new TpccTerminal(config, nuRand, random, warehouseId, districtId);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return StatementProfiles.open(config.statementProfile(), database, connection);
  }

  @Override
  public int auditCounterCount() {
    return TpccAudit.COUNTERS;
  }

  @Override
  public List<AuditRule> auditRules() {
    return TpccAudit.rules(config);
  }

  /** How many warehouses were loaded. */
  public int loadedWarehouses() {
    return loadedWarehouses;
  }

  /** C of customer last names as the load used it, 0 .. 255. */
  public int cLastOfLoad() {
    return cLastOfLoad;
  }

  /** C of customer last names in this run, 0 .. 255. */
  public int cLastOfRun() {
    return nuRand.cLast();
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("loadWarehouses", Integer.toString(loadedWarehouses));
    facts.put("runWarehouses", Integer.toString(config.warehouses()));
    facts.put("cLastLoad", Integer.toString(cLastOfLoad));
    facts.put("cLastRun", Integer.toString(nuRand.cLast()));
    facts.put("cCustomerRun", Integer.toString(nuRand.cCustomer()));
    facts.put("cItemRun", Integer.toString(nuRand.cItem()));
    return facts;
  }
}
