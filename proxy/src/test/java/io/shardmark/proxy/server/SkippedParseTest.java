package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A client sends on behind a Sync without waiting for answers, and what it has prepared before that
 * was skipped: as with a plain server, there is no such statement.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SkippedParseTest {
  private static final String INSERT = "insert into t values (2, 2)";

  @AutoClose private Twins oneShard;
  @AutoClose private Twins threeShards;

  @BeforeAll
  void start() throws SQLException, IOException {
    oneShard = new Twins(1, "pool_size: 1");
    threeShards = new Twins(3, "pool_size: 1");
  }

  /** Behind one that fails when all of it has come. */
  private static Batch[] behindAFailure(Sent... messages) {
    String failing = "select 1 / length(pg_sleep(0.2)::text) from t where k = 1";
    Sent insert = parse("insert", "insert into t values (1, 1)");
    List<Sent> all = new ArrayList<>();
    all.addAll(List.of(bind("", "insert"), execute("", 0), bind("", "failing"), execute("", 0)));
    all.addAll(List.of(messages));
    return new Batch[] {
      new Batch(List.of(insert, parse("failing", failing), sync())), new Batch(all)
    };
  }

  private static Sent describe(String name) {
    return new Sent(
        "D S " + name, out -> FrontendMessages.describe(out, NameKind.STATEMENT, name), false);
  }

  private void assertSame(Batch... batches) throws SQLException, IOException {
    oneShard.assertSame(List.of(batches));
    threeShards.assertSame(List.of(batches));
  }

  @Test
  void cannotBeBound() throws SQLException, IOException {
    assertSame(
        behindAFailure(
            parse("x", INSERT),
            sync(),
            bind("", "x"),
            execute("", 0),
            sync(),
            bind("", "x"),
            sync()));
  }

  @Test
  void cannotBeDescribed() throws SQLException, IOException {
    assertSame(behindAFailure(parse("x", INSERT), sync(), describe("x"), sync()));
  }

  @Test
  void canBeMadeAgain() throws SQLException, IOException {
    Sent other = parse("x", "insert into t values (3, 3)");
    assertSame(
        behindAFailure(parse("x", INSERT), sync(), other, bind("", "x"), execute("", 0), sync()));
  }

  @Test
  void anotherClientsUnnamedStatementIsNotTakenForIt() throws SQLException, IOException {
    for (Twins twins : List.of(oneShard, threeShards)) {
      try (WireClient other = twins.proxy.login()) {
        other.sendBytes(
            new Batch(
                    List.of(
                        parse("", "insert into t values (2, 7) on conflict do nothing"),
                        bind("", ""),
                        execute("", 0),
                        sync()))
                .bytes());
        assertThat(other.untilReady()).noneMatch(answer -> answer.type() == 'E');
      }
      twins.assertSame(
          List.of(behindAFailure(parse("", INSERT), sync(), bind("", ""), execute("", 0), sync())));
    }
  }

  @Test
  void canBeBoundIfItIsNotSkipped() throws SQLException, IOException {
    assertSame(
        new Batch(
            List.of(
                parse("x", INSERT), sync(), describe("x"), bind("", "x"), execute("", 0), sync())));
  }
}
