package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text of the proxy's own on several servers at once; all must succeed. */
final class Broadcast implements Step {
  private final ClientSession session;
  private final List<ServerConnection> servers;
  private final String sql;
  private final List<CapturedAnswer> answers = new ArrayList<>();

  Broadcast(ClientSession session, List<ServerConnection> servers, String sql) {
    this.session = session;
    this.servers = List.copyOf(servers);
    this.sql = sql;
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty()) {
      for (ServerConnection server : servers) {
        CapturedAnswer answer = answers.isEmpty() ? new ShowingNotices() : new CapturedAnswer();
        answers.add(answer);
        server.query(sql, answer);
        server.flush();
      }
    }
    for (CapturedAnswer answer : answers) {
      if (!answer.isDone()) {
        return false;
      }
    }
    for (int i = 0; i < answers.size(); i++) {
      ErrorFields error = answers.get(i).error();
      if (error != null) {
        throw new StatementException(error);
      }
      if (answers.get(i).isLost()) {
        throw session.lostIn(servers.get(i));
      }
    }
    return true;
  }

  /** The tag of the first answer. */
  @Nullable String tag() {
    return answers.isEmpty() ? null : answers.get(0).tag();
  }

  /** One server's notices and changed parameters are for the client. */
  private final class ShowingNotices extends CapturedAnswer {
    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      if (type == 'N' || type == 'S') {
        session.out().writeBytes(buffer, start, length);
      } else {
        super.message(server, type, buffer, start, length);
      }
    }
  }
}
