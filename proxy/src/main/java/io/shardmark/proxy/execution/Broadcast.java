package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.SettingsState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Texts on several servers, all of which must succeed; the rows of one are shown. */
public final class Broadcast implements ExecutionStep {
  private final Output client;
  private final Map<ServerConnection, List<String>> texts;

  /** In the order of the texts. */
  private final List<BroadcastAnswer> answers = new ArrayList<>();

  private final List<BroadcastAnswer> asked = new ArrayList<>();

  private SettingsChange change = (before, values) -> before;
  private boolean endsPortal;

  /** Asked before the others, which wait for its answer; null: all are asked at once. */
  private @Nullable ServerConnection askedFirst;

  /** Messages of the first server that the client gets. */
  private final Set<BackendType> shown = EnumSet.noneOf(BackendType.class);

  private final Notices notices;

  /**
   * @param texts the statements for each, one by one
   */
  public Broadcast(Output client, Map<ServerConnection, List<String>> texts) {
    this.client = client;
    this.notices = new Notices(client);
    this.texts = new LinkedHashMap<>(texts);
  }

  /** The same text on all of them. */
  public static Broadcast of(Output client, List<ServerConnection> servers, String sql) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, List.of(sql)));
    return new Broadcast(client, texts);
  }

  /**
   * Ends the client's unnamed portal, as the client's own Bind of the statement has: a table that
   * it reads cannot be altered.
   */
  public Broadcast endingPortal() {
    endsPortal = true;
    return this;
  }

  /**
   * Asks the first of the shards before the others: clients that lock the same everywhere wait for
   * each other there, and not one on each shard.
   */
  public Broadcast inOrder() {
    askedFirst =
        texts.keySet().stream().min(Comparator.comparingInt(ServerConnection::shard)).orElse(null);
    return this;
  }

  /** Shows rows too. */
  public void showRows() {
    shown.add(BackendType.DATA_ROW);
  }

  /** And what they are. */
  public void showDescription() {
    shown.add(BackendType.ROW_DESCRIPTION);
  }

  /** What a text does to settings, if it succeeds. */
  public interface SettingsChange {
    /**
     * @param values the first columns of the rows of the answer, as texts
     */
    SettingsState apply(SettingsState before, List<String> values);
  }

  /** Says what the text does to the settings of each server. */
  public Broadcast changing(SettingsChange what) {
    change = what;
    return this;
  }

  /** The first columns of the rows that the first server has answered with; "" for NULL. */
  public List<String> values() {
    return answers.get(0).values();
  }

  /** The rows of each answer, as texts, in the order of the servers. */
  public List<List<List<@Nullable String>>> rows() {
    return answers.stream().map(answer -> answer.rows).toList();
  }

  /** The servers on which all is done; of a broadcast that is over. */
  public List<ServerConnection> succeeded() {
    List<ServerConnection> servers = List.copyOf(texts.keySet());
    return IntStream.range(0, servers.size())
        .filter(
            i ->
                answers.get(i).isDone()
                    && answers.get(i).error() == null
                    && !answers.get(i).isLost())
        .mapToObj(servers::get)
        .toList();
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty()) {
      texts.forEach(
          (server, statements) ->
              answers.add(answers.isEmpty() ? new ShownAnswer() : new BroadcastAnswer()));
      ask(server -> askedFirst == null || server == askedFirst);
    }
    if (CapturedAnswer.haveSucceeded(asked) && asked.size() < answers.size()) {
      ask(server -> server != askedFirst);
    }
    return asked.size() == answers.size() && CapturedAnswer.haveSucceeded(asked);
  }

  private void ask(Predicate<ServerConnection> which) {
    int i = 0;
    for (Map.Entry<ServerConnection, List<String>> text : texts.entrySet()) {
      BroadcastAnswer answer = answers.get(i++);
      if (which.test(text.getKey())) {
        asked.add(answer);
        send(text.getKey(), text.getValue(), answer);
      }
    }
  }

  private void send(ServerConnection server, List<String> statements, BroadcastAnswer answer) {
    if (endsPortal) {
      server.query(String.join("\n;", statements), answer);
    } else {
      server.command(statements, answer);
    }
    server.flush();
  }

  /** The tag of the first answer. */
  public @Nullable String tag() {
    return answers.isEmpty() ? null : answers.get(0).tag();
  }

  /** Of several statements in that answer the first one's. */
  public @Nullable String firstTag() {
    return answers.isEmpty() ? null : answers.get(0).firstTag;
  }

  private class BroadcastAnswer extends CapturedAnswer {
    private final List<List<@Nullable String>> rows = new ArrayList<>();
    private String firstTag = "";

    List<String> values() {
      return rows.stream().map(row -> Objects.requireNonNullElse(row.get(0), "")).toList();
    }

    @Override
    public boolean hidesParameters() {
      return true; // the first server says it
    }

    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      firstTag = firstTag.isEmpty() ? tag() : firstTag;
      if (message.type() == BackendType.DATA_ROW) {
        rows.add(TextRow.read(message));
      } else if (message.type() == BackendType.NOTICE_RESPONSE) {
        notices.take(server.shard(), message);
      }
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      super.completed(server, status);
      if (error() == null) {
        server.dialog().changed(before -> change.apply(before, values()));
      }
    }
  }

  /** One server's changed parameters and rows are for the client. */
  private final class ShownAnswer extends BroadcastAnswer {
    @Override
    public boolean hidesParameters() {
      return false;
    }

    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (shown.contains(message.type())) {
        message.writeTo(client.out());
      }
    }
  }
}
