package io.shardmark.proxy.server;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What clients may send: messages of both protocols in any order, with transaction control. */
final class RandomPipeline {
  private static final int KEYS = 6;
  private static final List<String> CONTROL =
      List.of(
          "begin",
          "begin",
          "start transaction read write",
          "commit",
          "commit",
          "end work",
          "rollback",
          "rollback",
          "abort",
          "commit and chain",
          "rollback and chain",
          "commit and no chain",
          "savepoint a",
          "savepoint b",
          "rollback to a",
          "rollback to savepoint b",
          "release a",
          "release savepoint b",
          "set transaction read write",
          "set constraints all immediate");

  /** Of several in one Query the first would be executed before the proxy comes to this one. */
  private static final List<String> WRONG =
      List.of("begin isolation level repeatable reed", "selekt", "commit and", "savepoint");

  /** In a pipeline a server refuses them behind a Parse, which takes a snapshot there. */
  private static final List<String> OF_QUERIES =
      List.of(
          "begin read only",
          "begin isolation level repeatable read",
          // Not deferrable: that waits for what others do on the server that all twins share.
          "begin isolation level serializable, read only",
          "set transaction isolation level serializable");

  private static final String UNKNOWN_COLUMN = "select nosuch from t";

  private static final List<String> OTHERS =
      List.of(
          "select 1/0",
          "select 1 / length(pg_sleep(0.005)::text)", // fails when more has been sent
          UNKNOWN_COLUMN,
          "",
          "show transaction_isolation",
          "show transaction_read_only",
          "set extra_float_digits = 2",
          "set datestyle = 'German'",
          "set local datestyle = 'ISO, DMY'",
          "reset datestyle",
          "set work_mem = '7MB'",
          "set local work_mem = '9MB'",
          "set work_mem = 'much'",
          "show work_mem",
          "show datestyle",
          "lock table r",
          "lock table t in share mode");

  private final Random random;

  /** Whether the unnamed portal may be that of a Query. */
  private boolean ofQuery;

  /** Whether there is a Bind without an Execute since the last Sync. */
  private boolean bindsOnly;

  RandomPipeline(Random random) {
    this.random = random;
  }

  List<Batch> next() {
    List<Batch> batches = new ArrayList<>();
    for (int count = 1 + random.nextInt(5); count > 0; count--) {
      List<Sent> messages = new ArrayList<>();
      do {
        if (random.nextInt(3) == 0) {
          messages.add(query());
          ofQuery = true;
        } else {
          pipeline(messages);
        }
      } while (random.nextInt(4) == 0);
      batches.add(new Batch(List.copyOf(messages)));
    }
    return batches;
  }

  /** As a Query message. */
  static Sent query(String sql) {
    return new Sent("Q " + sql, out -> FrontendMessages.query(out, sql), true);
  }

  static Sent parse(String name, String sql) {
    return new Sent("P " + name + " " + sql, out -> FrontendMessages.parse(out, name, sql), false);
  }

  static Sent bind(String portal, String name) {
    return new Sent(
        "B " + portal + " " + name, out -> FrontendMessages.bind(out, portal, name), false);
  }

  static Sent execute(String portal, int rows) {
    return new Sent(
        "E " + portal + " " + rows, out -> FrontendMessages.execute(out, portal, rows), false);
  }

  static Sent closePortal(String name) {
    return new Sent(
        "C P " + name, out -> FrontendMessages.close(out, NameKind.PORTAL, name), false);
  }

  static Sent describePortal(String name) {
    return new Sent(
        "D P " + name, out -> FrontendMessages.describe(out, NameKind.PORTAL, name), false);
  }

  static Sent sync() {
    return new Sent("S", FrontendMessages::sync, true);
  }

  private Sent query() {
    if (random.nextInt(12) == 0) {
      return query(WRONG.get(random.nextInt(WRONG.size())));
    }
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
    List<String> texts = new ArrayList<>();
    while (count-- > 0) {
      texts.add(
          random.nextInt(12) == 0
              ? OF_QUERIES.get(random.nextInt(OF_QUERIES.size()))
              : statement());
    }
    return query(String.join("; ", texts));
  }

