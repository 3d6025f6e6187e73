package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Many clients set, reset and undo parameters at random, on few connections to three shards; each
 * has a twin that says the same to a plain server, and both are answered alike.
 *
 * <p>{@code -Dsettings.seconds=3600} goes on for that time, {@code -Dsettings.seed=...} repeats a
 * run that has printed its seed.
 */
final class SettingsModelTest {
  private static final int CLIENTS = 6;

  /** Those that hold connections at a time: one connection to each shard is left for the others. */
  private static final int TRANSACTIONS = 2;

  private static final int STEPS = 600;
  private static final int SHOWN_STEPS = 60;

  private static final String TABLES =
      """
      create schema w1; create schema w2;
      create table rt (t text); create table w1.rt (t text); create table w2.rt (t text);
      insert into rt values ('public'); insert into w1.rt values ('w1');
      insert into w2.rt values ('w2');
      grant usage on schema w1, w2 to public; grant select on rt, w1.rt, w2.rt to public;
      do $$ begin if not exists (select from pg_roles where rolname = 'model_a') then
        create role model_a; create role model_b;
        grant model_a, model_b to current_user with set true; end if; end $$""";

  private static final String[] SETTINGS = {
    "search_path w1",
    "search_path w2,public",
    "search_path \"$user\",w1",
    "search_path ''",
    "timezone 'Asia/Tokyo'",
    "timezone 'europe/paris'",
    "timezone -3",
    "datestyle SQL",
    "datestyle German,DMY",
    "datestyle ymd",
    "intervalstyle iso_8601",
    "application_name 'it''s \\ me'",
    "application_name other",
    "work_mem '3MB'",
    "work_mem 4096",
    "extra_float_digits 0",
    "bytea_output escape",
    "default_transaction_read_only on",
    "default_transaction_isolation 'repeatable read'",
    "statement_timeout '10min'",
    "client_min_messages error",
    "my.own 'mine'",
    "role model_a",
    "role model_b",
    "work_mem wrong",
    "no_such_parameter 1",
  };

  private static final String[] READS = {
    "select t from rt",
    "select '2020-01-01 12:00'::timestamptz at time zone 'UTC'",
    "select '01/02/2020'::date::text || '2020-05-17'::date::text",
    "select interval '1 day 2 hours'::text || '\\x41'::bytea::text",
    "select current_user || ' ' || session_user || ' ' || current_setting('role')",
    "select current_setting('search_path') || current_setting('timezone')"
        + " || current_setting('datestyle') || current_setting('application_name')"
        + " || current_setting('work_mem') || current_setting('extra_float_digits')"
        + " || current_setting('statement_timeout') || current_setting('client_min_messages')"
        + " || coalesce(current_setting('my.own', true), '')",
    "select current_setting('default_transaction_isolation')"
        + " || current_setting('default_transaction_read_only')"
        + " || current_setting('transaction_isolation') || current_setting('transaction_read_only')"
        + " from public.spread where id = %d",
    "select t.t || s.t::text from w1.rt t, public.spread s where s.id = %d",
    "select current_setting('timezone') || current_setting('work_mem') || current_user"
        + " from public.spread where id = %d",
    "select count(*) from public.spread",
    "select 1 / 0",
  };

  private static final String[] ENDS = {"commit", "rollback", "commit", "rollback", "end"};

  @AutoClose private static RunningProxy proxy;

  private static String plain;

  private final long seed = Long.getLong("settings.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<Twins> all = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  /** One client through the proxy, and one of a plain server. */
  private static final class Twins {
    final WireClient own;
    final WireClient direct;
    char status = 'I';

    Twins() throws IOException {
      own = proxy.login();
      direct = WireClient.loginToServer(RunningProxy.serverPort(), plain);
    }

    void close() throws IOException {
      own.close();
      direct.close();
    }
  }

  @BeforeAll
  static void start() throws IOException, SQLException {
    proxy = RunningProxy.start(3, "pool_size: 3", "cross_shard_isolation: per_shard");
    proxy.makeOnShards(TABLES);
    plain = RunningProxy.newPlainDatabase();
    try (Connection connection = RunningProxy.open(RunningProxy.serverUrl(plain));
        Statement statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
    try (WireClient maker = proxy.login();
        WireClient direct = WireClient.loginToServer(RunningProxy.serverPort(), plain)) {
      String table = "create table spread (id int primary key, t timestamptz)";
      make(maker, table + " partition by hash (id)");
      make(direct, table);
      for (int part = 0; part < 3; part++) {
        make(
            maker,
            "create table spread%d partition of spread for values with (modulus 3, remainder %d)"
                    .formatted(part, part)
                + " with (shard = %d)".formatted(part + 1));
      }
      for (WireClient each : List.of(maker, direct)) {
        make(each, "grant select on spread to public");
        for (int id = 0; id < 9; id++) {
          make(each, "insert into spread values (%d, '2020-01-0%d 12:00+0')".formatted(id, id + 1));
        }
      }
    }
  }

  private static void make(WireClient maker, String sql) throws IOException {
    assertThat(maker.query(sql)).as(sql).isEmpty();
  }

  @Test
  void clientsAreAnsweredAsByAPlainServer() throws IOException {
    System.out.println("SettingsModelTest: -Dsettings.seed=" + seed);
    Duration time = Duration.ofSeconds(Integer.getInteger("settings.seconds", 0));
    long start = System.nanoTime();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        all.add(new Twins());
      }
      for (int step = 0; step < STEPS || System.nanoTime() - start < time.toNanos(); step++) {
        step(random.nextInt(CLIENTS));
      }
    } finally {
      System.out.println(said.size() + " steps");
      for (Twins each : all) {
        each.close();
      }
    }
  }

