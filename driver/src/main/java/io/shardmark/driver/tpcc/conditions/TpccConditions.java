package io.shardmark.driver.tpcc.conditions;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.LoadState;
import io.shardmark.sql.jdbc.FirstValue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** The twelve consistency conditions of TPC-C 3.3.2 and the population of 4.3.3. */
public final class TpccConditions implements Conditions {
  private static final String CHANGED_DISTRICT =
      """
      SELECT d_w_id, d_id, d_next_o_id, d_ytd
        FROM bmsql_district
       WHERE d_next_o_id <> 3001 OR d_ytd <> 30000
       ORDER BY d_w_id, d_id
      """;
  private static final String DELIVERED_ORDERS =
      """
      SELECT count(*) FROM bmsql_oorder WHERE o_id > 2100 AND o_carrier_id IS NOT NULL
      """;

  private final int warehouses;

  public TpccConditions() {
    this(0);
  }

  /**
   * @param warehouses of the properties file; 0 if it has none
   */
  public TpccConditions(int warehouses) {
    this.warehouses = warehouses;
  }

  @Override
  public List<String> remarks(Connection connection) throws SQLException {
    long loaded =
        FirstValue.number(
            connection, "SELECT cfg_value FROM bmsql_config WHERE cfg_name = 'warehouses'");
    return warehouses == 0 || warehouses == loaded
        ? List.of()
        : List.of(
            "The properties file has warehouses=%d, the database was loaded with %d."
                .formatted(warehouses, loaded));
  }

  @Override
  public String table() {
    return "bmsql_config";
  }

  /** The twelve in the order of their clauses, then the population and its values. */
  @Override
  public List<Condition> all(DatabaseKind kind) {
    return Stream.of(
            ConsistencyConditions.all(), PopulationConditions.all(kind), ValueConditions.all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * After the load D_NEXT_O_ID is 3001 and D_YTD 30000.00 in every district (TPC-C 4.3.3.1): a
   * New-Order moves the first, a Payment the second. A Delivery moves neither, but gives a carrier
   * to an order above 2100.
   */
  @Override
  public LoadState loadState(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery(CHANGED_DISTRICT)) {
        if (rows.next()) {
          return LoadState.changed(
              "district (%d, %d) has D_NEXT_O_ID %d and D_YTD %s, loaded were 3001 and 30000.00"
                  .formatted(
                      rows.getInt(1), rows.getInt(2), rows.getInt(3), rows.getBigDecimal(4)));
        }
      }
      try (ResultSet rows = statement.executeQuery(DELIVERED_ORDERS)) {
        rows.next();
        long delivered = rows.getLong(1);
        return delivered == 0
            ? LoadState.AS_LOADED
            : LoadState.changed("%d orders above 2100 were delivered".formatted(delivered));
      }
    }
  }
}
