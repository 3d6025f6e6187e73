package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results that the proxy itself gives: SHOW SHARD MAP and its kin. */
final class LocalRows {
  private LocalRows() {}

  /** RowDescription or NoData for a statement that no server executes. */
  static void describe(Client client, StatementPlan plan) {
    if (plan instanceof StatementPlan.ShowProxy show) {
      BackendMessages.rowDescription(
          client.out(), client.context().cluster().proxyRows().rows(show.topic()).fields());
    } else if (plan instanceof StatementPlan.FetchCursor fetch && !fetch.move()) {
      BackendMessages.rowDescription(client.out(), client.scatter().cursors().fields(fetch.name()));
    } else if (plan instanceof StatementPlan.SetSequence) {
      BackendMessages.rowDescription(client.out(), SequenceStep.fields());
    } else if (plan instanceof StatementPlan.SetParameter set && set.byFunction()) {
      BackendMessages.rowDescription(client.out(), List.of(RowField.text("set_config")));
    } else {
      BackendMessages.noData(client.out());
    }
  }

  /** The rows, with their description in a simple query. */
  static void answer(Client client, StatementPlan.ShowProxy show, Arguments arguments) {
    ProxyRows.Rows result = client.context().cluster().proxyRows().rows(show.topic());
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(client.out(), result.fields());
    }
    for (List<@Nullable String> row : result.rows()) {
      BackendMessages.dataRow(client.out(), row);
    }
    BackendMessages.commandComplete(client.out(), "SHOW");
  }
}
