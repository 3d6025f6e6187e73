package io.shardmark.proxy.shards;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Statements over a JDBC connection, with everything closed that they open. They block. */
public final class ShardSql {
  private static final String HAS_TABLES =
      "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_'"
          + " AND n.nspname NOT IN ('information_schema', 'shardmark'))";

  /** Of shards that have been added those that count: the end of a query of names and positions. */
  public static final String COUNTING =
      " from shardmark.addition where stage in ('counts', 'done')";

  private static final Logger LOG = LoggerFactory.getLogger(ShardSql.class);

  private static final String OWN_ROLE =
      "SELECT pid FROM pg_stat_activity"
          + " WHERE usesysid = (SELECT oid FROM pg_roles WHERE rolname = session_user)";

  private ShardSql() {}

  /** Reads one row. */
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * The rows of a query.
   *
   * @param parameters for its question marks; a collection is an array of texts
   */
  public static <T> List<T> rows(
      Connection connection, String sql, RowReader<T> reader, Object... parameters)
      throws SQLException {
    List<T> read = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        read.add(reader.read(rows));
      }
    }
    return read;
  }

  /** The first column of a query's rows, none of which is NULL. */
  public static List<String> texts(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return rows(connection, sql, row -> String.valueOf(row.getString(1)), parameters);
  }

  /** Whether the one value of a query is true. */
  public static boolean isTrue(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return texts(connection, sql, parameters).contains("t");
  }

  /** Whether users of the database have tables in it. */
  public static boolean hasUsersTables(Connection connection) throws SQLException {
    return isTrue(connection, HAS_TABLES);
  }

  /** Whether the schema {@code shardmark} has a table of that name. */
  public static boolean hasTable(Connection connection, String name) throws SQLException {
    return isTrue(connection, "SELECT to_regclass('shardmark.' || ?) IS NOT NULL", name);
  }

  /** Names of the shards that have been added and count, as the first one says, in their order. */
  public static List<String> addedShards(Connection first) throws SQLException {
    String counting = "select name" + COUNTING + " order by position";
    return hasTable(first, "addition") ? texts(first, counting) : List.of();
  }

  /**
   * Executes what gives no rows that matter.
   *
   * @return how many rows it changed
   */
  public static int execute(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
      return statement.getUpdateCount();
    }
  }

  /** Sends each text to all who listen on the channel. */
  public static void say(Connection connection, String channel, List<String> texts)
      throws SQLException {
    execute(connection, "SELECT pg_notify(?, said) FROM unnest(?) said", channel, texts);
  }

  /**
   * What has been said on channels that the connection listens on. Anybody may send on any channel;
   * sessions of the connection's own role could cancel whatever is cancelled on their word (PG18
   * §9.28.2 functions-admin-signal).
   *
   * @param trusted a channel on which only those are believed
   * @param millis how long to wait for something; at least 1
   */
  public static List<PGNotification> heard(Connection connection, String trusted, int millis)
      throws SQLException {
    PGNotification[] received = connection.unwrap(PGConnection.class).getNotifications(millis);
    List<PGNotification> all = received == null ? List.of() : List.of(received);
    if (all.stream().noneMatch(one -> one.getName().equals(trusted))) {
      return all;
    }
    List<Integer> believed = rows(connection, OWN_ROLE, row -> row.getInt(1));
    return all.stream()
        .filter(one -> !one.getName().equals(trusted) || believed.contains(one.getPID()))
        .toList();
  }

  /** Closes a connection that may be broken, or none. */
  public static void close(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.debug("closing a connection to a shard: {}", e.getMessage());
      }
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      Object value = parameters[i];
      if (value instanceof Collection<?> texts) {
        statement.setArray(i + 1, connection.createArrayOf("text", texts.toArray()));
      } else {
        statement.setObject(i + 1, value);
      }
    }
    return statement;
  }
}
