package io.shardmark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.LoadConfig;
import io.shardmark.config.LoadDirect;
import io.shardmark.loader.tpcc.PopulationTable;
import io.shardmark.loader.tpcc.TpccDataSet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoadTest {
  private final LoadDatabase database = new LoadDatabase();
  private Map<PopulationTable, String> oneWarehouse = Map.of();

  @BeforeAll
  void loadOneWarehouseWithOneWorker() throws Exception {
    database.createTables();
    LoadSummary summary = database.load(LoadDatabase.warehouses(1), LoadDatabase.config(1));
    oneWarehouse = database.content();
    long orderLines = database.count(PopulationTable.ORDER_LINE);
    assertThat(summary.rows()).isEqualTo(100_000 + 199_011 + orderLines);
  }

  @BeforeEach
  void createTables() throws SQLException {
    database.createTables();
  }

  @AfterAll
  void stopServer() {
    database.close();
  }

  @Test
  void loadsTheSameRowsWhateverTheNumberOfWorkers() throws Exception {
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(5));
    assertThat(database.content()).isEqualTo(oneWarehouse);
    assertThat(database.query("select to_regclass('bmsql_load_progress')")).isEqualTo("null");
  }

  @Test
  void anotherSeedLoadsOtherRows() throws Exception {
    database.load(
        LoadDatabase.warehouses(1),
        new LoadConfig(3, Optional.empty(), "NULL", 5, false, LoadDirect.AUTO, true, 16));
    assertThat(database.content())
        .doesNotContainEntry(PopulationTable.STOCK, oneWarehouse.get(PopulationTable.STOCK));
    assertThat(database.count(PopulationTable.STOCK)).isEqualTo(100_000);
  }

  @Test
  void batchesLoadTheSameRowsAsCopy() throws Exception {
    new Load(
            LoadDatabase.warehouses(1),
            LoadDatabase.config(2),
            LoadDatabase.LOAD_TIME,
            LoadListener.NONE)
        .run(() -> withoutCopy(database.open()), Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL);
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  /** Also years later. */
  @Test
  void csvFilesHoldTheSameRows(@TempDir Path directory) throws Exception {
    String prefix = directory + "/run1_";
    LoadConfig config =
        new LoadConfig(
            3, Optional.of(prefix), "NULL", LoadDatabase.SEED, false, LoadDirect.AUTO, true, 16);
    new Load(
            LoadDatabase.warehouses(1),
            config,
            LoadDatabase.LOAD_TIME.plusYears(3),
            LoadListener.NONE)
        .run(
            () -> {
              throw new SQLException("a CSV export needs no database");
            },
            Optional.empty(),
            Load.CompleteLoad.DROPS_JOURNAL);
    try (Connection connection = database.open()) {
      for (PopulationTable table : PopulationTable.values()) {
        try (var file = Files.newInputStream(Path.of(prefix + table.table().fileName()))) {
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(
                  "copy %s (%s) from stdin (format csv, null 'NULL')"
                      .formatted(table.table().name(), table.table().columnList()),
                  file);
        }
      }
    }
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  @Test
  void columnsOfOtherTypesAreLoadedAsText() throws Exception {
    database.execute("alter table bmsql_history alter column hist_id type bigint");
    database.execute("alter table bmsql_history alter column h_date type timestamptz");
    database.execute("alter table bmsql_item alter column i_price type double precision");
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2));
    assertThat(database.count(PopulationTable.HISTORY)).isEqualTo(30_000);
    assertThat(database.query("select max(hist_id) from bmsql_history")).isEqualTo("30000");
    assertThat(database.content())
        .containsEntry(PopulationTable.CUSTOMER, oneWarehouse.get(PopulationTable.CUSTOMER));
  }

  @Test
  void aLoadWhoseConnectionIsKilledIsContinuedByTheNext() throws Exception {
    assertThatThrownBy(
            () ->
                new Load(
                        LoadDatabase.warehouses(1),
                        LoadDatabase.config(2),
                        LoadDatabase.LOAD_TIME,
                        killAfterUnits(4))
                    .run(database::open, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("parts are missing; run it again to load the rest");
    assertThat(database.count(PopulationTable.CONFIG)).isZero();
    long before = Long.parseLong(database.query("select count(*) from bmsql_load_progress"));
    assertThat(before).isGreaterThan(4);

    LoadSummary rest =
        new Load(
                LoadDatabase.warehouses(1),
                LoadDatabase.config(2),
                LoadDatabase.LOAD_TIME.plusDays(1),
                LoadListener.NONE)
            .run(database::open, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL);
    assertThat(rest.rows()).isLessThan(599_000 - 4 * 3_000);
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  private LoadListener killAfterUnits(int units) {
    AtomicInteger left = new AtomicInteger(units);
    return new LoadListener() {
      @Override
      public void rowsDone(long rows) {
        if (left.decrementAndGet() == 0) {
          try {
            database.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where usename = current_user and pid <> pg_backend_pid()");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    };
  }

  @Test
  void aLoadThatIsStoppedSaysSoAndIsContinued() throws Exception {
    AtomicReference<Load> running = new AtomicReference<>();
    AtomicBoolean stopped = new AtomicBoolean();
    LoadListener stopAtFirstRows =
        new LoadListener() {
          @Override
          public void rowsDone(long rows) {
            stopped.set(true);
            stopNow(java.util.Objects.requireNonNull(running.get()));
          }
        };
    Load load =
        new Load(
            LoadDatabase.warehouses(1),
            LoadDatabase.config(2),
            LoadDatabase.LOAD_TIME,
            stopAtFirstRows);
    running.set(load);
    assertThatThrownBy(
            () -> load.run(database::open, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL))
        .isInstanceOf(LoadException.class)
        .hasMessageMatching(
            "the load was stopped\\R\\d+ of 31 parts are missing; run it again to load the rest");
    assertThat(stopped).isTrue();
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2));
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  private static void stopNow(Load load) {
    try {
      assertThat(load.stop(Duration.ZERO)).isFalse();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rangesOfWarehousesMakeAWhole() throws Exception {
    database.load(new TpccDataSet(2, 2, 2), LoadDatabase.config(2));
    assertThat(database.count(PopulationTable.ITEM)).isZero();
    assertThat(database.count(PopulationTable.CONFIG)).isZero();
    database.load(new TpccDataSet(2, 1, 1), LoadDatabase.config(2));
    assertThat(database.count(PopulationTable.STOCK)).isEqualTo(200_000);
    assertThat(database.query("select cfg_value from bmsql_config where cfg_name = 'warehouses'"))
        .isEqualTo("2");
    assertThat(database.query("select to_regclass('bmsql_load_progress')")).isEqualTo("null");
    assertThat(database.query("select max(hist_id) from bmsql_history")).isEqualTo("60000");
  }

  @Test
  void refusesADatabaseThatIsLoaded() throws Exception {
    database.execute("insert into bmsql_config values ('warehouses', '7')");
    database.execute("insert into bmsql_item values (1)");
    assertRefused(
        "the database holds a complete load of 7 warehouses already (bmsql_config);"
            + " destroy it before loading again");
  }

  @Test
  void loadsAgainAfterTableTruncatesWhichLeavesTheConfiguration() throws Exception {
    database.execute("insert into bmsql_config values ('warehouses', '7')");
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2));
    assertThat(database.query("select cfg_value from bmsql_config where cfg_name = 'warehouses'"))
        .isEqualTo("1");
    assertThat(database.count(PopulationTable.WAREHOUSE)).isEqualTo(1);
  }

  @Test
  void refusesRowsOfUnknownOrigin() throws Exception {
    database.execute("insert into bmsql_item values (1)");
    assertRefused(
        "bmsql_item holds rows that this loader has not recorded;"
            + " destroy or truncate before loading");
  }

  @Test
  void refusesToContinueALoadOfOtherScale() throws Exception {
    recordInterruptedLoad("seed=1 warehouses=9 loadTime=2026-01-01T00:00:00");
    assertRefused(
        "the database holds part of a load with seed=1 warehouses=9, this one has seed=20261120"
            + " warehouses=1; continue with the same values, or destroy it and start again");
  }

  @Test
  void takesOverTheSeedOfAnInterruptedLoadIfNoneWasGiven() throws Exception {
    recordInterruptedLoad(
        "seed=%d warehouses=1 loadTime=%s".formatted(LoadDatabase.SEED, Load.TIME_OF_GIVEN_SEED));
    database.execute("delete from bmsql_item");
    database.execute("delete from bmsql_load_progress where unit <> 'parameters'");
    database.load(
        LoadDatabase.warehouses(1),
        new LoadConfig(2, Optional.empty(), "NULL", 77, true, LoadDirect.AUTO, true, 16));
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  private void recordInterruptedLoad(String parameters) throws SQLException {
    database.execute(
        "create table bmsql_load_progress (unit varchar(40) primary key, detail varchar(120))");
    database.execute(
        "insert into bmsql_load_progress values ('parameters', '%s'), ('ITEM 0 1', '')"
            .formatted(parameters));
    database.execute("insert into bmsql_item values (1)");
  }

  @Test
  void forgetsAnInterruptedLoadWhoseTablesWereDropped() throws Exception {
    recordInterruptedLoad("seed=1 warehouses=9 loadTime=2026-01-01T00:00:00");
    database.execute("delete from bmsql_item");
    database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2));
    assertThat(database.content()).isEqualTo(oneWarehouse);
  }

  @Test
  void refusesAJournalWhoseRowsAreGone() throws Exception {
    recordInterruptedLoad("seed=20261120 warehouses=1 loadTime=2026-01-01T00:00:00");
    database.execute("insert into bmsql_load_progress values ('STOCK 1 1', '')");
    assertRefused(
        "bmsql_stock is empty, but bmsql_load_progress says that rows were loaded;"
            + " destroy the database and start again");
  }

  @Test
  void refusesADatabaseWithoutTables() throws Exception {
    database.execute("drop table bmsql_stock");
    assertRefused(
        "table bmsql_stock does not exist; build creates and loads the tables:"
            + " java -jar driver.jar build PROPS");
  }

  @Test
  void refusesMoreWarehousesThanHistoryIdsCanCount() {
    assertThatThrownBy(() -> LoadDatabase.warehouses(71_583))
        .isInstanceOf(ConfigException.class)
        .hasMessage("warehouses=71583: at most 71582, because bmsql_history.hist_id is an integer");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed(@TempDir Path directory) {
    String prefix = directory + "/missing/";
    LoadConfig config =
        new LoadConfig(1, Optional.of(prefix), "NULL", 1, false, LoadDirect.AUTO, true, 16);
    assertThatThrownBy(
            () ->
                new Load(
                        LoadDatabase.warehouses(1),
                        config,
                        LoadDatabase.LOAD_TIME,
                        LoadListener.NONE)
                    .run(database::open, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining(prefix + "config.csv");
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> database.load(LoadDatabase.warehouses(1), LoadDatabase.config(2)))
        .isInstanceOf(LoadException.class)
        .hasMessage(message);
  }

  /** The same connection, but not recognised as PostgreSQL's. */
  private static Connection withoutCopy(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isWrapperFor")) {
                return false;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
