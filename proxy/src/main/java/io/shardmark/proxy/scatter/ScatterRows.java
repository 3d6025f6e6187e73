package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SuspendedResult;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows that writing on several shards has returned and no Execute has asked for yet. */
final class ScatterRows implements SuspendedResult {
  private final Output client;
  private final Deque<ByteBuf> rows = new ArrayDeque<>();
  private final long limitBytes;
  private long heldBytes;

  /** What comes before the number of rows in the tag of each Execute. */
  private String verb = "SELECT";

  private ScatterRows(Execution execution) {
    this.client = execution.output();
    this.limitBytes = execution.memoryLimitBytes();
  }

  /** For an Execute with a row limit; else null: the client gets the rows as they come. */
  static @Nullable ScatterRows forPortions(Execution execution, Arguments arguments) {
    return arguments.maxRows() > 0 ? new ScatterRows(execution) : null;
  }

  /** For rows that are passed on when the statement has succeeded. */
  static ScatterRows held(Execution execution) {
    return new ScatterRows(execution);
  }

  /** Of a statement that is executed to its end: a further Execute gets none. */
  static ScatterRows none(Execution execution, String verb) {
    ScatterRows none = new ScatterRows(execution);
    none.verb = verb;
    return none;
  }

  /** What to refuse with when more would have to be held. */
  static MergeRefusedException tooMany(long limitBytes) {
    return new MergeRefusedException(
        SqlState.OUT_OF_MEMORY,
        "fetching the shards' rows in portions needs more than " + limitBytes + " bytes of memory",
        "Fetch without a row limit, or raise scatter_memory_limit.");
  }

  /** Passes on what a merge has held back; the statement fails if that cannot be held here. */
  static void finish(RowMerger rows, Consumer<ByteBuf> out) {
    try {
      rows.finish(out);
    } catch (MergeRefusedException e) {
      throw StatementException.of(e);
    }
  }

  void add(ByteBuf row) {
    rows.add(row);
    heldBytes += row.readableBytes();
    if (heldBytes > limitBytes) {
      throw tooMany(limitBytes);
    }
  }

  /**
   * The first portion; the portal, if there is one, keeps the others.
   *
   * @param tagVerb of the statement
   */
  void begin(Arguments arguments, String tagVerb) {
    verb = tagVerb;
    if (arguments instanceof Arguments.BoundArguments bound) {
      bound.portal().keep(this);
    }
    send(arguments.maxRows());
  }

  @Override
  public ExecutionStep resume(Arguments.BoundArguments further) {
    return () -> {
      send(further.maxRows());
      return true;
    };
  }

  /** As many rows as an Execute asks for, and the end of its answer. */
  private void send(int maxRows) {
    int sent = 0;
    while (!rows.isEmpty() && (maxRows <= 0 || sent < maxRows)) {
      ByteBuf row = rows.remove();
      heldBytes -= row.readableBytes();
      client.write(row);
      sent++;
    }
    if (maxRows > 0 && sent == maxRows) {
      BackendMessages.portalSuspended(client.out());
    } else {
      client.complete(verb + " " + sent);
    }
  }

  @Override
  public void close() {
    rows.forEach(ByteBuf::release);
    rows.clear();
  }
}
