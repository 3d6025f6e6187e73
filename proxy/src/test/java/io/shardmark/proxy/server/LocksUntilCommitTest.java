package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.faults.Relay;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whoever has waited for a lock of a transaction sees what that has written: on PostgreSQL a
 * transaction gives up its locks when its rows are to be seen.
 */
final class LocksUntilCommitTest {
  private static final String TABLE =
      """
      create table l (id int primary key) partition by list (id);
      create table l_$shard partition of l for values in ($shard + 1, $shard + 11);
      insert into l values ($shard + 1);
      create function wait() returns trigger language plpgsql
        as $$begin perform pg_advisory_xact_lock_shared(8); return null; end$$;
      create constraint trigger wait after insert on l_$shard deferrable initially deferred
        for each row execute function wait()""";

  /** The lock is on the first shard, which commits nothing or the row 11. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          select pg_advisory_xact_lock(7)         | select pg_try_advisory_xact_lock(7) | f
          select pg_try_advisory_xact_lock(7)     | select pg_try_advisory_xact_lock(7) | f
          select id from l where id = 1 for share | select count(*) from (select from l where id = 1 for update skip locked) a | 0
          """)
  void areKeptWhileAnotherShardHasNotCommitted(String lock, String attempt, String fails)
      throws Exception {
    try (Relay link = Relay.to(RunningProxy.serverPort());
        RunningProxy proxy = RunningProxy.startBehind(link, 3)) {
      proxy.makeOnShards(TABLE);
      try (WireClient client = proxy.login()) {
        client.query("begin");
        client.query(lock);
        client.query("insert into l values (12), (13)");
        CompletableFuture<Void> decided = link.stallAtCommitPrepared();
        client.sendQuery("commit");
        Await.result(decided);
        assertThat(proxy.onShard(0, attempt)).isEqualTo(fails);
        link.flow();
        client.answer();
        assertThat(proxy.onShard(0, attempt)).isNotEqualTo(fails);
      } finally {
        link.flow();
      }
    }
  }

  @Test
  void areKeptUntilTheOnlyWriterHasCommitted() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(2)) {
      proxy.makeOnShards(TABLE);
      try (WireClient client = proxy.login();
          WireClient other = proxy.login();
          Connection shard = proxy.shard(1);
          Statement holder = shard.createStatement()) {
        holder.execute("select pg_advisory_lock(8)");
        client.query("begin");
        client.query("select pg_advisory_xact_lock(7)");
        client.query("insert into l values (12)");
        client.sendQuery("commit");
        Await.until("the writer's COMMIT waits", () -> proxy.onShard(1, WAITING).equals("1"));
        other.query("begin");
        other.sendQuery("select pg_advisory_xact_lock(7)");
        Await.until("the other waits", () -> proxy.onShard(0, WAITING).equals("1"));
        holder.execute("select pg_advisory_unlock(8)");
        client.answer();
        other.answer();
        assertThat(other.query("select count(*) from l where id = 12")).isEqualTo("1");
      }
    }
  }

  private static final String WAITING =
      "select count(*) from pg_locks join pg_database d on d.oid = database"
          + " where locktype = 'advisory' and not granted and datname = current_database()";
}
