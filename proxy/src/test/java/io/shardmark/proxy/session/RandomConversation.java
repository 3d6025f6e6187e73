package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import io.shardmark.proxy.ddl.PlacementChanges.PlacementChange;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.session.SimulatedCluster.TestClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's session between random events: messages of both protocols, answers of servers as
 * they come, refusals, lost links, cancellations, moved tables, a proxy that ends, and COPY. At the
 * end everything settles, and the client must have got one ReadyForQuery for each Sync and each
 * Query, or in their place the reason why its session has ended.
 */
final class RandomConversation {
  private static final List<String> TEXTS =
      List.of(
          "select 1",
          "select 1",
          "select v from t where k = 0",
          "select v from t where k = 1",
          "select v from t",
          "insert into t values (1, 1)",
          "insert into t values (0, 1)",
          "insert into t values (0, 1), (1, 1)",
          "update r set v = 1",
          "begin",
          "begin",
          "commit",
          "commit",
          "rollback",
          "savepoint a",
          "rollback to a",
          "release a",
          "set work_mem = '1MB'",
          "set transaction read only",
          "show work_mem",
          "select 1/0",
          "select 1/0 from t",
          "select nosuch",
          "select nosuch from t",
          "select * from nowhere",
          "prepare transaction 'x'",
          "declare c cursor for select v from t",
          "fetch c",
          "");
  private static final List<String> COPIES =
      List.of(
          "copy t from stdin csv",
          "copy t from stdin csv",
          "copy r from stdin csv",
          "copy t_0 from stdin csv",
          "copy t to stdout");

  /** The last two are those that the proxy and a server refuse. */
  private static final List<String> ROWS =
      List.of("0,1\n", "1,1\n", "0,1\n1,1\n", "0,", "x,1\n", "1,wrong\n");

  private static final List<String> NAMES = List.of("", "", "a", "b");
  private static final int MOST_EVENTS = 25;

  private final Random random;
  private final SimulatedCluster cluster;
  private final TestClient client;
  private final TestClient other;
  private final List<String> events = new ArrayList<>();
  private @Nullable PlacementChange move;

  /** What follows a COPY. */
  private final Deque<Sent> copyData = new ArrayDeque<>();

  private int owed;
  private int readies;
  private boolean inPipeline;
  private boolean linkLost;
  private boolean drained;
  private String last = "";

  /** Sends a Query in the middle of a pipeline as well: PostgreSQL skips it after an error. */
  private final boolean wild;

  RandomConversation(long seed) {
    random = new Random(seed);
    wild = random.nextInt(4) == 0;
    int shards = 1 + random.nextInt(3);
    cluster =
        random.nextInt(4) == 0
            ? SimulatedCluster.replicated(shards, "")
            : new SimulatedCluster(shards, 1 + random.nextInt(2));
    other = cluster.login();
    client = cluster.login();
    events.add("seed " + seed + ", " + shards + " shards");
  }

  /** What has happened, and what the client has got, for a failed test. */
  String story() {
    StringBuilder story = new StringBuilder(String.join("\n", events));
    cluster.allServers().forEach(server -> story.append("\nserver ").append(server.trace()));
    return story.toString();
  }

  /** What the client lacks, or has got too much; "" if nothing. */
  String play() {
    String fault = fault();
    client.leave();
    other.leave();
    cluster.close();
    return fault;
  }

  private String fault() {
    for (int count = 2 + random.nextInt(MOST_EVENTS); count > 0 && client.isOpen(); count--) {
      event();
      receive();
    }
    if (!client.isOpen()) {
      return closed();
    }
    event("end of the copy", () -> sendCopyData(copyData.size()));
    event("end of the pipeline", () -> send(sync()));
    endMove();
    event("settle", cluster::settle);
    event("the other leaves", other::leave);
    event("settle", cluster::settle);
    receive();
    if (!client.isOpen()) {
      return closed();
    }
    if (wild ? readies > owed : readies != owed) {
      return readies + " ReadyForQuery for " + owed;
    }
    owed = readies;
    event("another Query", () -> send(query("select 1")));
    event("settle", cluster::settle);
    receive();
    return readies == owed || !client.isOpen() ? "" : "no answer to another Query";
  }

  /** What is wrong with the end of the session. */
  private String closed() {
    boolean said = drained && last.contains("57P01");
    return linkLost || said ? "" : "closed after " + last;
  }

  private void receive() {
    for (String line : client.received()) {
      last = line;
      readies += line.startsWith("B ReadyForQuery") ? 1 : 0;
      events.add("    " + line);
    }
  }

  private record Sent(String text, Consumer<ByteBuf> message, boolean owes) {}

  private void send(Sent... messages) {
    for (Sent message : messages) {
      owed += message.owes ? 1 : 0;
      events.add("  " + message.text);
    }
    client.send(
        out -> {
          for (Sent message : messages) {
            message.message.accept(out);
          }
        });
  }

  private static Sent sync() {
    return new Sent("S", FrontendMessages::sync, true);
  }

  private static Sent query(String sql) {
    return new Sent("Q " + sql, out -> FrontendMessages.query(out, sql), true);
  }

  /** A COPY; its data are sent later, before anything else. */
  private Sent copy() {
    for (int count = random.nextInt(4); count > 0; count--) {
      byte[] row = pick(ROWS).getBytes(StandardCharsets.UTF_8);
      copyData.add(
          new Sent(
              "d " + new String(row, StandardCharsets.UTF_8).strip(),
              out -> {
                FrontendMessages.copyDataHeader(out, row.length);
                out.writeBytes(row);
              },
              false));
    }
    copyData.add(
        random.nextInt(4) == 0
            ? new Sent("f", out -> FrontendMessages.copyFail(out, "no more"), false)
            : new Sent("c", FrontendMessages::copyDone, false));
    return query(pick(COPIES));
  }

