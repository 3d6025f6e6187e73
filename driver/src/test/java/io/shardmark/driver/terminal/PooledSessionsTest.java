package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.servers.SharedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Against a real server: what is opened and prepared before the first transaction. */
@Timeout(240)
final class PooledSessionsTest {
  private final Set<Connection> prepared = ConcurrentHashMap.newKeySet();
  private @org.jspecify.annotations.Nullable PooledSessions sessions;

  private PooledSessions sessions(String user, int connections) {
    HikariConfig hikari = new HikariConfig();
    hikari.setJdbcUrl(SharedPostgres.url("postgres"));
    hikari.setUsername(user);
    hikari.setPassword("postgres");
    hikari.setMaximumPoolSize(connections);
    hikari.setConnectionTimeout(2_000);
    hikari.setInitializationFailTimeout(-1);
    hikari.setAutoCommit(false);
    PooledSessions opened =
        new PooledSessions(new HikariDataSource(hikari), new Preparing()::newExecutor);
    sessions = opened;
    return opened;
  }

  @AfterEach
  void close() {
    if (sessions != null) {
      sessions.close();
    }
  }

  @Test
  void allConnectionsAreOpenedAndPreparedAtOnce() throws SQLException {
    PooledSessions opened = sessions("postgres", 5);

    opened.open(5, () -> false);

    assertThat(prepared).hasSize(5);
    assertThat(opened.usage().inUse()).isZero();
    opened.borrow().executor();
    assertThat(prepared).hasSize(5);
  }

  @Test
  void aServerThatRefusesOneOfThemIsToldAndNoneStaysBorrowed() throws SQLException {
    try (Connection connection = SharedPostgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE limited LOGIN PASSWORD 'postgres' CONNECTION LIMIT 2");
    }
    PooledSessions opened = sessions("limited", 3);

    assertThatThrownBy(() -> opened.open(3, () -> false))
        .isInstanceOf(SQLException.class)
        .rootCause()
        .hasMessageContaining("too many connections for role");
    assertThat(opened.usage().inUse()).isZero();
  }

  @Test
  void whoIsToldToEndOpensNoMore() throws SQLException {
    sessions("postgres", 5).open(5, () -> prepared.size() == 2);

    assertThat(prepared).hasSize(2);
  }

  @Test
  void aLostConnectionLeavesHealthyOnesOpen() throws SQLException {
    PooledSessions opened = sessions("postgres", 3);
    opened.open(3, () -> false);

    opened.borrow().discard();
    borrowAndRelease(opened, 3);

    assertThat(prepared).hasSize(4);
  }

  @Test
  void deadOnesAreReplacedWithALostOne() throws SQLException {
    PooledSessions opened = sessions("postgres", 3);
    opened.open(3, () -> false);
    for (Connection connection : prepared) {
      end(connection);
    }

    opened.borrow().discard();
    borrowAndRelease(opened, 3);

    assertThat(prepared).hasSize(6);
  }

  /** Each runs a statement. */
  private void borrowAndRelease(PooledSessions from, int count) throws SQLException {
    List<TerminalSession> borrowed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      borrowed.add(from.borrow());
      borrowed.get(i).executor();
    }
    borrowed.forEach(TerminalSession::release);
  }

  private static void end(Connection victim) throws SQLException {
    try (Connection connection = SharedPostgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(%d, 10000)"
              .formatted(victim.unwrap(PGConnection.class).getBackendPID()));
    }
  }

  /** Counts the connections that statements are prepared on. */
  private final class Preparing implements Workload {
    @Override
    public TransactionExecutor newExecutor(Connection connection) {
      prepared.add(connection);
      return transaction -> Outcome.COMMITTED;
    }

    @Override
    public List<TransactionType> types() {
      return List.of();
    }

    @Override
    public void prepare(Connection connection) {}

    @Override
    public Terminal newTerminal(int index) {
      throw new UnsupportedOperationException();
    }
  }
}
