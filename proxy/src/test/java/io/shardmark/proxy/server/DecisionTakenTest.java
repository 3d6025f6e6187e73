package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.faults.Relay;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recovery, perhaps of another proxy, decides before the session that commits can. */
final class DecisionTakenTest {
  private static final Pattern GID = Pattern.compile("'(shardmark:[^']+)'");

  /**
   * Becoming read only, the transaction gets a savepoint, which is released before the decision.
   */
  @ParameterizedTest
  @ValueSource(strings = {"select 1", "set transaction read only"})
  void isAFailureThatMayBeTriedAgain(String last) throws Exception {
    try (Relay link = Relay.to(RunningProxy.serverPort());
        RunningProxy proxy = RunningProxy.startBehind(link, 2);
        WireClient client = proxy.login()) {
      proxy.makeOnShards(
          "create table l (id int primary key, v int) partition by list (id);"
              + "create table l_$shard partition of l for values in ($shard + 1)");
      client.query("begin; insert into l values (1, 1), (2, 2)");
      client.query(last);
      CompletableFuture<Void> decided = link.beforeDecision(text -> decideOtherwise(proxy, text));
      assertThat(client.query("commit")).isEqualTo("40001");
      Await.result(decided);
      assertThat(client.query("select count(*) from l")).isEqualTo("0");
      assertThat(
              proxy.onShard(
                  0, "select count(*) from pg_prepared_xacts where database = current_database()"))
          .isEqualTo("0");
    }
  }

  private static void decideOtherwise(RunningProxy proxy, String decision) {
    Matcher gid = GID.matcher(decision);
    assertThat(gid.find()).as(decision).isTrue();
    try {
      proxy.onShards(
          "insert into shardmark.decision (gid, committed) values ('%s', false)"
              .formatted(gid.group(1)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
