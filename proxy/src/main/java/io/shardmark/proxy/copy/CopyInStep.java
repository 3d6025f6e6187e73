package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.CopyFormats;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * COPY FROM STDIN over all shards: rows are dealt out by key, those of a reference table go
 * everywhere (PG18 §54.2.7 protocol-copy).
 */
public final class CopyInStep implements Step, CopyIn, CopyCutter.Sink {
  private static final int HEADER_LENGTH = 5;

  private enum Phase {
    STARTING,
    ASKED,
    DATA,
    ENDING
  }

  private final Execution execution;
  private final CopySource source;
  private final PlannedStatement statement;
  private final List<ServerConnection> servers = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final @Nullable CopyRows rows;
  private @Nullable CopyCutter splitter;
  private final boolean everywhere;
  private final List<Integer> shards;
  private Phase phase = Phase.STARTING;
  private boolean closed;

  /** Why the data cannot be dealt out. */
  private @Nullable StatementException refusal;

  public CopyInStep(
      Execution execution, CopySource source, PlannedStatement statement, Route.CopyData route) {
    this.execution = execution;
    this.source = source;
    this.statement = statement;
    StatementPlan.Copy copy = route.copy();
    this.rows = copy.rows();
    this.everywhere = copy.reference();
    this.shards = route.shards();
  }

  /** One shard's answer to the COPY. */
  private final class Answer extends CapturedAnswer {
    private boolean ready;

    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.COPY_IN_RESPONSE) {
        if (answers.get(0) == this) {
          execution.output().write(message.copy());
          cut(CopyFormats.read(message).columnFormats().size());
        }
      }
    }

    @Override
    public void copyInBegun(ServerConnection server) {
      ready = true;
    }
  }

  @Override
  public void abandon() {
    close();
  }

  @Override
  public boolean takesCopyData() {
    return phase == Phase.DATA;
  }

  @Override
  public boolean advance() {
    if (phase == Phase.STARTING && !send()) {
      return false;
    }
    if (phase == Phase.ASKED && !isAccepted()) {
      return false;
    }
    if (phase == Phase.DATA) {
      if (answers.stream().noneMatch(CapturedAnswer::isDone)) {
        servers.forEach(ServerConnection::flush);
        return false;
      }
      // One shard has failed: the others are stopped, and what the client still sends is dropped.
      source.endCopyIn(this);
      fail("another shard failed");
    }
    if (!answers.stream().allMatch(CapturedAnswer::isDone)) {
      return false;
    }
    finish();
    return true;
  }

  private boolean send() {
    if (!execution.participants().inTransaction() || !execution.participants().requireAll(shards)) {
      return false;
    }
    execution.counters().count(LoopCounter.STATEMENTS_COPY);
    for (int shard : shards) {
      ServerConnection server = execution.participants().required(shard);
      servers.add(server);
      Answer answer = new Answer();
      answers.add(answer);
      server.markWritten();
      server.query(statement.sql(), answer);
      server.flush();
    }
    phase = Phase.ASKED;
    return true;
  }

  /** Rows have that many columns. */
  private void cut(int columns) {
    if (rows != null) {
      splitter = new CopyCutter(rows, columns, execution.output().allocator(), this);
    }
  }

  private boolean isAccepted() {
    for (Answer answer : answers) {
      if (!answer.ready && !answer.isDone()) {
        return false;
      }
    }
    if (answers.stream().allMatch(answer -> answer.ready && !answer.isDone())) {
      phase = Phase.DATA;
      source.setCopyIn(this);
    } else {
      fail("another shard refused");
    }
    return true;
  }

  private void fail(String reason) {
    for (int i = 0; i < servers.size(); i++) {
      if (!answers.get(i).isDone()) {
        FrontendMessages.copyFail(servers.get(i).out(), reason);
        servers.get(i).flush();
      }
    }
    phase = Phase.ENDING;
  }

  private void finish() {
    close();
    if (refusal != null) {
      throw refusal;
    }
    ErrorFields first = null;
    long rows = 0;
    for (int i = 0; i < answers.size(); i++) {
      ErrorFields error = answers.get(i).error();
      if (answers.get(i).isLost()) {
        throw StatementException.lostIn(servers.get(i));
      }
      // What a shard says after our CopyFail is not the reason.
      if (error != null && (first == null || !error.sqlState().equals(SqlState.QUERY_CANCELED))) {
        first = first == null || first.sqlState().equals(SqlState.QUERY_CANCELED) ? error : first;
      }
      if (i == 0 || !everywhere) {
        rows += Math.max(0, CapturedAnswer.rowCount(answers.get(i).tag()));
      }
    }
    if (first != null) {
      throw new StatementException(first);
    }
    execution.output().complete("COPY " + rows);
  }

  private void close() {
    CopyCutter cutter = splitter;
    if (cutter != null && !closed) {
      closed = true;
      cutter.close();
    }
  }

  // ---- data ----

  @Override
  public boolean hasBegun() {
    return true;
  }

  @Override
  public boolean message(byte type, ByteBuf buffer, int start, int length) {
    boolean taken = true;
    for (ServerConnection server : servers) {
      taken &= server.takesMore();
    }
    if (!taken) {
      servers.forEach(ServerConnection::flush);
      return false;
    }
    CopyCutter rows = splitter;
    if (type == 'd' && rows != null && !everywhere) {
      return dealt(() -> rows.data(buffer, start + HEADER_LENGTH, length - HEADER_LENGTH));
    }
    if (type == 'c' && rows != null && !everywhere) {
      dealt(rows::finish);
      if (refusal != null) {
        return true;
      }
    }
    for (ServerConnection server : servers) {
      server.send(buffer, start, length);
    }
    if (type != 'd') {
      source.endCopyIn(this);
      servers.forEach(ServerConnection::flush);
      phase = Phase.ENDING;
    }
    return true;
  }

  @Override
  public void row(int shard, ByteBuf rows, int start, int length) {
    for (ServerConnection server : servers) {
      if (shard == CopyCutter.EVERYWHERE || server.shard() == shard) {
        FrontendMessages.copyDataHeader(server.out(), length);
        server.sendCopy(rows, start, length);
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

  /** If a row's shard cannot be found, all shards are stopped. */
  private boolean dealt(Runnable rows) {
    try {
      rows.run();
    } catch (StatementException e) {
      refusal = e;
      source.endCopyIn(this);
      fail("a row's shard cannot be found");
    }
    return true;
  }
}
