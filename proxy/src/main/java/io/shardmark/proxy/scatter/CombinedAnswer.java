package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.RowsToClient;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The one answer that the client gets for a statement on several shards. */
final class CombinedAnswer {
  private final Execution execution;
  private final PlannedStatement statement;
  private final ScatterStrategy strategy;
  private final Arguments arguments;
  private final int shardCount;
  private final boolean showsDescription;
  private final @Nullable ScatterRows kept;
  private final RowsToClient client;
  private @Nullable RowMerger merger;
  private boolean described;

  /** The rows that are kept belong to the portal. */
  private boolean handedOver;

  private long count;
  private String tag = "";
  private String verb = "";

  CombinedAnswer(
      Execution execution,
      PlannedStatement statement,
      ScatterStrategy strategy,
      Arguments arguments,
      int shardCount) {
    this.execution = execution;
    this.statement = statement;
    this.strategy = strategy;
    this.arguments = arguments;
    this.shardCount = shardCount;
    this.client = new RowsToClient(execution.output());
    this.showsDescription = arguments.protocol() == Arguments.Protocol.SIMPLE;
    this.kept = ScatterRows.forPortions(execution, arguments);
  }

  /** A message of one of the shards; borrowed. */
  void message(int index, Message message) {
    switch (message.type()) {
      case ROW_DESCRIPTION -> describe(RowField.readAll(message));
      case DATA_ROW -> row(index, message);
      case COMMAND_COMPLETE -> complete(index, CapturedAnswer.tag(message));
      case NOTICE_RESPONSE -> {
        if (index == 0) {
          message.writeTo(execution.output().out());
        }
      }
      default -> {}
    }
  }

  private void describe(List<RowField> fields) {
    if (described) {
      return;
    }
    described = true;
    List<RowField> visible = fields;
    if (strategy instanceof ScatterStrategy.Merge merge) {
      MergeSpec spec = merge.spec();
      visible = fields.subList(0, spec.visibleColumns(fields.size()));
      merger =
          spec.open(
              fields,
              ValueTexts.roundsFloats(execution.settings()),
              shardCount,
              execution.memoryLimitBytes());
    }
    if (showsDescription) {
      BackendMessages.rowDescription(execution.output().out(), visible);
    }
  }

  /** So much of that shard's answer waits for the others that it should not be read from. */
  boolean isAhead(int index) {
    return merger != null && merger.ahead(index);
  }

  private void row(int index, Message message) {
    if (merger != null && merger.satisfied()) {
      return;
    }
    RowMerger rows = merger;
    if (rows != null) {
      rows.row(index, message.body(), sink());
    } else if (strategy instanceof ScatterStrategy.Same && index > 0) {
      return;
    } else if (kept == null) {
      client.pass(message);
    } else {
      kept.add(message.retainedSlice());
    }
  }

  private Consumer<ByteBuf> sink() {
    ScatterRows rows = kept;
    return rows == null ? client::pass : rows::add;
  }

  private void complete(int index, String shardTag) {
    RowMerger rows = merger;
    if (rows != null) {
      rows.answerEnd(index, sink());
    }
    if (tag.isEmpty() || index == 0) {
      tag = shardTag;
    }
    long rowCount = CapturedAnswer.rowCount(shardTag);
    if (rowCount >= 0) {
      count += rowCount;
      verb = shardTag.substring(0, shardTag.lastIndexOf(' '));
    }
  }

  /** All shards have answered well: the rest of the rows and CommandComplete. */
  void finish() {
    RowMerger rows = merger;
    if (rows != null) {
      ScatterRows.finish(rows, sink());
      count = rows.rowCount();
      verb = "SELECT";
    }
    String shown = tag;
    if (!(strategy instanceof ScatterStrategy.Same) && !verb.isEmpty()) {
      shown = verb + " " + count;
    } else if (tag.isEmpty()) {
      shown = statement.tag().toUpperCase(Locale.ROOT);
    }
    if (described && arguments instanceof Arguments.Bound bound) {
      ScatterRows portalRows = kept;
      if (portalRows != null) {
        handedOver = true;
        portalRows.begin(bound, verb);
        return;
      }
      if (rows == null) {
        bound.portal().keep(ScatterRows.none(execution, verb)); // RETURNING
      }
    }
    execution.output().complete(shown);
  }

  /** Frees what is held back. */
  void close() {
    if (merger != null) {
      merger.close();
      merger = null;
    }
    if (kept != null && !handedOver) {
      kept.close();
    }
  }
}
