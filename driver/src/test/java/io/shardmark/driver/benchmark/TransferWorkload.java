package io.shardmark.driver.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Two statements in the manner of TPC-B: change one account's balance, record it. Amounts are cents
 * from 1 to 100; one in five is refused by rolling back.
 */
final class TransferWorkload implements Workload {
  static final int ACCOUNTS = 20;
  static final TransactionType TRANSFER =
      new TransactionType(
          0,
          "TRANSFER",
          true,
          true,
          Duration.ZERO,
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          1);

  private record Transfer(int account, int cents, boolean refused) implements Transaction {
    @Override
    public TransactionType type() {
      return TRANSFER;
    }

    @Override
    public boolean isDistributed() {
      return account % 2 == 0;
    }

    @Override
    public void countInto(long[] counters) {
      counters[0]++;
      counters[1] += refused ? 1 : 0;
    }
  }

  @Override
  public List<TransactionType> types() {
    return List.of(TRANSFER);
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (id integer PRIMARY KEY, cents bigint NOT NULL)");
      statement.execute("CREATE TABLE entry (account integer NOT NULL, cents integer NOT NULL)");
      statement.execute(
          "INSERT INTO account SELECT id, 0 FROM generate_series(1, " + ACCOUNTS + ") AS id");
    }
    connection.commit();
  }

  @Override
  public Terminal newTerminal(int index) {
    SplittableRandom random = new SplittableRandom(index);
    return () ->
        new Transfer(
            random.nextInt(1, ACCOUNTS + 1), random.nextInt(1, 101), random.nextInt(5) == 0);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    PreparedStatement update =
        connection.prepareStatement("UPDATE account SET cents = cents + ? WHERE id = ?");
    PreparedStatement insert = connection.prepareStatement("INSERT INTO entry VALUES (?, ?)");
    return transaction -> {
      Transfer transfer = (Transfer) transaction;
      update.setInt(1, transfer.cents());
      update.setInt(2, transfer.account());
      update.executeUpdate();
      insert.setInt(1, transfer.account());
      insert.setInt(2, transfer.cents());
      insert.executeUpdate();
      if (transfer.refused()) {
        connection.rollback();
        return Outcome.ROLLED_BACK;
      }
      connection.commit();
      return Outcome.COMMITTED;
    };
  }

  @Override
  public int auditCounterCount() {
    return 2;
  }

  @Override
  public List<AuditRule> auditRules() {
    return List.of(
        new AuditRule("-", "transfers refused", AuditRule.AuditUnit.PERCENT, 1, 0, 10, 30, ""));
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("accounts", Integer.toString(ACCOUNTS));
  }
}
