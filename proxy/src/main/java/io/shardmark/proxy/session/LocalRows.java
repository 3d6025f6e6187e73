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
  static void describe(ClientSession session, StatementPlan plan) {
    if (plan instanceof StatementPlan.ShowProxy show) {
      BackendMessages.rowDescription(
          session.out(), session.context().cluster().proxyRows().rows(show.topic()).fields());
    } else if (plan instanceof StatementPlan.FetchCursor fetch && !fetch.move()) {
      BackendMessages.rowDescription(
          session.out(), session.scatter().cursors().fields(fetch.name()));
    } else if (plan instanceof StatementPlan.SetSequence) {
      BackendMessages.rowDescription(session.out(), SequenceStep.fields());
    } else if (plan instanceof StatementPlan.SetParameter set && set.byFunction()) {
      BackendMessages.rowDescription(session.out(), List.of(RowField.text("set_config")));
    } else {
      BackendMessages.noData(session.out());
    }
  }

  /** The rows, with their description in a simple query. */
  static void answer(ClientSession session, StatementPlan.ShowProxy show, Arguments arguments) {
    ProxyRows.Rows result = session.context().cluster().proxyRows().rows(show.topic());
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(session.out(), result.fields());
    }
    for (List<@Nullable String> row : result.rows()) {
      BackendMessages.dataRow(session.out(), row);
    }
    BackendMessages.commandComplete(session.out(), "SHOW");
  }
}
