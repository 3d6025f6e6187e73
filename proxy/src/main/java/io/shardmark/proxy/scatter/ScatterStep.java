package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Notices;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A statement on several shards at once, answered as one. */
final class ScatterStep implements ExecutionStep {
  private final Execution execution;
  private final PlannedStatement statement;
  private final Route.Several route;
  private final ScatterStrategy strategy;
  private final Arguments arguments;
  private final List<ShardAnswer> answers = new ArrayList<>();
  private final ExecutionStep locks;
  private final Output client;
  private final Notices notices;

  /** Rows that wait for further Executes, or null: the client gets the rows as they come. */
  private final @Nullable ScatterRows kept;

  private final Consumer<ByteBuf> sink;
  private final SnapshotRound snapshots;

  /** What the shards have answered before it is known whether that can be used; owned. */
  private final Queue<Early> early = new ArrayDeque<>();

  /** Indexes of the shards that have taken their snapshots. */
  private final BitSet snapshotsTaken = new BitSet();

  /** Of shards that are asked when the first has answered. */
  private List<ShardRequest> later = List.of();

  private @Nullable RowMerger merger;
  private boolean described;

  /** Nothing is held back any more, or what is held belongs to the portal. */
  private boolean closed;

  private long count;
  private String tag = "";
  private String verb = "";

