package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Notices;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.CopyFormats;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * COPY FROM STDIN over all shards: rows are dealt out by key, those of a reference table go
 * everywhere (PG18 §54.2.7 protocol-copy).
 */
public final class CopyInStep implements ExecutionStep, CopyIn, CopyCutter.Sink {
  private static final int HEADER_LENGTH = 5;

  /** Since this version of PostgreSQL a row {@code \\.} in CSV is data (PG18 COPY, sql-copy). */
  private static final int FIRST_WITHOUT_END_OF_CSV = 18;

  private final Execution execution;
  private final Notices notices;
  private final CopySource source;
  private final PlannedStatement statement;
  private final List<CopyAnswer> answers = new ArrayList<>();
  private final @Nullable CopyRows rows;
  private @Nullable CopyCutter cutter;
  private final boolean everywhere;
  private final List<Integer> shards;

  /** If the first shard alone takes the data: the rows that it has made of them. */
  private final @Nullable ReplayedChange replayed;

  private final Function<ReplayedChange, ExecutionStep> replay;
  private final ExecutionStep stages;

  /** Why the data cannot be dealt out. */
  private @Nullable StatementException refusal;

  /**
   * @param replay gives rows of the first shard to the others
   */
  public CopyInStep(
      Execution execution,
      CopySource source,
      PlannedStatement statement,
      Route.CopyData route,
      Function<ReplayedChange, ExecutionStep> replay) {
    this.execution = execution;
    this.notices = new Notices(execution.output());
    this.replay = replay;
    this.source = source;
    this.statement = statement;
    this.rows = route.copy().rows();
    this.everywhere = route.copy().reference();
    this.shards = route.shards();
    this.replayed = route.copy().replayed();
    this.stages =
        execution
            .participants()
            .inTransactionOn(shards)
            .thenDo(this::send)
            .then(() -> this::isAccepted)
            .then(() -> this::isOver)
            .then(this::finish);
  }

  /** One shard's answer to the COPY. */
  private final class CopyAnswer extends CapturedAnswer {
    private final ServerConnection server;
    private boolean ready;

    CopyAnswer(ServerConnection server) {
      this.server = server;
    }

    @Override
    public void message(ServerConnection from, Message message) {
      super.message(from, message);
      if (message.type() == BackendType.COPY_IN_RESPONSE && answers.get(0) == this) {
        execution.output().write(message.copy());
        int columns = CopyFormats.read(message).columnFormats().size();
        cut(columns, from.parameters().getOrDefault("server_version", ""));
      } else if (message.type() == BackendType.NOTICE_RESPONSE) {
        notices.take(from.shard(), message);
      }
    }

    @Override
    public void copyInBegun(ServerConnection from) {
      ready = true;
    }
  }

  /** Rows have that many columns. */
  private void cut(int columns, String version) {
    if (rows != null && !everywhere) {
      cutter =
          new CopyCutter(
              reader(columns, version),
              execution.output().allocator(),
              this,
              execution.memoryLimitBytes());
    }
  }

  private CopyCutter.CopyRowReader reader(int columns, String version) {
    CopyRows format = Objects.requireNonNull(rows);
    if (format.format() == CopyRows.Format.BINARY) {
      return new BinaryRows(format, columns);
    }
    String major = version.replaceFirst("\\D.*", "");
    boolean old = !major.isEmpty() && Integer.parseInt(major) < FIRST_WITHOUT_END_OF_CSV;
    return new LineRows(format, old || format.format() == CopyRows.Format.TEXT);
  }

  @Override
  public void abandon() {
    stages.abandon();
    closeCutter();
  }

  private void closeCutter() {
    if (cutter != null) {
      cutter.close();
      cutter = null;
    }
  }

  @Override
  public boolean advance() {
    return stages.advance();
  }

  private void send() {
    execution.counters().count(LoopCounter.STATEMENTS_COPY);
    for (int shard : replayed == null ? shards : shards.subList(0, 1)) {
      ServerConnection server = execution.participants().required(shard);
      CopyAnswer answer = new CopyAnswer(server);
      answers.add(answer);
      server.dialog().wrote();
      server.query(statement.sql(), answer);
      server.flush();
    }
  }

