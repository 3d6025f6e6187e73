package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CopyFormats;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyBinary;
import io.shardmark.proxy.routing.CopyText;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * COPY TO STDOUT of several shards as one stream: rows as they come, in any order, one header line
 * or binary header, one binary trailer (PG18 §54.2.7 protocol-copy: a server sends one row in a
 * CopyData). What a client does not read stops the shards' connections.
 */
public final class CopyOutStep {
  private static final int HEADER_LENGTH = 5;

  private final Execution execution;
  private final Output client;
  private final List<Integer> shards;
  private final String sql;
  private final boolean headerLine;
  private final List<ShardAnswer> answers = new ArrayList<>();

  /** Those whose header has come. */
  private final BitSet begun = new BitSet();

  private @Nullable CopyFormats formats;

  /** The header line or binary header that the client has got. */
  private byte @Nullable [] header;

  private CopyOutStep(Execution execution, PlannedStatement statement, Route.CopyData route) {
    CopyText text = route.copy().text();
    this.execution = execution;
    this.client = execution.output();
    this.shards = route.shards();
    this.sql = text == null || text.sql().isEmpty() ? statement.sql() : text.sql();
    this.headerLine = text != null && text.header();
  }

  public static ExecutionStep of(
      Execution execution, PlannedStatement statement, Route.CopyData route) {
    CopyOutStep step = new CopyOutStep(execution, statement, route);
    ExecutionStep connected = () -> execution.participants().requireAll(step.shards);
    return connected.then(step::answered).thenDo(step::finish);
  }

  private ExecutionStep answered() {
    execution.counters().count(LoopCounter.STATEMENTS_COPY);
    for (int shard : shards) {
      ShardAnswer.ask(
          execution, shard, answers, this::read, (server, answer) -> server.query(sql, answer));
    }
    return () -> ShardAnswer.areOver(answers);
  }

  private void read(int index, Message message) {
    switch (message.type()) {
      case COPY_OUT_RESPONSE -> response(message);
      case COPY_DATA -> data(index, message);
      case NOTICE_RESPONSE -> message.writeTo(client.out());
      default -> {}
    }
  }

  /** The client gets the first one. */
  private void response(Message message) {
    CopyFormats shown = CopyFormats.read(message);
    if (formats == null) {
      formats = shown;
      message.writeTo(client.out());
    } else if (!formats.equals(shown)) {
      throw different("columns");
    }
  }

  private static StatementException different(String what) {
    return new StatementException(
        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
        "the shards' answers to COPY have different " + what,
        "Make the table alike on all shards.");
  }

  private boolean isBinary() {
    return formats != null && formats.format() == 1;
  }

  private void data(int answer, Message message) {
    ByteBuf buffer = message.buffer();
    int from = message.bodyStart();
    int bytes = message.bodyLength();
    if ((headerLine || isBinary()) && !begun.get(answer)) {
      begun.set(answer);
      int headerBytes = isBinary() ? CopyBinary.headerBytes(buffer, from, bytes) : bytes;
      if (headerBytes < 0) {
        throw new ProtocolViolationException("a shard's binary COPY data begin without a header");
      }
      header(buffer, from, headerBytes);
      from += headerBytes;
      bytes -= headerBytes;
      if (bytes == 0) {
        return;
      }
    }
    if (isBinary() && CopyBinary.isTrailer(buffer, from, bytes)) {
      return;
    }
    if (from == message.bodyStart()) {
      client.pass(message);
    } else {
      part(buffer, from, bytes);
    }
  }

  private void header(ByteBuf buffer, int start, int length) {
    byte[] found = ByteBufUtil.getBytes(buffer, start, length);
    if (header == null) {
      header = found;
      part(buffer, start, length);
    } else if (!Arrays.equals(header, found)) {
      throw different("headers");
    }
  }

  private void part(ByteBuf buffer, int start, int length) {
    ByteBuf message = client.allocator().buffer(HEADER_LENGTH + length);
    BackendMessages.copyDataHeader(message, length);
    message.writeBytes(buffer, start, length);
    client.pass(message);
  }

  /** All shards have given all: the trailer, CopyDone and CommandComplete. */
  private void finish() {
    ByteBuf out = client.out();
    if (isBinary()) {
      BackendMessages.copyDataHeader(out, Short.BYTES);
      out.writeShort(CopyBinary.TRAILER);
    }
    BackendMessages.copyDone(out);
    long rows = 0;
    for (ShardAnswer answer : answers) {
      rows += Math.max(0, CapturedAnswer.rowCount(answer.tag()));
    }
    client.complete("COPY " + rows);
  }
}
