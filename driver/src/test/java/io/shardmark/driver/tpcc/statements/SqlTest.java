package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SqlTest {
  /** What is asked of the rows that are read. */
  private final List<String> reads = new ArrayList<>();

  @Test
  void readsCommonValuesOnceAndTimesAsEveryDriverGivesThem() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
      Sql sql =
          new Sql(
              connection,
              "SELECT 7, 'a', TIMESTAMP '2026-11-25 12:00:00', CAST(1.5 AS DECIMAL(6, 2)), x"
                  + " FROM system_range(1, 3)");
      try (ResultSet rows = recorded(sql.rows())) {
        rows.next();
        sql.showLines(rows, 4);
      }
    }

    assertThat(reads)
        .containsExactly(
            "getInt 1",
            "getString 2",
            "getTimestamp 3",
            "getBigDecimal 4",
            "getString 5",
            "getBigDecimal 4",
            "getString 5",
            "getBigDecimal 4",
            "getString 5");
  }

  private ResultSet recorded(ResultSet rows) {
    return (ResultSet)
        Proxy.newProxyInstance(
            ResultSet.class.getClassLoader(),
            new Class<?>[] {ResultSet.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("get") && arguments != null) {
                reads.add(method.getName() + " " + arguments[0]);
              }
              try {
                return method.invoke(rows, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
