package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the tables as the open transaction sees them, on the servers that it is on. */
public final class OwnTablesStep implements Step {
  private final Execution execution;
  private final OwnTables ownTables;
  private final TransactionCatalogs catalogs;
  private @Nullable Map<ServerConnection, Rows> asked;

  public OwnTablesStep(Execution execution, OwnTables ownTables, TransactionCatalogs catalogs) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
  }

  @Override
  public boolean advance() {
    Map<ServerConnection, Rows> answers = asked;
    if (answers == null) {
      List<ServerConnection> servers = execution.participants().enlisted();
      if (!execution
          .participants()
          .requireAll(servers.stream().map(ServerConnection::shard).toList())) {
        return false;
      }
      answers = ask(servers);
      asked = answers;
    }
    if (!CapturedAnswer.haveSucceeded(answers.values())) {
      return false;
    }
    Map<Integer, List<List<@Nullable String>>> rows = new HashMap<>();
    answers.forEach((server, answer) -> rows.put(server.shard(), answer.rows));
    ownTables.read(catalogs.map(rows));
    return true;
  }

  private Map<ServerConnection, Rows> ask(List<ServerConnection> servers) {
    Map<ServerConnection, Rows> answers = new LinkedHashMap<>();
    for (ServerConnection server : servers) {
      Rows answer = new Rows();
      answers.put(server, answer);
      server.query(catalogs.question(), answer);
      server.flush();
    }
    return answers;
  }

  /** The rows of one server, which are texts. */
  private static final class Rows extends CapturedAnswer {
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    @Override
    public void message(ServerConnection server, Message message) {
      if (message.type() == BackendType.DATA_ROW) {
        rows.add(TextRow.read(message));
      } else {
        super.message(server, message);
      }
    }
  }
}