  private void pipeline(List<Sent> messages) {
    bindsOnly = false;
    for (int count = random.nextInt(6); count > 0; count--) {
      switch (random.nextInt(12)) {
        case 0 -> messages.add(new Sent("H", FrontendMessages::flush, false));
        case 1 -> {
          String name = name();
          messages.add(
              new Sent(
                  "C S " + name,
                  out -> FrontendMessages.close(out, NameKind.STATEMENT, name),
                  false));
        }
        case 2 -> messages.add(closePortal(name()));
        case 3 -> {
          // Not the unnamed statement: through the proxy it is gone when a Parse is skipped.
          messages.add(bind(name(), random.nextBoolean() ? "x" : "y"));
          bindsOnly = true;
        }
        case 4 -> {
          String name = name();
          if (!name.isEmpty()
              || !ofQuery) { // of a failed Query: PostgreSQL 18.6 reads freed memory
            messages.add(execute(name, rows()));
          }
        }
        default -> statement(messages);
      }
    }
    messages.add(sync());
  }

  private void statement(List<Sent> messages) {
    boolean wrong = random.nextInt(20) == 0;
    String sql = wrong ? WRONG.get(random.nextInt(WRONG.size())) : statement();
    if (bindsOnly && sql.startsWith("declare")) {
      sql = "fetch c"; // a transaction that the proxy makes of a Bind is one for DECLARE too
    }
    wrong |= sql.equals(UNKNOWN_COLUMN); // and unnamed: a server tells that before a taken name
    String name = !wrong && random.nextInt(8) == 0 ? name() : "";
    String portal = random.nextInt(8) == 0 ? name() : "";
    messages.add(parse(name, sql));
    if (random.nextInt(6) == 0) {
      messages.add(
          new Sent(
              "D S " + name,
              out -> FrontendMessages.describe(out, NameKind.STATEMENT, name),
              false));
    }
    messages.add(bind(portal, name));
    if (random.nextInt(4) == 0) {
      messages.add(describePortal(portal));
    }
    if (random.nextInt(12) != 0) {
      messages.add(execute(portal, rows()));
    } else {
      bindsOnly = true;
    }
  }

  private String name() {
    return List.of("", "", "x", "y").get(random.nextInt(4));
  }

  private int rows() {
    return random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0;
  }

  private int key() {
    return 1 + random.nextInt(KEYS);
  }

  private String statement() {
    int kind = random.nextInt(20);
    if (kind < 7) {
      return CONTROL.get(random.nextInt(CONTROL.size()));
    }
    if (kind < 10) {
      return OTHERS.get(random.nextInt(OTHERS.size()));
    }
    if (kind == 19) {
      return cursor();
    }
    int key = key();
    return switch (random.nextInt(17)) {
      case 0, 1, 2 -> "insert into t values (%d, %d)".formatted(key, random.nextInt(9));
      case 3 -> "insert into t values (%d, 1), (%d, 2)".formatted(key, key + 6);
      case 4 -> "update t set v = v + 1 where k = " + key;
      case 5 -> "update t set v = v + 10";
      case 6 -> "delete from t where k = " + key;
      case 7 -> "select k, v from t where k = " + key;
      case 8 -> "select k, v from t order by k";
      case 9 -> "select count(*) from t";
      case 10 -> "insert into d values (%d, %d)".formatted(random.nextInt(3), key);
      case 11 -> "insert into r values (%d, %d)".formatted(key, random.nextInt(1100));
      case 12 -> "select id, v from r order by id";
      case 13 -> "update t set v = v + 1 where k = %d returning k, v".formatted(key);
      case 14 -> "delete from t where k in (%d, %d) returning 'gone'".formatted(key, key + 1);
      case 15 -> "update t set v = 5 returning v";
      default -> "delete from r where id = " + key;
    };
  }

  /** Forward and row by row, as over several shards. */
  private String cursor() {
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> "declare c cursor for select k, v from t where k = " + key();
      case 3 -> "declare c no scroll cursor for select k, v from t order by k";
      case 4 -> "close c";
      case 5 -> random.nextBoolean() ? "close all" : "move c";
      default -> "fetch c";
    };
  }
}
