package io.shardmark.proxy.local;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Results that the proxy itself gives: SHOW SHARD MAP and the like.
 *
 * @param cursors the columns of a cursor over several shards, none if there is no such cursor
 */
public record LocalRows(
    Output client, ProxyRows rows, Function<String, Optional<List<RowField>>> cursors) {
  /** RowDescription or NoData for a statement that no server executes. */
  public void describe(PlannedStatement statement) {
    describe(statement.plan());
  }

  /** The same of a plan that no text has led to. */
  public void describe(StatementPlan plan) {
    ByteBuf out = client.out();
    if (plan instanceof StatementPlan.ShowProxy show) {
      BackendMessages.rowDescription(out, rows.rows(show.topic()).fields());
    } else if (plan instanceof StatementPlan.FetchCursor fetch && !fetch.move()) {
      cursors
          .apply(fetch.name())
          .ifPresentOrElse(
              fields -> BackendMessages.rowDescription(out, fields),
              () -> BackendMessages.noData(out)); // its Execute says what is missing
    } else if (plan instanceof StatementPlan.SetSequence set) {
      BackendMessages.rowDescription(out, List.of(RowField.int8(set.label())));
    } else if (plan instanceof StatementPlan.ExportSnapshot) {
      BackendMessages.rowDescription(out, List.of(RowField.text("pg_export_snapshot")));
    } else if (plan instanceof StatementPlan.ShowTransaction) {
      BackendMessages.rowDescription(out, List.of(RowField.text("shardmark.transaction")));
    } else if (plan instanceof StatementPlan.AskOutcome) {
      BackendMessages.rowDescription(out, List.of(RowField.text("outcome")));
    } else if (plan instanceof StatementPlan.SetParameter set && set.byFunction()) {
      BackendMessages.rowDescription(out, List.of(RowField.text("set_config")));
    } else {
      BackendMessages.noData(out);
    }
  }

  /** The rows, with their description in a simple query. */
  public void answer(StatementPlan.ShowProxy show, Arguments arguments) {
    ByteBuf out = client.out();
    ProxyRows.OwnRows result = rows.rows(show.topic());
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(out, result.fields());
    }
    for (List<@Nullable String> row : result.rows()) {
      BackendMessages.dataRow(out, row);
    }
    client.complete("SHOW");
  }
}
