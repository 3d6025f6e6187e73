package io.shardmark.driver.tpcc.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.ShardedVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.sql.shards.Shard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two databases of one server are the shards: warehouse 1 is on s1, warehouse 2 on s2. A customer
 * of warehouse 2 has paid 5.00 at warehouse 1, so that the history row is not where the sums are.
 */
final class ShardedVerifierTest {
  private static final List<Shard> SHARDS =
      List.of(new Shard(0, "s1", "h", 1, "s1"), new Shard(1, "s2", "h", 1, "s2"));
  private static final Pattern ROUTE = Pattern.compile("SET shardmark\\.shard = '(s\\d)'");

  /** By the name of the shard. */
  private static final Map<String, String> DATABASES = new HashMap<>();

  @BeforeAll
  static void create() throws SQLException {
    for (Shard shard : SHARDS) {
      DATABASES.put(shard.name(), SharedPostgres.newDatabase());
      try (Connection connection = connect(shard.name())) {
        TinyDatabase.createTables(connection, "timestamp");
      }
    }
  }

  private static Connection connect(String shard) throws SQLException {
    return SharedPostgres.connect(Objects.requireNonNull(DATABASES.get(shard)));
  }

  /** Stands in for the proxy: the route by hand decides which shard a connection leads to. */
  private static Connection endpoint() {
    Connection[] routed = new Connection[1];
    Statement route =
        (Statement)
            Proxy.newProxyInstance(
                ShardedVerifierTest.class.getClassLoader(),
                new Class<?>[] {Statement.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("executeQuery")) {
                    throw new SQLException("unrecognized configuration parameter", "42704");
                  }
                  if (method.getName().equals("execute")) {
                    Matcher matcher = ROUTE.matcher((String) arguments[0]);
                    assertThat(matcher.matches()).as("%s", arguments[0]).isTrue();
                    routed[0] = connect(matcher.group(1));
                    return false;
                  }
                  return null;
                });
    return (Connection)
        Proxy.newProxyInstance(
            ShardedVerifierTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (routed[0] == null) {
                return switch (method.getName()) {
                  case "createStatement" -> route;
                  case "getAutoCommit" -> false;
                  default -> {
                    assertThat(method.getName()).isIn("setAutoCommit", "rollback", "close");
                    yield null;
                  }
                };
              }
              try {
                return method.invoke(routed[0], arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void change(String shard, String... statements) throws SQLException {
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        assertThat(statement.executeUpdate(sql)).as("rows changed by " + sql).isPositive();
      }
    }
  }

  private static void keepWarehouse(String shard, int warehouse) throws SQLException {
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      TinyDatabase.reset(connection);
      for (String column :
          List.of(
              "warehouse.w_id",
              "district.d_w_id",
              "customer.c_w_id",
              "history.h_c_w_id",
              "new_order.no_w_id",
              "oorder.o_w_id",
              "order_line.ol_w_id",
              "stock.s_w_id")) {
        String[] parts = column.split("\\.", -1);
        statement.executeUpdate(
            "DELETE FROM bmsql_%s WHERE %s <> %d".formatted(parts[0], parts[1], warehouse));
      }
    }
  }

  @BeforeEach
  void spreadConsistentRows() throws SQLException {
    keepWarehouse("s1", 1);
    keepWarehouse("s2", 2);
    change(
        "s1",
        "UPDATE bmsql_warehouse SET w_ytd = w_ytd + 5",
        "UPDATE bmsql_district SET d_ytd = d_ytd + 5 WHERE d_id = 2");
    change(
        "s2",
        "UPDATE bmsql_customer SET c_balance = c_balance - 5, c_ytd_payment = c_ytd_payment + 5,"
            + " c_payment_cnt = c_payment_cnt + 1 WHERE c_d_id = 1 AND c_id = 3",
        "INSERT INTO bmsql_history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount)"
            + " VALUES (3, 1, 2, 2, 1, 5.00)");
  }

  private static List<ConditionResult> verify() throws SQLException, InterruptedException {
    return new ShardedVerifier(ShardedVerifierTest::endpoint, SHARDS, 2)
        .run(new TpccConditions())
        .results();
  }

  private static ConditionResult result(String clause, String words)
      throws SQLException, InterruptedException {
    return verify().stream()
        .filter(found -> found.clause().equals(clause) && found.sentence().contains(words))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void consistentRowsOverTwoShardsPassTheTwelveConditions()
      throws SQLException, InterruptedException {
    List<ConditionResult> results = verify();

    assertThat(results.subList(0, 12))
        .extracting(found -> found.clause() + " " + found.verdict() + found.samples())
        .containsExactly(
            "3.3.2.1 PASS[]",
            "3.3.2.2 PASS[]",
            "3.3.2.3 PASS[]",
            "3.3.2.4 PASS[]",
            "3.3.2.5 PASS[]",
            "3.3.2.6 PASS[]",
            "3.3.2.7 PASS[]",
            "3.3.2.8 PASS[]",
            "3.3.2.9 PASS[]",
            "3.3.2.10 PASS[]",
            "3.3.2.11 NOT_APPLICABLE[]",
            "3.3.2.12 PASS[]");
    assertThat(result("4.3.3.1", "WAREHOUSE").verdict()).isEqualTo(Verdict.PASS);
    assertThat(result("1.3.1", "supplying").verdict()).isEqualTo(Verdict.PASS);
  }

  @Test
  void findsAPaymentThatIsMissingOnTheOtherShard() throws SQLException, InterruptedException {
    change("s2", "DELETE FROM bmsql_history WHERE h_w_id = 1");

    assertThat(result("3.3.2.8", "W_YTD").samples())
        .containsExactly("w_id=1 w_ytd=96.00 sum_h_amount=91.00 warehouses=1 nulls=0");
    assertThat(result("3.3.2.9", "D_YTD").samples())
        .containsExactly("w_id=1 d_id=2 d_ytd=50.50 sum_h_amount=45.50 districts=1 nulls=0");
    assertThat(result("3.3.2.10", "C_BALANCE").verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void findsAFaultOnOneShardAlone() throws SQLException, InterruptedException {
    change("s2", "UPDATE bmsql_district SET d_ytd = d_ytd + 1 WHERE d_id = 1");

    ConditionResult found = result("3.3.2.1", "W_YTD");
    assertThat(found.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(found.offendingRows()).isEqualTo(1);
    assertThat(found.samples())
        .containsExactly("w_id=2 w_ytd=91.00 sum_d_ytd=92.00 warehouses=1 districts=2");
  }

  @Test
  void findsAWarehouseThatIsMissingEverywhere() throws SQLException, InterruptedException {
    change("s2", "DELETE FROM bmsql_warehouse");

    assertThat(result("4.3.3.1", "WAREHOUSE").samples())
        .containsExactly("configured=2 warehouses=1 expected_ids=1");
  }

  @Test
  void addsUpStockAndLinesOfAllShards() throws SQLException, InterruptedException {
    change(
        "s1",
        "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id,"
            + " ol_quantity, ol_amount) VALUES (1, 1, 3001, 1, 1, 2, 7, 1)");
    assertThat(result("2.4.2.2", "S_YTD").verdict()).isEqualTo(Verdict.FAIL);

    change(
        "s2",
        "UPDATE bmsql_stock SET s_ytd = s_ytd + 7, s_order_cnt = s_order_cnt + 1 WHERE s_i_id = 1");
    assertThat(result("2.4.2.2", "S_YTD").verdict()).isEqualTo(Verdict.PASS);
  }
}
