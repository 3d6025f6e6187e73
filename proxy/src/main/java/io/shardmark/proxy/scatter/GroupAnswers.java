package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.merge.ColumnDescription;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.RowMerger;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of several shards, merged while they come, all in text. */
final class GroupAnswers implements AutoCloseable {
  private static final int HEADER_LENGTH = 5;

  private final MergeSpec spec;
  private final int shardCount;
  private final long limitBytes;
  private final Settings settings;
  private final List<Answer> answers = new ArrayList<>();
  private final List<List<@Nullable String>> rows = new ArrayList<>();
  private List<ColumnDescription> columns = List.of();
  private @Nullable RowMerger merger;

  GroupAnswers(MergeSpec spec, int shardCount, long limitBytes, Settings settings) {
    this.spec = spec;
    this.shardCount = shardCount;
    this.limitBytes = limitBytes;
    this.settings = settings;
  }

  /** Takes the answer of one more shard. */
  SyncedAnswer next(ServerConnection server) {
    Answer answer = new Answer(answers.size(), server);
    answers.add(answer);
    return answer;
  }

  /** One shard's groups, from RowDescription to ReadyForQuery. */
  private final class Answer extends SyncedAnswer {
    private final int index;
    private final ServerConnection server;
    private @Nullable StatementException refusal;
    private boolean stopped;

    Answer(int index, ServerConnection server) {
      this.index = index;
      this.server = server;
    }

    /** Another shard has failed; one whose own error is here already is what failed. */
    void stop() {
      if (!isDone() && error() == null && !stopped) {
        stopped = true;
        server.cancelQuery();
      }
    }

    @Override
    public void message(ServerConnection from, byte type, ByteBuf buffer, int start, int length) {
      super.message(from, type, buffer, start, length);
      if (refusal != null) {
        return;
      }
      try {
        if (type == 'T') {
          describe(RowField.readAll(buffer, start, length));
        } else if (type == 'D') {
          ByteBuf body = buffer.slice(start + HEADER_LENGTH, length - HEADER_LENGTH);
          open().row(index, body, GroupAnswers.this::take);
        }
      } catch (MergeRefusedException e) {
        refusal = StatementException.of(e);
      }
    }
  }

  private void describe(List<RowField> fields) {
    if (merger == null) {
      columns = ValueTexts.columns(fields, settings);
      merger = spec.open(columns, shardCount, limitBytes);
    }
  }

  private RowMerger open() {
    if (merger == null) {
      throw new IllegalStateException("rows without a description");
    }
    return merger;
  }

  private void take(ByteBuf dataRow) {
    try {
      rows.add(
          TextRow.read(
              dataRow, dataRow.readerIndex(), dataRow.readableBytes(), GroupAnswers::text));
    } finally {
      dataRow.release();
    }
  }

  private static String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new MergeRefusedException(
          SqlState.FEATURE_NOT_SUPPORTED.code(),
          "a text is not of encoding UTF8",
          "Select the groups and aggregates alone.");
    }
    return text;
  }

  /**
   * Whether all shards have answered.
   *
   * @throws StatementException if one has failed
   */
  boolean areThere() {
    if (answers.stream().anyMatch(answer -> answer.error() != null)) {
      answers.forEach(Answer::stop);
    }
    if (!answers.stream()
        .allMatch(answer -> answer.isDone() && !answer.server.isBeingCancelled())) {
      return false;
    }
    for (Answer answer : answers) {
      ErrorFields error = answer.error();
      if (error != null && !answer.stopped) {
        throw new StatementException(withoutPosition(error));
      }
      StatementException refusal = answer.refusal;
      if (refusal != null) {
        throw refusal;
      }
      if (answer.isLost()) {
        throw StatementException.lostIn(answer.server);
      }
    }
    return true;
  }

  /** Without a place in a text that the client has not written. */
  static ErrorFields withoutPosition(ErrorFields error) {
    return new ErrorFields(
        error.severity(),
        error.sqlState(),
        error.message(),
        error.detail(),
        error.hint(),
        null,
        error.others());
  }

  /** The merged groups; to be called once, when all are there. */
  List<List<@Nullable String>> rows() {
    try {
      open().finish(this::take);
    } catch (MergeRefusedException e) {
      throw StatementException.of(e);
    }
    return rows;
  }

  List<ColumnDescription> columns() {
    return columns;
  }

  @Override
  public void close() {
    if (merger != null) {
      merger.close();
    }
  }
}