  ScatterStep(
      Execution execution,
      Output client,
      PlannedStatement statement,
      Route.Several route,
      Arguments arguments) {
    this.execution = execution;
    this.statement = statement;
    this.route = route;
    this.strategy = route.strategy();
    this.arguments = arguments;
    this.locks =
        strategy instanceof ScatterStrategy.Same same
            ? CopyLocks.of(execution, same.locked())
            : ExecutionStep.DONE;
    this.client = client;
    this.notices = new Notices(client);
    ScatterRows portalRows = ScatterRows.forPortions(execution, arguments);
    this.kept = portalRows;
    this.sink = portalRows == null ? client::pass : portalRows::add;
    this.snapshots =
        new SnapshotRound(
            execution, strategy instanceof ScatterStrategy.Merge ? route.shards() : List.of());
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty() && !send()) {
      return false;
    }
    if (answers.stream().anyMatch(ShardAnswer::hasFailed)) {
      close();
    }
    if (snapshots.isOver() && !early.isEmpty()) {
      useEarly();
    }
    for (ShardAnswer answer : answers) {
      boolean reads = !answer.isDone() && !answer.hasFailed();
      answer.server().setAhead(reads && isAhead(answer.index()));
    }
    if (!ShardAnswer.areOver(answers)) {
      return false;
    }
    if (!later.isEmpty()) {
      List<ShardRequest> next = later;
      later = List.of();
      next.forEach(this::ask);
      return false;
    }
    if (!snapshots.isGood()) {
      answers.clear();
      snapshotsTaken.clear();
      snapshots.again();
      return advance();
    }
    try {
      finish();
    } finally {
      close();
    }
    return true;
  }

  /** A message of a shard, in the order in which they came. */
  private record Early(int index, BackendType type, ByteBuf bytes) {}

  private void useEarly() {
    Early next = early.poll();
    while (next != null) {
      try {
        if (snapshots.isGood() && !closed) {
          int index = next.index;
          ByteBuf bytes = next.bytes;
          Message message =
              new Message(next.type, bytes, bytes.readerIndex(), bytes.readableBytes());
          answers.get(index).reading(() -> use(index, message));
        }
      } finally {
        next.bytes.release();
      }
      next = early.poll();
    }
  }

  private boolean send() {
    if (statement.tag().equals("LOCK")
        && execution.transaction().mode() == Transaction.EndMode.NONE) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION, "LOCK TABLE can only be used in transaction blocks");
    }
    if (route.access() != Access.READ && !execution.participants().inTransaction()) {
      return false;
    }
    if (!execution.participants().requireAll(route.shards())) {
      return false;
    }
    if (!locks.advance() || !snapshots.mayAsk()) {
      return false;
    }
    List<ShardRequest> requests = ShardRequest.all(execution, route, arguments);
    int first = isInOrder() ? 1 : requests.size();
    requests.subList(0, first).forEach(this::ask);
    later = requests.subList(first, requests.size());
    count();
    return true;
  }

  /**
   * Two writers of a reference table meet on the first shard. If each began on another one, they
   * would wait for each other. After {@link CopyLocks} they have met.
   */
  private boolean isInOrder() {
    return route.access() != Access.READ
        && strategy instanceof ScatterStrategy.Same same
        && same.locked().isEmpty();
  }

  private void ask(ShardRequest request) {
    execution.participants().note(route.access(), request.shard());
    ShardAnswer.ask(
        execution,
        request.shard(),
        answers,
        this::read,
        snapshots.isNeeded() ? request::sendByPortal : request::send);
  }

  private void count() {
    LoopCounter counter = LoopCounter.STATEMENTS_WRITTEN_ON_SEVERAL;
    if (strategy instanceof ScatterStrategy.Merge) {
      counter = LoopCounter.STATEMENTS_MERGED;
    } else if (strategy instanceof ScatterStrategy.Same) {
      counter = LoopCounter.STATEMENTS_REFERENCE_WRITE;
    } else if (strategy instanceof ScatterStrategy.SplitRows) {
      counter = LoopCounter.STATEMENTS_SPLIT;
    }
    execution.counters().count(counter);
  }

  // ---- the one answer of all ----

  /** A message of one of the shards; borrowed. */
  private void read(int index, Message message) {
    if (message.type() == BackendType.BIND_COMPLETE) {
      snapshotsTaken.set(index);
      snapshots.taken();
    } else if (!closed && (!snapshots.isOver() || !early.isEmpty())) {
      early.add(new Early(index, message.type(), message.retainedSlice()));
    } else if (snapshots.isGood()) {
      use(index, message);
    }
  }

  private void use(int index, Message message) {
    switch (message.type()) {
      case ROW_DESCRIPTION -> describe(RowField.readAll(message));
      case DATA_ROW -> {
        row(index, message);
        if (isAhead(index)) {
          answers.get(index).server().setAhead(true);
        }
      }
      case COMMAND_COMPLETE -> complete(index, CapturedAnswer.tag(message));
      case NOTICE_RESPONSE -> notices.take(index, message);
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
              route.shares().size(),
              execution.memoryLimitBytes());
    }
    if (arguments.protocol() == Arguments.Protocol.SIMPLE) {
      BackendMessages.rowDescription(client.out(), visible);
    }
  }

  /**
   * So much of that shard's answer waits for the others that it should not be read from. Never
   * before it has taken its snapshot: the others wait for that.
   */
  private boolean isAhead(int index) {
    return (!early.isEmpty() && snapshotsTaken.get(index))
        || (merger != null && merger.ahead(index));
  }

  private void row(int index, Message message) {
    RowMerger rows = merger;
    if (closed || (rows != null && rows.satisfied())) {
      return;
    }
    if (rows != null) {
      rows.row(index, message.body(), sink);
    } else if (strategy instanceof ScatterStrategy.Same && index > 0) {
      return;
    } else if (kept == null) {
      client.pass(message);
    } else {
      kept.add(message.retainedSlice());
    }
  }

  private void complete(int index, String shardTag) {
    if (merger != null) {
      merger.answerEnd(index, sink);
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
  private void finish() {
    RowMerger rows = merger;
    if (rows != null) {
      ScatterRows.finish(rows, sink);
      count = rows.rowCount();
      verb = "SELECT";
    }
    String shown = tag;
    if (!(strategy instanceof ScatterStrategy.Same) && !verb.isEmpty()) {
      shown = verb + " " + count;
    } else if (tag.isEmpty()) {
      shown = statement.tag().toUpperCase(Locale.ROOT);
    }
    if (described && arguments instanceof Arguments.BoundArguments bound) {
      if (kept != null) {
        closed = true;
        kept.begin(bound, verb);
        return;
      }
      if (rows == null) {
        bound.portal().keep(ScatterRows.none(execution, verb)); // RETURNING
      }
    }
    client.complete(shown);
  }

  @Override
  public void abandon() {
    close();
  }

  /** Frees what is held back. */
  private void close() {
    snapshots.close();
    early.forEach(each -> each.bytes.release());
    early.clear();
    if (merger != null) {
      merger.close();
      merger = null;
    }
    if (kept != null && !closed) {
      kept.close();
    }
    closed = true;
  }
}
