package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.metrics.LoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A plain database and a proxy over shards with the same tables, and a client of each that sends
 * the same bytes.
 */
final class Twins implements AutoCloseable {
  private static final Pattern TAKEN_KEY = Pattern.compile("\\(k\\)=\\(\\d+\\)(?= already exists)");

  private static final String TABLES =
      """
      create table t (k int primary key, v int) %s;
      create table d (k int unique deferrable initially deferred, v int) %s;
      create table r (id int primary key, v int check (v < 1000));
      create function wait_for_nothing() returns int language sql as 'select 1';
      create function end_writing() returns text language sql
        as $$select set_config('transaction_read_only', 'on', true)$$;
      """;

  private static final String FAILED =
      "E ERROR 25P02 current transaction is aborted, commands ignored until end of transaction"
          + " block ";

  private static final Pattern OTHER_FAILURES =
      Pattern.compile("E ERROR (42601|34000 portal \"\" |55000 portal \"\" )|I$");

  /** What a client sends before it waits: messages, of which some are answered by ReadyForQuery. */
  record Batch(List<Sent> messages) {
    @Override
    public String toString() {
      return String.join(" | ", messages.stream().map(Sent::text).toList());
    }

    byte[] bytes() {
      ByteBuf out = Unpooled.buffer();
      messages.forEach(message -> message.writer().accept(out));
      return Arrays.copyOf(out.array(), out.writerIndex());
    }
  }

  /**
   * One message.
   *
   * @param text for who reads of a difference
   * @param ready whether ReadyForQuery answers it
   */
  record Sent(String text, Consumer<ByteBuf> writer, boolean ready) {}

  final RunningProxy proxy;
  private final int shards;
  private final String plain;
  private final List<Connection> databases = new ArrayList<>();
  private final Connection plainDatabase;
  private final WireClient direct;
  private WireClient through;
  private long pinnedBefore;

  Twins(int shards, String... moreKeys) throws SQLException, IOException {
    this.shards = shards;
    proxy = RunningProxy.start(shards, moreKeys);
    proxy.onShards(TABLES.formatted("partition by hash (k)", "partition by hash (k)"));
    for (String table : List.of("t", "d")) {
      proxy.onShards(
          "create table %s_$shard partition of %s for values with (modulus %d, remainder $shard)"
              .formatted(table, table, shards));
    }
    proxy.refresh();
    plain = RunningProxy.newPlainDatabase();
    direct = WireClient.loginToServer(RunningProxy.serverPort(), plain);
    direct.query(TABLES.formatted("", ""));
    through = proxy.login();
    for (int shard = 0; shard < shards; shard++) {
      databases.add(proxy.shard(shard));
    }
    plainDatabase = RunningProxy.open(proxy.directUrl(0).replaceAll("/proxy\\d+", "/" + plain));
    databases.add(plainDatabase);
  }

  /**
   * Empty tables, and clients that have said nothing yet. A new session of a server costs as much
   * as some ten statements, so that one is made as new.
   */
  void renew() throws SQLException, IOException {
    direct.query("rollback");
    direct.query("discard all");
    through.close();
    for (Connection database : databases) {
      try (Statement statement = database.createStatement()) {
        rollBackPrepared(statement);
        // Few rows: cheaper than new files for them.
        statement.execute("set lock_timeout = '30s'; delete from t; delete from d; delete from r");
      }
    }
    through = proxy.login();
    pinnedBefore = proxy.sum(LoopCounter.SESSIONS_PINNED);
  }

