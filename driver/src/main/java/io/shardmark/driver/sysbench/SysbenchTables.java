package io.shardmark.driver.sysbench;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import io.shardmark.sql.jdbc.FirstValue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The tables: {@code sbtest1} to their count, ids 1 to their size.
 *
 * @param hasIndexOnK true if each has an index on {@code k}
 * @param ids what the test leaves of them
 */
record SysbenchTables(int count, int size, boolean hasIndexOnK, SysbenchTest.Ids ids) {
  static SysbenchTables of(PropertyReader values) {
    return new SysbenchTables(
        values.integer(SysbenchKey.TABLES),
        values.integer(SysbenchKey.TABLE_SIZE),
        values.flag(SysbenchKey.CREATE_SECONDARY),
        values.constant(SysbenchKey.TEST, SysbenchTest.class).leaves());
  }

  /** So many tables of a size. */
  String words(int ofSize) {
    return "%d tables of %d rows".formatted(count, ofSize);
  }

  /**
   * Checks that the tables are there and have these rows, by their smallest and largest ids: {@code
   * verify} counts.
   *
   * @throws ConfigException if they do not fit
   */
  void requireTables(Connection connection) throws SQLException {
    for (int table = 1; table <= count; table++) {
      requireTable(connection, table);
    }
  }

  private void requireTable(Connection connection, int table) throws SQLException {
    String name = "sbtest" + table;
    if (table > 1
        && FirstValue.number(
                connection,
                "SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('" + name + "')")
            == 0) {
      throw new ConfigException(
          "tables=%d: the database has no %s; set tables=%d, or destroy and build"
              .formatted(count, name, table - 1));
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT min(id), max(id) FROM " + name)) {
      row.next();
      int first = row.getInt(1);
      int last = row.getInt(2);
      if (!fits(first, last)) {
        throw new ConfigException(
            "tableSize=%d: %s has %s; %s"
                .formatted(
                    size,
                    name,
                    last == 0 ? "no rows" : "ids %d to %d".formatted(first, last),
                    first == 1
                        ? "set tableSize=%d, or destroy and build".formatted(last)
                        : "destroy and build"));
      }
    }
    if (hasIndexOnK && !isIndexed(connection, name)) {
      throw new ConfigException(
          "%s has no index on k, as sysbench prepare --create_secondary=off leaves it: set createSecondary=false, or destroy and build"
              .formatted(name));
    }
  }

  private boolean fits(int first, int last) {
    return switch (ids) {
      case ALL -> first == 1 && last == size;
      case FEWER -> last <= size;
      case MORE -> first == 1 && last >= size;
    };
  }

  /** The largest id of a table; 0 if it is empty. */
  int largestId(Connection connection, int table) throws SQLException {
    return (int) FirstValue.number(connection, "SELECT max(id) FROM sbtest" + table);
  }

  private static boolean isIndexed(Connection connection, String table) throws SQLException {
    return FirstValue.number(
            connection,
            "SELECT 1 FROM pg_catalog.pg_index i JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid"
                + " AND a.attnum = i.indkey[0] WHERE a.attname = 'k' AND i.indrelid = '"
                + table
                + "'::pg_catalog.regclass")
        == 1;
  }
}