  private boolean isAccepted() {
    boolean accepted = answers.stream().allMatch(answer -> answer.ready || answer.isDone());
    if (accepted) {
      source.setCopyIn(this);
    }
    return accepted;
  }

  private boolean isOver() {
    if (equals(source.current())) {
      if (answers.stream().noneMatch(CapturedAnswer::isDone)) {
        flush();
        return false;
      }
      // One shard has failed: the others are stopped, and what the client still sends is dropped.
      fail("another shard failed");
    }
    return answers.stream().allMatch(CapturedAnswer::isDone);
  }

  private void flush() {
    answers.forEach(answer -> answer.server.flush());
  }

  /** Takes no more data, and stops all shards. */
  private void fail(String reason) {
    source.endCopyIn(this);
    for (CopyAnswer answer : answers) {
      if (!answer.isDone()) {
        FrontendMessages.copyFail(answer.server.out(), reason);
        answer.server.flush();
      }
    }
  }

  private ExecutionStep finish() {
    closeCutter();
    for (CopyAnswer answer : answers) {
      if (answer.isLost()) {
        throw StatementException.lostIn(answer.server);
      }
    }
    // What a shard says after our CopyFail is not the reason.
    List<ErrorFields> errors =
        answers.stream()
            .map(CapturedAnswer::error)
            .filter(Objects::nonNull)
            .sorted(Comparator.comparing(e -> e.sqlState().equals(SqlState.QUERY_CANCELED)))
            .toList();
    // What a server found is in a row before the one that could not be dealt.
    boolean found = !errors.isEmpty() && !errors.get(0).sqlState().equals(SqlState.QUERY_CANCELED);
    if (refusal != null && !found) {
      throw refusal;
    }
    if (!errors.isEmpty()) {
      throw new StatementException(errors.get(0));
    }
    long count =
        answers.stream()
            .limit(everywhere ? 1 : shards.size())
            .mapToLong(answer -> Math.max(0, CapturedAnswer.rowCount(answer.tag())))
            .sum();
    ExecutionStep copies =
        replayed == null || count == 0 ? ExecutionStep.DONE : replay.apply(replayed);
    return copies.thenDo(() -> execution.output().complete("COPY " + count));
  }

  // ---- data ----

  @Override
  public boolean hasBegun() {
    return true;
  }

  @Override
  public boolean message(FrontendType type, ByteBuf buffer, int start, int length) {
    for (CopyAnswer answer : answers) {
      if (!answer.server.takesMore()) {
        flush();
        return false;
      }
    }
    CopyCutter dealer = cutter;
    if (dealer != null && type == FrontendType.COPY_DATA) {
      deal(() -> dealer.data(buffer, start + HEADER_LENGTH, length - HEADER_LENGTH));
      return true;
    }
    if (dealer != null && type == FrontendType.COPY_DONE) {
      deal(dealer::finish);
      if (refusal != null) {
        return true;
      }
    }
    for (CopyAnswer answer : answers) {
      answer.server.send(buffer, start, length);
    }
    if (type != FrontendType.COPY_DATA) {
      source.endCopyIn(this);
      flush();
    }
    return true;
  }

  /** If a row cannot be sent on, all shards are stopped. */
  private void deal(Runnable dealt) {
    try {
      dealt.run();
    } catch (StatementException e) {
      refusal = e;
      fail(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void row(int shard, ByteBuf part, int start, int length) {
    for (CopyAnswer answer : answers) {
      ServerConnection server = answer.server;
      if (shard == CopyCutter.EVERYWHERE || server.shard() == shard) {
        FrontendMessages.copyDataHeader(server.out(), length);
        server.sendCopy(part, start, length);
      }
    }
  }

  @Override
  public boolean streams() {
    return false;
  }

  @Override
  public boolean piece(ByteBuf buffer, int start, int length, int bytesToCome) {
    throw new IllegalStateException("rows are taken whole");
  }
}