  private void sendCopyData(int most) {
    List<Sent> messages = new ArrayList<>();
    while (messages.size() < most && !copyData.isEmpty()) {
      messages.add(copyData.remove());
    }
    if (!messages.isEmpty()) {
      send(messages.toArray(Sent[]::new));
    }
  }

  private Sent extended() {
    String name = pick(NAMES);
    String text = pick(TEXTS);
    String portal = random.nextInt(4) == 0 ? "p" : "";
    return switch (random.nextInt(10)) {
      case 0, 1, 2 ->
          new Sent("P " + name + " " + text, out -> FrontendMessages.parse(out, name, text), false);
      case 3, 4, 5 ->
          new Sent(
              "B " + portal + " " + name, out -> FrontendMessages.bind(out, portal, name), false);
      case 6 ->
          new Sent(
              "D S " + name,
              out -> FrontendMessages.describe(out, NameKind.STATEMENT, name),
              false);
      case 7 ->
          new Sent(
              "D P " + portal,
              out -> FrontendMessages.describe(out, NameKind.PORTAL, portal),
              false);
      case 8 ->
          new Sent(
              "C S " + name, out -> FrontendMessages.close(out, NameKind.STATEMENT, name), false);
      default -> new Sent("H", FrontendMessages::flush, false);
    };
  }

  private Sent execute() {
    String portal = random.nextInt(6) == 0 ? "p" : "";
    return new Sent("E " + portal, out -> FrontendMessages.execute(out, portal, 0), false);
  }

  private List<Sent> pipeline() {
    List<Sent> messages = new ArrayList<>();
    for (int count = 1 + random.nextInt(4); count > 0; count--) {
      messages.add(random.nextInt(3) == 0 ? execute() : extended());
    }
    if (random.nextInt(3) == 0) {
      String text = pick(TEXTS);
      messages.add(new Sent("P  " + text, out -> FrontendMessages.parse(out, "", text), false));
      messages.add(new Sent("B", out -> FrontendMessages.bind(out, "", ""), false));
      messages.add(new Sent("E", out -> FrontendMessages.execute(out, "", 0), false));
    }
    return messages;
  }

  private void sendSome() {
    if (!copyData.isEmpty()) {
      sendCopyData(1 + random.nextInt(3));
      return;
    }
    List<Sent> messages = new ArrayList<>();
    do {
      if ((wild || !inPipeline) && random.nextInt(12) == 0) {
        messages.add(copy());
        break;
      }
      if ((wild || !inPipeline) && random.nextInt(3) == 0) {
        String text = pick(TEXTS) + (random.nextInt(4) == 0 ? "; " + pick(TEXTS) : "");
        messages.add(query(text));
      } else {
        messages.addAll(pipeline());
        inPipeline = random.nextInt(3) == 0;
        if (!inPipeline) {
          messages.add(sync());
        }
      }
    } while (random.nextInt(3) == 0);
    send(messages.toArray(Sent[]::new));
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void event(String name, Runnable what) {
    events.add(name);
    what.run();
    cluster.runTasks();
  }

  private void event() {
    switch (random.nextInt(25)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> event("send", this::sendSome);
      case 8, 9, 10, 11 -> {
        List<SimulatedServer> servers = cluster.servers();
        if (!servers.isEmpty()) {
          event("a server answers one message", () -> pick(servers).answerOne());
        }
      }
      case 12, 13, 14 ->
          event("servers answer", () -> cluster.servers().forEach(SimulatedServer::answerAll));
      case 15 -> event("connected", cluster::connectOne);
      case 16 -> event("connection refused", cluster::failConnect);
      case 17 -> event("time passes", cluster::passTime);
      case 18 -> {
        if (random.nextInt(3) == 0) {
          List<SimulatedServer> servers = cluster.servers();
          if (!servers.isEmpty()) {
            linkLost = true;
            event("a link is lost", () -> pick(servers).lose());
          }
        }
      }
      case 19 -> event("the client cancels", () -> client.cancel());
      case 20 -> event("the other begins", () -> occupy("begin; select v from t where k = 0"));
      case 21 -> event("the other begins", () -> occupy("begin; update r set v = 1"));
      case 22 -> event("the other ends", () -> occupy("rollback"));
      case 23 -> {
        if (random.nextInt(4) == 0) {
          drained = true;
          event("the proxy ends", () -> client.session().drain());
        }
      }
      default -> moveTable();
    }
  }

  private void occupy(String sql) {
    other.send(out -> FrontendMessages.query(out, sql));
    other.received();
  }

  private void moveTable() {
    PlacementChange now = move;
    if (now == null) {
      Manner manner = pick(List.of(Manner.values()));
      event(
          "a table is moved, which holds back " + manner,
          () -> move = cluster.placementChanges().begin(new Hold(Set.of("t"), manner)));
    } else if (random.nextBoolean()) {
      ErrorFields late = ErrorFields.error(new SqlState("55P03"), "the move takes too long");
      event("the move is late", () -> cluster.placementChanges().refuse(now, late));
    } else {
      endMove();
    }
  }

  private void endMove() {
    PlacementChange now = move;
    if (now != null) {
      move = null;
      event("the move is over", () -> cluster.placementChanges().end(now));
    }
  }
}
