package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * commit_timeout is for the end of a transaction, not for statements that stand before it. It is so
 * long that a busy machine commits within it.
 */
final class CommitTimeoutTest {
  private static final String SLEEP = "select id, pg_sleep(5.5) from l where id = 1";

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "commit_timeout: 5s");
    proxy.makeOnShards(
        "create table l (id int primary key) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1);"
            + "insert into l values ($shard + 1)");
  }

  @Test
  void aLongStatementBeforeTheCommitOrInItsPipelineIsWaitedFor() throws Exception {
    try (WireClient before = proxy.login();
        WireClient client = proxy.login()) {
      before.query("begin");
      before.sendQuery(SLEEP);
      before.sendQuery("commit");
      client.send(
          out -> {
            for (String sql : new String[] {"begin", SLEEP, "commit"}) {
              FrontendMessages.parse(out, "", sql);
              FrontendMessages.bind(out, "", "");
              FrontendMessages.execute(out, "", 0);
            }
            FrontendMessages.sync(out);
          });
      assertThat(before.answer()).isEqualTo("1");
      assertThat(WireClient.types(before.untilReady())).isEqualTo("CZ");
      assertThat(WireClient.types(client.untilReady())).isEqualTo("12C12DC12CZ");
    }
  }
}
