package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Statements of a moment in which clients wait, on a real server. */
final class MomentLimitTest {
  private static ShardAccess shard;

  @BeforeAll
  static void start() throws SQLException {
    shard = TestShards.create(1).shard(0);
    TestShards.execute(shard, "create sequence s; create table t (id int)");
  }

  private static MomentLimit in(Duration left) {
    return new MomentLimit(System.nanoTime() + left.toNanos());
  }

  private static Connection open() throws SQLException {
    Connection connection = shard.open();
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void allStatementsShareTheTime() throws SQLException {
    try (Connection connection = open()) {
      Connection limited = in(Duration.ofMinutes(1)).of(connection);
      String settings =
          "select setting::int between 1 and 60000 from pg_settings where name in"
              + " ('statement_timeout', 'lock_timeout')";
      assertThat(ShardSql.texts(limited, settings)).containsExactly("t", "t");
      ShardSql.execute(connection, "set local statement_timeout = 0");
      assertThat(ShardSql.texts(limited, settings)).containsExactly("t", "t");
      connection.rollback();
      assertThat(ShardSql.texts(connection, settings)).containsExactly("f", "f");
    }
  }

  @Test
  void aSequenceThatAnotherSessionHasLockedIsNotWaitedForWithoutEnd() throws SQLException {
    try (Connection other = open();
        Connection connection = open()) {
      ShardSql.texts(other, "select nextval('s')");
      Connection limited = in(Duration.ofMillis(200)).of(connection);
      assertThatThrownBy(() -> ShardSql.execute(limited, "alter sequence s increment by 3"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isIn("55P03", "57014"));
    }
  }

  @Test
  void nothingBeginsAfterTheTime() throws SQLException {
    try (Connection connection = open()) {
      Connection limited = in(Duration.ZERO).of(connection);
      assertThatThrownBy(() -> ShardSql.execute(limited, "insert into t values (1)"))
          .isInstanceOf(SQLException.class)
          .hasMessage("the time is over");
      assertThatThrownBy(limited::createStatement).hasMessage("the time is over");
      assertThatThrownBy(() -> limited.unwrap(PGConnection.class)).hasMessage("the time is over");
      assertThat(ShardSql.texts(connection, "select count(*) from t")).containsExactly("0");
    }
  }
}