  private void step(int index) throws IOException {
    if (random.nextInt(100) == 0 && all.get(index).status == 'I') {
      all.get(index).close();
      all.set(index, new Twins());
    }
    Twins twins = all.get(index);
    boolean pipeline = random.nextInt(6) == 0;
    List<String> statements = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
    for (int i = 0; i < count; i++) {
      // Several statements at a time are all of them simple ones.
      statements.add(count > 1 || pipeline ? setOrRead() : any(twins));
    }
    said.add(index + (pipeline ? " [" : " ") + String.join("; ", statements));
    String own = answer(twins.own, statements, pipeline);
    String direct = answer(twins.direct, statements, pipeline);
    assertThat(own).as("%s", this).isEqualTo(direct);
    twins.status = direct.charAt(direct.length() - 1);
    assertThat(proxy.holders())
        .as("%s", this)
        .isLessThanOrEqualTo(all.stream().filter(each -> each.status != 'I').count());
    if (twins.status != 'E') { // where servers are told to give up first, and report that later
      assertThat(twins.own.parameters()).as("%s", this).isEqualTo(twins.direct.parameters());
    }
  }

  /** The seed and what was said last. */
  @Override
  public String toString() {
    return "seed %d, step %d:%n%s%n"
        .formatted(
            seed,
            said.size(),
            String.join(
                System.lineSeparator(),
                said.subList(Math.max(0, said.size() - SHOWN_STEPS), said.size())));
  }

  private String any(Twins twins) {
    int choice = random.nextInt(10);
    if (twins.status == 'I') {
      long open = all.stream().filter(each -> each.status != 'I').count();
      if (choice < 3 && open < TRANSACTIONS) {
        return oneOf(
            "begin",
            "begin",
            "start transaction",
            "begin read only",
            "begin isolation level serializable");
      }
      return choice == 9 ? oneOf("discard all", "commit", "rollback", "savepoint a") : setOrRead();
    }
    if (choice < 2) {
      return oneOf(ENDS);
    }
    return choice < 5
        ? oneOf(
            "savepoint a",
            "savepoint \"B b\"",
            "rollback to a",
            "rollback to savepoint \"B b\"",
            "release a",
            "rollback to a")
        : setOrRead();
  }

  private String setOrRead() {
    int choice = random.nextInt(20);
    if (choice < 10) {
      return oneOf(READS).formatted(random.nextInt(9));
    }
    String setting = oneOf(SETTINGS);
    int space = setting.indexOf(' ');
    String name = setting.substring(0, space);
    String value = setting.substring(space + 1);
    return switch (choice) {
      case 10, 11, 12 -> "set " + name + " = " + value;
      case 13, 14 -> "set local " + name + " to " + value + " -- for now";
      case 15 ->
          oneOf("reset ", "set local ", "set ").equals("reset ")
              ? "reset " + name
              : oneOf("set ", "set local ") + name + " to default";
      case 16 -> oneOf("reset all", "reset role", "set role none", "reset timezone");
      case 17 ->
          oneOf(
              "set session characteristics as transaction read only, isolation level serializable",
              "set session characteristics as transaction read write",
              "set time zone interval '-08:00' hour to minute",
              "set time zone 'Asia/Seoul'",
              "set schema 'w2'",
              "set names 'utf-8'",
              "set local time zone 5");
      default ->
          "select set_config('%s', '%s', %s)"
              .formatted(name, value.replace("'", "").replace("\\", ""), random.nextBoolean());
    };
  }

  private String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Rows, tags and errors in order, and the status at the end. */
  private static String answer(WireClient client, List<String> statements, boolean pipeline)
      throws IOException {
    if (pipeline) {
      client.send(
          out -> {
            statements.forEach(sql -> SettingsTest.execute(out, sql));
            FrontendMessages.sync(out);
          });
    } else {
      client.sendQuery(String.join(";", statements.stream().map(sql -> sql + "\n").toList()));
    }
    StringBuilder answer = new StringBuilder();
    for (WireClient.Message message : client.untilReady()) {
      switch (message.type()) {
        case 'D' -> answer.append(message.firstColumn()).append('|');
        case 'E' -> answer.append(message.field('C')).append('|');
        case 'C' ->
            answer
                .append(new String(message.content().toArray(), StandardCharsets.UTF_8).strip())
                .append('|');
        case 'Z' -> answer.append((char) message.content().toArray()[0]);
        default -> {}
      }
    }
    return answer.toString();
  }
}