  private static void rollBackPrepared(Statement statement) throws SQLException {
    List<String> gids = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "select gid from pg_prepared_xacts where database = current_database()")) {
      while (rows.next()) {
        gids.add(rows.getString(1));
      }
    }
    for (String gid : gids) {
      statement.execute("rollback prepared '" + gid + "'");
    }
  }

  /** What the plain server answers to all of it, and the tables afterwards. */
  List<String> expected(List<Batch> batches) throws SQLException, IOException {
    List<String> answers = answers(direct, batches);
    try (Statement statement = plainDatabase.createStatement()) {
      rollBackPrepared(statement); // names are shared by all databases of a server
    }
    return answers;
  }

  /** What the proxy answers. */
  List<String> found(List<Batch> batches) throws IOException {
    return answers(through, batches);
  }

  /** Whether the proxy's client still has connections to shards, and need not keep them. */
  private boolean isLeft(WireClient client, List<String> answers) {
    return client == through
        && !answers.isEmpty()
        && answers.get(answers.size() - 1).equals("Z I")
        && proxy.sum(LoopCounter.SESSIONS_PINNED) == pinnedBefore
        && proxy.holders() > 0;
  }

  /** Sends it to both, from the beginning, and compares. */
  List<String> assertSame(List<Batch> batches) throws SQLException, IOException {
    renew();
    List<String> expected = expected(batches);
    assertThat(found(batches)).as("%s", batches).isEqualTo(expected);
    return expected;
  }

  private List<String> answers(WireClient client, List<Batch> batches) throws IOException {
    List<String> answers = new ArrayList<>();
    Map<String, String> reported = new HashMap<>(client.parameters());
    for (Batch batch : batches) {
      client.sendBytes(batch.bytes());
      for (Sent message : batch.messages()) {
        if (message.ready()) {
          untilReady(client, answers, reported);
        }
      }
      if (isLeft(client, answers)) {
        answers.add("connections are not given back");
      }
    }
    client.query("rollback");
    for (String table : List.of("t order by k", "d order by k, v", "r order by id")) {
      client.sendQuery("select * from " + table);
      client.untilReady().forEach(answer -> answers.add("at the end " + shown(answer)));
    }
    asInFailedTransactions(answers);
    if (shards > 1) {
      // Which of several rows that are there already is told is by chance: any shard may be first.
      answers.replaceAll(answer -> TAKEN_KEY.matcher(answer).replaceAll("(k)=(...)"));
    }
    return answers;
  }

  /**
   * Parameters as they are at ReadyForQuery, when a server reports them; the proxy may have passed
   * on more values before. Not in a failed transaction: it undoes there a little later what was
   * set.
   *
   * @param reported what has been compared so far
   */
  private static void untilReady(
      WireClient client, List<String> answers, Map<String, String> reported) throws IOException {
    for (WireClient.Message answer : client.untilReady()) {
      if (answer.type() == 'Z' && !shown(answer).startsWith("Z E")) {
        new TreeMap<>(client.parameters())
            .forEach(
                (name, value) -> {
                  if (!value.equals(reported.put(name, value))) {
                    answers.add("S " + name + ' ' + value + ' ');
                  }
                });
      }
      if (answer.type() != 'S') {
        answers.add(shown(answer));
      }
    }
  }

  /**
   * What a failed transaction does not take anyway is not parsed by the proxy: its syntax error is
   * not told. There a server still has the unnamed portal of the Query that failed, and an empty
   * portal where a Bind has failed: it answers the Execute of that one, and what comes behind it
   * until Sync, where the proxy skips.
   */
  private static void asInFailedTransactions(List<String> answers) {
    boolean failed = false;
    boolean skips = false;
    for (int i = 0; i < answers.size(); i++) {
      String answer = answers.get(i);
      if (answer.startsWith("Z ")) {
        failed = answer.startsWith("Z E");
        skips = false;
      } else if (skips) {
        answers.remove(i--);
      } else if (failed && OTHER_FAILURES.matcher(answer).lookingAt()) {
        skips = answer.equals("I");
        answers.set(i, FAILED);
      }
    }
  }

  private static String shown(WireClient.Message message) {
    byte[] body = message.content().toArray();
    return switch (message.type()) {
      case 'E', 'N' ->
          "%s %s %s %s %s"
              .formatted(
                  message.type(),
                  message.field('S'),
                  message.field('C'),
                  message.field('M').replaceAll("\"([td])_\\d_", "\"$1_"),
                  message.field('D'));
      case 'D' -> "D " + message.row();
      case 'T' -> "T " + message.columns();
      case 'C', 'Z' ->
          message.type() + " " + new String(body, StandardCharsets.UTF_8).replace('\0', ' ');
      case 't' -> "t " + Arrays.toString(body);
      default -> String.valueOf(message.type());
    };
  }

  @Override
  public void close() throws SQLException, IOException {
    direct.close();
    through.close();
    for (Connection database : databases) {
      database.close();
    }
    proxy.close();
  }
}
