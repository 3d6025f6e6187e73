package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The merge of one execution. Rows pass as they come, or, if each answer is in order, in the order
 * of all: a row then passes as soon as every answer that has not ended shows a row, and waits in
 * its answer's queue until then. Not for several threads.
 */
public final class RowMerger implements AutoCloseable {
  private static final byte DATA_ROW = 'D';

  /** Objects, references and slots of one held row, roughly. */
  private static final int OVERHEAD_BYTES = 120;

  private final int columns;
  private final int visible;
  private final RowOrder order;
  private final boolean ordered;
  private final MergedAnswer[] answers;
  private final long limitBytes;
  private long heldBytes;

  /** Answers that have not ended and show no row: while there is one, nothing passes in order. */
  private int silent;

  /** Rows of OFFSET and LIMIT that are still to come. */
  private long skip;

  private long rest;
  private long count;

  /** Buffers come from where the rows' come from. */
  private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;

  /** What is known of one shard's answer. */
  private static final class MergedAnswer {
    final Queue<RowOrder.Keyed> rows = new ArrayDeque<>();
    long heldBytes;
    boolean ended;
  }

  /**
   * @param order of the rows of each answer; empty if they pass as they come
   * @param columns of a shard's answer
   * @param limitBytes what may be held back
   */
  RowMerger(MergeSpec spec, RowOrder order, int columns, int shardCount, long limitBytes) {
    this.columns = columns;
    this.visible = spec.visibleColumns(columns);
    this.order = order;
    this.ordered = !order.isEmpty();
    this.answers = new MergedAnswer[shardCount];
    Arrays.setAll(answers, i -> new MergedAnswer());
    this.silent = shardCount;
    this.limitBytes = limitBytes;
    this.skip =
        notNegative(spec.offset(), "OFFSET", SqlState.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE);
    this.rest = notNegative(spec.limit(), "LIMIT", SqlState.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE);
  }

  private static long notNegative(long rows, String clause, SqlState negative) {
    if (rows < 0) {
      throw new MergeRefusedException(
          negative, clause + " must not be negative", "Give 0 or more.");
    }
    return rows;
  }

  /**
   * A row of one shard.
   *
   * @param answer position of the shard among those asked, from 0
   * @param dataRow body of its DataRow message (after the length word); borrowed, copied if kept
   * @param out takes whole DataRow messages and owns them
   * @throws MergeRefusedException if more must be held back than the limit allows
   */
  public void row(int answer, ByteBuf dataRow, Consumer<ByteBuf> out) {
    if (satisfied()) {
      return;
    }
    allocator = dataRow.alloc();
    if (!ordered && visible == columns) {
      if (admits()) {
        ByteBuf message = message(dataRow.readableBytes());
        message.writeBytes(dataRow, dataRow.readerIndex(), dataRow.readableBytes());
        out.accept(message);
      }
      return;
    }
    Row row = Row.copyOf(dataRow, columns);
    if (!ordered) {
      give(row, out);
      return;
    }
    MergedAnswer from = answers[answer];
    if (from.rows.isEmpty()) {
      silent--;
    }
    from.rows.add(order.keyed(row));
    hold(from, bytes(row));
    pass(out);
  }

  private static long bytes(Row row) {
    return (long) OVERHEAD_BYTES + row.body().length;
  }

  private void hold(MergedAnswer answer, long bytes) {
    answer.heldBytes += bytes;
    heldBytes += bytes;
    if (heldBytes > limitBytes) {
      throw new MergeRefusedException(
          SqlState.OUT_OF_MEMORY,
          "merging the shards' answers needs more than " + limitBytes + " bytes of memory",
          "Ask for fewer rows or groups, or raise scatter_memory_limit.");
    }
  }

  /**
   * One shard has answered in full (its CommandComplete is there): rows that waited for it may
   * pass. Without this call they pass in {@link #finish}.
   */
  public void answerEnd(int answer, Consumer<ByteBuf> out) {
    end(answers[answer]);
    pass(out);
  }

  private void end(MergedAnswer answer) {
    if (!answer.ended) {
      answer.ended = true;
      if (answer.rows.isEmpty()) {
        silent--;
      }
    }
  }

  /** All shards have answered: passes on what was held back. */
  public void finish(Consumer<ByteBuf> out) {
    for (MergedAnswer answer : answers) {
      end(answer);
    }
    pass(out);
  }

  private void pass(Consumer<ByteBuf> out) {
    while (silent == 0 && !satisfied()) {
      MergedAnswer first = null;
      RowOrder.Keyed least = null;
      for (MergedAnswer answer : answers) {
        RowOrder.Keyed head = answer.rows.peek();
        if (head != null && (least == null || order.compare(head, least) < 0)) {
          first = answer;
          least = head;
        }
      }
      if (first == null || least == null) {
        return;
      }
      first.rows.remove();
      hold(first, -bytes(least.row()));
      if (first.rows.isEmpty() && !first.ended) {
        silent++;
      }
      give(least.row(), out);
    }
  }

  /** OFFSET and LIMIT, and the columns that the client sees. */
  private void give(Row row, Consumer<ByteBuf> out) {
    if (admits()) {
      int bytes = row.bodyBytes(visible);
      ByteBuf message = message(bytes);
      message.writeShort(visible);
      message.writeBytes(row.body(), Short.BYTES, bytes - Short.BYTES);
      out.accept(message);
    }
  }

  /** Whether the next row is in the window; counts it. */
  private boolean admits() {
    if (skip > 0) {
      skip--;
      return false;
    }
    rest--;
    count++;
    return true;
  }

  private ByteBuf message(int bodyBytes) {
    ByteBuf message = allocator.buffer(1 + Integer.BYTES + bodyBytes);
    message.writeByte(DATA_ROW);
    message.writeInt(Integer.BYTES + bodyBytes);
    return message;
  }

  /** How many rows have been passed on: the number in the command tag. */
  public long rowCount() {
    return count;
  }

  /**
   * So much of this answer is held back, waiting for another shard, that reading from its server
   * should pause: all answers together may hold half of the limit so. Changes with calls for the
   * other answers; never true for all that have not ended.
   */
  public boolean ahead(int answer) {
    return !satisfied() && answers[answer].heldBytes > limitBytes / 2 / answers.length;
  }

  /**
   * Whether nothing more can pass before this answer, which has not ended, shows another row. True
   * for at least one of those that have not ended.
   */
  public boolean needs(int answer) {
    return answers[answer].rows.isEmpty() && !answers[answer].ended;
  }

  /** LIMIT is reached: every further row will be dropped. */
  public boolean satisfied() {
    return rest == 0;
  }

  /** Frees what is held back; also after an error. */
  @Override
  public void close() {
    for (MergedAnswer answer : answers) {
      answer.rows.clear();
    }
  }
}
