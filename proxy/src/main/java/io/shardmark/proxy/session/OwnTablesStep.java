package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the tables as the open transaction sees them, on the servers that it is on. */
final class OwnTablesStep implements Step {
  private final ClientSession session;
  private @Nullable Map<ServerConnection, Rows> asked;

  OwnTablesStep(ClientSession session) {
    this.session = session;
  }

  @Override
  public boolean advance() {
    Map<ServerConnection, Rows> answers = asked;
    if (answers == null) {
      List<ServerConnection> servers = session.links().enlisted();
      if (!session.links().requireAll(servers.stream().map(ServerConnection::shard).toList())) {
        return false;
      }
      answers = ask(servers);
      asked = answers;
    }
    Map<Integer, List<List<@Nullable String>>> rows = new HashMap<>();
    for (Map.Entry<ServerConnection, Rows> answer : answers.entrySet()) {
      if (!answer.getValue().isDone()) {
        return false;
      }
      ErrorFields error = answer.getValue().error();
      if (error != null) {
        throw new StatementException(error);
      }
      if (answer.getValue().isLost()) {
        throw session.lostIn(answer.getKey());
      }
      rows.put(answer.getKey().shard(), answer.getValue().rows);
    }
    session.ownTables().read(session.context().cluster().catalogs().map(rows));
    return true;
  }

  private Map<ServerConnection, Rows> ask(List<ServerConnection> servers) {
    Map<ServerConnection, Rows> answers = new LinkedHashMap<>();
    for (ServerConnection server : servers) {
      Rows answer = new Rows();
      answers.put(server, answer);
      server.query(session.context().cluster().catalogs().question(), answer);
      server.flush();
    }
    return answers;
  }

  /** The rows of one server, which are texts. */
  private static final class Rows extends CapturedAnswer {
    private static final int HEADER_LENGTH = 5;

    private final List<List<@Nullable String>> rows = new ArrayList<>();

    @Override
    public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
      if (type != 'D') {
        super.message(server, type, buffer, start, length);
        return;
      }
      BodyReader row =
          new BodyReader("DataRow", buffer, start + HEADER_LENGTH, length - HEADER_LENGTH);
      @Nullable String[] values = new String[row.uint16()];
      for (int i = 0; i < values.length; i++) {
        int bytes = row.int32();
        values[i] = bytes < 0 ? null : new String(row.bytes(bytes), StandardCharsets.UTF_8);
      }
      rows.add(Arrays.asList(values));
    }
  }
}
