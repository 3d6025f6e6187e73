package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.script.ScriptStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The three profiles on a real PostgreSQL with foreign keys. */
final class PostgresStatementsTest {
  private static final Pattern LINES_EXPECTED =
      Pattern.compile("Scan.* on bmsql_order_line .*rows=(\\d+)");

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String database;

  @BeforeAll
  static void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    try (Connection connection = open()) {
      connection.setAutoCommit(true);
      SmallTpcc.create(connection, DatabaseKind.POSTGRES, ScriptStep.beforeLoad());
      connection.setAutoCommit(false);
      SmallTpcc.reset(connection);
      connection.setAutoCommit(true);
      SmallTpcc.create(connection, DatabaseKind.POSTGRES, ScriptStep.afterLoad());
    }
  }

  private static Connection open() throws SQLException {
    Connection connection = SharedPostgres.connect(database);
    connection.setAutoCommit(false);
    return connection;
  }

  private abstract static class OnPostgres extends StatementContract {
    @Override
    Connection connect() throws SQLException {
      return open();
    }

    @Override
    DatabaseKind kind() {
      return DatabaseKind.POSTGRES;
    }
  }

  @Nested
  final class BenchmarkSql extends OnPostgres implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.BENCHMARKSQL;
    }
  }

  @Nested
  final class Batched extends OnPostgres implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.BATCHED;
    }

    @Test
    void deliveryCommitsNothingIfAnOrderHasNoLines() throws SQLException {
      update("DELETE FROM bmsql_order_line WHERE ol_w_id = 1 AND ol_d_id = 3 AND ol_o_id = 7");
      Delivery.Background input = new Delivery.Background(1, 9);

      assertThatThrownBy(() -> transactions.execute(input))
          .isInstanceOf(WrongDataException.class)
          .hasMessage("order, lines or customer of delivery 1 not found");

      // The pipeline's COMMIT came after the error; what follows is a transaction of its own.
      update("ROLLBACK");
      assertThat(rows("SELECT count(*) FROM bmsql_oorder WHERE o_carrier_id = 9"))
          .containsExactly("0");
    }

    /**
     * Which of them leads to the few rows of stock and which reads all of a warehouse's depends on
     * what the planner expects of the last orders, whatever the district has already taken.
     */
    @Test
    void stockLevelIsPlannedForFewLinesInADistrictWithManyOrders() throws SQLException {
      update(
          "INSERT INTO bmsql_oorder (o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt, o_all_local)"
              + " SELECT 1, 1, 100000 + g, 1, 10, 1 FROM generate_series(1, 3000) g");
      update(
          "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
              + " ol_supply_w_id, ol_quantity) SELECT 1, 1, 100000 + g, n, 1, 1, 5"
              + " FROM generate_series(1, 3000) g, generate_series(1, 10) n");
      update("ANALYZE bmsql_order_line");

      try (Connection connection = open();
          Statement statement = connection.createStatement()) {
        StatementProfiles.planOnce(connection);
        int number = 1;
        String text = OneTripTransactions.COUNT_LOW_STOCK;
        while (text.contains("?")) {
          text = text.replaceFirst("[?]", "\\$" + number++);
        }
        statement.execute("PREPARE low_stock AS " + text);
        List<Long> lines = new ArrayList<>();
        try (ResultSet plan =
            statement.executeQuery("EXPLAIN EXECUTE low_stock (1, 15, 1, 1, 1, 1, 1, 1)")) {
          while (plan.next()) {
            Matcher scan = LINES_EXPECTED.matcher(plan.getString(1));
            if (scan.find()) {
              lines.add(Long.valueOf(scan.group(1)));
            }
          }
        }
        assertThat(lines).hasSize(1).allMatch(count -> count < 1000);
      }
    }
  }

  @Nested
  final class Procedures extends OnPostgres implements WrongDataContract {
    @Override
    StatementProfile profile() {
      return StatementProfile.PROCEDURES;
    }

    @Test
    void aFunctionThatReturnsNoRowIsWrongDataThatNamesTheWarehouse() throws SQLException {
      update("CREATE SCHEMA no_rows");
      update(
          "CREATE FUNCTION no_rows.bmsql_proc_delivery_bg(integer, integer, timestamp)"
              + " RETURNS TABLE (delivered integer[], skipped integer)"
              + " LANGUAGE sql AS 'SELECT NULL::integer[], 0 WHERE false'");
      try (Connection connection = open()) {
        connection.createStatement().execute("SET search_path = no_rows, public");
        connection.commit();
        TpccTransactions withoutRows = prepare(connection);

        assertThatThrownBy(() -> withoutRows.execute(new Delivery.Background(2, 9)))
            .isInstanceOf(WrongDataException.class)
            .hasMessage("delivery of warehouse 2 not found");
      } finally {
        update("DROP SCHEMA no_rows CASCADE");
      }
    }
  }

  @Test
  void allProfilesLeaveTheSameRowsAndOutcomes() throws SQLException {
    SmallTpcc.requireSameResults(
        PostgresStatementsTest::open,
        List.of(StatementProfile.values()),
        (profile, own) ->
            StatementProfiles.open(profile, DatabaseKind.POSTGRES, Optional.empty(), own));
  }

  @Test
  void proceduresThatAreNotInstalledAreNamedInOneLine() throws SQLException {
    try (Connection connection = open()) {
      // In this session only: the functions' schema is not searched any more.
      connection.createStatement().execute("SET search_path = pg_catalog");
      connection.commit();

      assertThatThrownBy(
              () ->
                  StatementProfiles.check(
                      StatementProfile.PROCEDURES, DatabaseKind.POSTGRES, connection))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "statementProfile=procedures: the database has no bmsql_proc_delivery_bg,"
                  + " bmsql_proc_new_order, bmsql_proc_order_status, bmsql_proc_payment,"
                  + " bmsql_proc_stock_level;"
                  + " this installs them: java -jar driver.jar sql PROPS storedProcedureCreates");
    }
  }

  @Test
  void databasesWithoutProceduresRefuseTheProfile() throws SQLException {
    try (Connection connection = open()) {
      for (DatabaseKind kind :
          List.of(DatabaseKind.MYSQL, DatabaseKind.MARIADB, DatabaseKind.FIREBIRD)) {
        assertThatThrownBy(
                () ->
                    StatementProfiles.open(
                        StatementProfile.PROCEDURES, kind, Optional.empty(), connection))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("db=" + kind.propertyName());
      }
    }
  }
}
