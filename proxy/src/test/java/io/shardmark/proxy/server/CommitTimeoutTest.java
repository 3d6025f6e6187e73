package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** commit_timeout is for the end of a transaction, not for statements that stand before it. */
final class CommitTimeoutTest {
  private static final String SLEEP = "select id, pg_sleep(1) from l where id = 1";

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "commit_timeout: 100ms");
    proxy.makeOnShards(
        "create table l (id int primary key) partition by list (id);"
            + "create table l_$shard partition of l for values in ($shard + 1);"
            + "insert into l values ($shard + 1)");
  }

  @Test
  void aLongStatementBeforeTheCommitIsWaitedFor() throws Exception {
    try (WireClient client = proxy.login()) {
      client.query("begin");
      client.sendQuery(SLEEP);
      client.sendQuery("commit");
      assertThat(client.answer()).isEqualTo("1");
      assertThat(WireClient.types(client.untilReady())).isEqualTo("CZ");
    }
  }

  @Test
  void aLongStatementInThePipelineOfTheCommitIsWaitedFor() throws Exception {
    try (WireClient client = proxy.login()) {
      client.send(
          out -> {
            for (String sql : new String[] {"begin", SLEEP, "commit"}) {
              FrontendMessages.parse(out, "", sql);
              FrontendMessages.bind(out, "", "");
              FrontendMessages.execute(out, "", 0);
            }
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.types(client.untilReady())).isEqualTo("12C12DC12CZ");
    }
  }
}
