package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitions that arrive on a real server, with more rows than are read without a rest. */
final class RowComparisonTest {
  private static final PartitionMove MOVE =
      new PartitionMove(
          1,
          "shardmark_move_1",
          0,
          "s2",
          List.of("public.account", "public.entry"),
          List.of("public.account_1", "public.entry_1"),
          "FOR VALUES WITH (modulus 2, remainder 1)",
          MoveStage.COPYING,
          "",
          0);

  private final List<String> queries = new ArrayList<>();
  private ShardAccess shard;

  @BeforeEach
  void arrive() throws SQLException {
    shard = TestShards.create(1).shard(0);
    TestShards.execute(
        shard,
        """
        create table kind (id int primary key);
        create table account (id int primary key) partition by hash (id);
        create table entry (account int references account, kind int references kind, note text)
          partition by hash (account);
        create table account_1 (like account including all);
        create table entry_1 (like entry including all);
        insert into kind values (1);
        insert into account_1 select g from generate_series(1, 3000) g;
        insert into entry_1 select g, 1, repeat('x', 300) from generate_series(1, 3000) g""");
  }

  /** Without nulls; its queries are written down. */
  private Connection recording(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                queries.add(String.valueOf(arguments[0]));
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  private String brokenKey() throws SQLException, InterruptedException {
    try (Connection connection = shard.open()) {
      connection.setAutoCommit(false);
      return new RowComparison(MOVE, "s1").brokenKey(recording(connection)).orElse("");
    }
  }

  @Test
  void keysAreCheckedInSlices() throws SQLException, InterruptedException {
    assertThat(brokenKey()).isEmpty();
    assertThat(queries.stream().filter(query -> query.startsWith("select '"))).hasSize(2 * 2);
  }

  @Test
  void aKeyIsBrokenByTheLastRow() throws SQLException, InterruptedException {
    TestShards.execute(shard, "update entry_1 set kind = 2 where account = 3000");
    assertThat(brokenKey()).isEqualTo("entry_kind_fkey of public.entry_1 does not hold on s2");
    TestShards.execute(shard, "update entry_1 set kind = 1; delete from account_1 where id = 3000");
    assertThat(brokenKey()).isEqualTo("entry_account_fkey of public.entry_1 does not hold on s2");
  }

  @Test
  void rowsAreEqualWhateverTheirOrder() throws SQLException, InterruptedException {
    TestShards.execute(
        shard,
        "create table other (like entry_1); insert into other select * from entry_1 order by 1 desc");
    try (Connection connection = shard.open()) {
      RowComparison comparison = new RowComparison(MOVE, "s1");
      List<String> source = List.of("account_1", "other");
      assertThat(comparison.difference(connection, source, connection)).isEmpty();
      TestShards.execute(shard, "update other set note = '' where account = 7");
      assertThat(comparison.difference(connection, source, connection).orElse(""))
          .startsWith("public.entry_1 has 3000 rows, hash ");
    }
  }
}
