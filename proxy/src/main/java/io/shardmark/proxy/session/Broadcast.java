package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.ServerConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Texts on several servers at once, all of which must succeed; the rows of one are shown. */
final class Broadcast implements Step {
  private final ClientSession session;
  private final Map<ServerConnection, String> texts;
  private final List<CapturedAnswer> answers = new ArrayList<>();

  /** Messages of the first server that the client gets. */
  private String shown = "NS";

  Broadcast(ClientSession session, Map<ServerConnection, String> texts) {
    this.session = session;
    this.texts = new LinkedHashMap<>(texts);
  }

  /** The same text on all of them. */
  static Broadcast of(ClientSession session, List<ServerConnection> servers, String sql) {
    Map<ServerConnection, String> texts = new LinkedHashMap<>();
    servers.forEach(server -> texts.put(server, sql));
    return new Broadcast(session, texts);
  }

  /**
   * Shows rows too.
   *
   * @param types of the messages: "TD", or "D" without the description
   */
  void showRows(String types) {
    shown = "NS" + types;
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty()) {
      texts.forEach(this::send);
    }
    return CapturedAnswer.haveSucceeded(session, answers);
  }

  private void send(ServerConnection server, String sql) {
    CapturedAnswer answer = answers.isEmpty() ? new ShowingNotices() : new CapturedAnswer();
    answers.add(answer);
    server.query(sql, answer);
    server.flush();
  }

  /** The tag of the first answer. */
  @Nullable String tag() {
    return answers.isEmpty() ? null : answers.get(0).tag();
  }

  /** One server's notices, changed parameters and rows are for the client. */
  private final class ShowingNotices extends CapturedAnswer {
    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      if (shown.indexOf(type) >= 0) {
        session.out().writeBytes(buffer, start, length);
      } else {
        super.message(server, type, buffer, start, length);
      }
    }
  }
}
