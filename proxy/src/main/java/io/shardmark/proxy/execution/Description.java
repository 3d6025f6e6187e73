package io.shardmark.proxy.execution;

import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.RowField;
import java.util.List;

/** What a server says of a statement: the types of its parameters, and its columns. */
public final class Description extends SyncedAnswer {
  private int[] types = {};
  private List<RowField> fields = List.of();

  /** Asks the server, which prepares the statement. Does not flush. */
  public void ask(ServerConnection server, StatementText text) {
    text.prepareOn(server, this);
    FrontendMessages.describeStatement(server.out(), text.id());
    described(server);
  }

  /** Asks the server, as the unnamed statement. Does not flush. */
  public void ask(ServerConnection server, String sql, int... typeOids) {
    FrontendMessages.parse(server.out(), "", sql, typeOids);
    server.expect(Expected.PARSE, this);
    FrontendMessages.describe(server.out(), NameKind.STATEMENT, "");
    described(server);
  }

  private void described(ServerConnection server) {
    server.expect(Expected.DESCRIBE_STATEMENT, this);
    server.sync(this);
  }

  @Override
  public void message(ServerConnection server, Message message) {
    super.message(server, message);
    if (message.type() == BackendType.PARAMETER_DESCRIPTION) {
      types = parameterTypes(message);
    } else if (message.type() == BackendType.ROW_DESCRIPTION) {
      fields = RowField.readAll(message);
    }
  }

  /** Of all parameters, when the answer is there. */
  public int[] types() {
    return types;
  }

  /** Of the result, when the answer is there; none if it has no rows. */
  public List<RowField> fields() {
    return fields;
  }
}
